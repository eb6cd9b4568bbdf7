"""What a door does at a time and what comes next: said here, read by panels, reports and commands alike."""

from __future__ import annotations

from typing import Final

from engine.dat.hex_id import hex_id
from engine.named_tuple import NamedTuple
from engine.physics.objects.door_phase import DoorPhase
from engine.physics.objects.doors import DoorController
from engine.world.physics_state import ETHEREAL

NOT_ASKED: Final = "not asked"
"""What a shape does whose entity collides by another kind of shapes (objects 8.5)."""


class DoorStatus(NamedTuple):
    """A door at a simulation time.

    ``is_passable`` says that bodies pass, whatever it looks like. ``ends_in`` are the seconds to the end of
    its clip, or to the next try to close where it is held by ``held_by`` (0: by nobody known); ``resets_in``
    those to the reset that opens or closes it by itself. Each is None where nothing of the kind is due.
    """

    phase: DoorPhase
    is_passable: bool
    is_locked: bool
    ends_in: float | None
    resets_in: float | None
    held_by: int

    @property
    def disagrees(self) -> bool:
        """Whether the state's bit is not the one that the phase goes with: it looks otherwise than it is."""
        return self.is_passable is (self.phase is DoorPhase.CLOSED)

    @property
    def words(self) -> str:
        """What it does and what comes next, in one line."""
        return ", ".join(self.parts)

    @property
    def parts(self) -> list[str]:
        """The same in pieces: first what it does."""
        words = [self.phase.value]
        if self.phase is DoorPhase.OPENING:
            words.append(f"open in {self.ends_in or 0.0:.1f} s")
        elif self.phase is DoorPhase.CLOSING:
            words.append(f"solid in {self.ends_in or 0.0:.1f} s where nobody stands in it")
        elif self.phase is DoorPhase.HELD:
            words = [f"held by {f'{hex_id(self.held_by)}' if self.held_by else 'somebody'} in it"]
            words.append(f"tries to close in {self.ends_in or 0.0:.1f} s")
        if self.resets_in is not None:
            is_open = self.phase in (DoorPhase.OPENING, DoorPhase.OPEN)
            words.append(f"{'closes' if is_open else 'opens'} in {self.resets_in:.1f} s")
        if self.disagrees:
            words.append(f"{'passable' if self.is_passable else 'solid'} all the same")
        if self.is_locked:
            words.append("locked")
        return words

    def shape_words(self, *, is_family: bool) -> str:
        """What one of its shapes does: ``is_family`` for those of the one family that collides."""
        if not is_family:
            return NOT_ASKED
        return "passable" if self.is_passable else "collides"


def door_status(door: DoorController, now: float) -> DoorStatus:
    """What a door does at a simulation time."""
    return DoorStatus(
        phase=door.phase,
        is_passable=(door.target.state & ETHEREAL) != 0,
        is_locked=door.locked,
        ends_in=door.phase_ends_in(now),
        resets_in=door.countdown(now),
        held_by=door.held_by,
    )
