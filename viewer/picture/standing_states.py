"""What doors and other objects do before a picture is drawn, by the options ``--state`` and ``--use``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.dat.hex_id import hex_id
from engine.physics.objects.door_phase import DoorPhase
from engine.physics.objects.doors import DoorController
from engine.physics.objects.world_objects import WorldObjects
from engine.physics.simulation.arrival import SimulationError
from engine.physics.simulation.simulation import Simulation
from engine.world.physics_state import ETHEREAL
from viewer.tables.option_values import EntityState
from viewer.user_error import UserError

USED_AGO = 3.0  # seconds: the longest clip is over


class StandingStates:
    """States to set and doors to use, each as soon as its landblock is there."""

    def __init__(self, states: Sequence[EntityState], used: Sequence[int]) -> None:
        self._states = list(states)
        self._used = list(used)

    @property
    def is_asked(self) -> bool:
        """Whether anything is left to be set or used."""
        return bool(self._states or self._used)

    def apply(self, simulation: Simulation) -> None:
        """Set what stands in the loaded world; the rest is left for later."""
        known = simulation.registry.objects
        for state in [s for s in self._states if s.entity in known]:
            self._states.remove(state)
            _set(simulation, state)
        for entity in [e for e in self._used if e in known]:
            self._used.remove(entity)
            try:
                simulation.use(entity, USED_AGO)
            except SimulationError as error:
                raise UserError(f"--use: {error}") from error

    def finish(self, simulation: Simulation) -> None:
        """The same for the last time: UserError for what is nowhere."""
        self.apply(simulation)
        missing = [("--state", s.entity) for s in self._states] + [("--use", e) for e in self._used]
        for option, entity in missing:
            raise UserError(f"{option}: there is no entity {hex_id(entity)} in this world")


def _set(simulation: Simulation, state: EntityState) -> None:
    door = simulation.doors.get(state.entity)
    if state.phase is None:
        simulation.set_state(state.entity, state.state)
    elif door is None:
        raise UserError(
            f"--state: entity {hex_id(state.entity)} is not a door: it is never {state.phase.value}"
        )
    else:
        door.resume(state.state, state.phase, state.since, simulation.time)


def state_words(objects: WorldObjects, now: float, saved: Mapping[int, int]) -> list[tuple[int, str]]:
    """Every object that is not as it was placed, and the value of ``--state`` for what it is at ``now``.

    ``saved`` are the states that a saved scene places entities in.
    """
    words = []
    for entity, target in objects.registry.objects.items():
        door = objects.doors.get(entity)
        word = f"{hex_id(entity)}=0x{target.state:X}"
        if door is not None and _plays(door):
            # Every digit: a clip's next frame begins with a tick.
            words.append((entity, f"{word},{door.phase.value},{now - door.phase_start!r}"))
        elif target.state != saved.get(entity, target.first_state):
            words.append((entity, word))
    return words


def _plays(door: DoorController) -> bool:
    """Whether a door shows, or stands for, more than its state word says."""
    if door.phase in (DoorPhase.OPEN, DoorPhase.CLOSED):
        cycle = door.motion.open_cycle if door.phase is DoorPhase.OPEN else door.motion.closed_cycle
        is_open = bool(door.target.state & ETHEREAL)
        return len(cycle.poses) > 1 or is_open is not (door.phase is DoorPhase.OPEN)
    return True
