"""What a tick came to: one frozen object, and its JSON line (promises 4, sweep 3.23)."""

from __future__ import annotations

from typing import Final

from engine.dat.hex_id import hex_id
from engine.dat.values import Plane, Vec3
from engine.named_tuple import NamedTuple
from engine.native import mypyc_attr
from engine.physics.body.outcome import Contact
from engine.physics.objects.door_status import DoorStatus, door_status
from engine.physics.objects.doors import DoorController
from engine.physics.objects.shadow_shape import ShadowShape
from engine.physics.transition.hit import Hit
from engine.physics.transition.trace import SweepTrace
from engine.world.frame import Position

STATE_BITS = (
    (0x1, "Static"), (0x4, "Ethereal"), (0x8, "ReportCollisions"), (0x10, "IgnoreCollisions"),
    (0x20, "NoDraw"), (0x40, "Missile"), (0x80, "Pushable"), (0x100, "AlignPath"),
    (0x200, "PathClipped"), (0x400, "Gravity"), (0x800, "LightingOn"), (0x1000, "ParticleEmitter"),
    (0x4000, "Hidden"), (0x8000, "ScriptedCollision"), (0x10000, "HasPhysicsBSP"),
    (0x20000, "Inelastic"), (0x40000, "HasDefaultAnim"), (0x80000, "HasDefaultScript"),
    (0x100000, "Cloaked"), (0x200000, "ReportAsEnvironment"), (0x400000, "EdgeSlide"),
    (0x800000, "Sledding"), (0x1000000, "Frozen"),
)  # fmt: skip


class DoorReport(NamedTuple):
    """A door at the end of a tick: state word and its flags, phase, seconds to the reset, shapes, cells.

    ``status`` says the same and more, in words too. All ``shapes`` are registered in every one of ``cells``
    (ids, the door's own first).
    """

    entity: int
    model_id: int
    position: Position
    state: int
    flags: tuple[str, ...]
    phase: str
    countdown: float | None
    shapes: tuple[ShadowShape, ...]
    cells: tuple[int, ...]
    status: DoorStatus


@mypyc_attr(acyclic=True)
class TickReport:
    """A tick's outcome; never changed. ``tick`` counts from 0; -1 is the state after a placement.

    ``position`` (the feet) and ``contact_plane`` are in the block frames of ``cell`` and
    ``contact_plane_cell``; ``ok`` is false when the sweep was refused and the position kept; ``hits``
    changed the outcome, ``touched`` are entities that did not; ``cells`` is the collision cell array.
    ``requested`` is what the tick was to move and ``moved`` what it did, metres in block axes; what was asked
    of a body in the air is its velocity's. ``sliding_normal`` is taken along into the next tick's sweep;
    ``refused_by`` says why the sweep was refused.
    """

    __slots__ = (
        "cell", "cells", "changed", "contact", "doors", "heading", "hits",
        "moved", "normal", "ok", "on_ground", "position", "refused_by", "requested", "sliding_normal",
        "tick", "time", "touched", "trace", "velocity",
    )  # fmt: skip

    def __init__(  # noqa: PLR0913 - the fields of a result, by keyword
        self,
        *,
        tick: int,
        time: float,
        cell: int,
        position: Vec3,
        heading: float,
        velocity: Vec3,
        ok: bool,
        on_ground: bool,
        normal: Vec3 | None,
        hits: tuple[Hit, ...],
        touched: tuple[int, ...],
        contact: Contact | None,
        cells: tuple[int, ...],
        changed: bool,
        doors: tuple[DoorReport, ...],
        trace: SweepTrace | None = None,
        requested: Vec3 = (0.0, 0.0, 0.0),
        moved: Vec3 = (0.0, 0.0, 0.0),
        sliding_normal: Vec3 | None = None,
        refused_by: str = "",
    ) -> None:
        self.tick: Final = tick
        self.time: Final = time
        self.cell: Final = cell
        self.position: Final = position
        self.heading: Final = heading
        self.velocity: Final = velocity
        self.ok: Final = ok
        self.on_ground: Final = on_ground
        self.normal: Final = normal
        self.hits: Final = hits
        self.touched: Final = touched
        self.contact: Final = contact
        self.cells: Final = cells
        self.changed: Final = changed
        self.doors: Final = doors
        self.trace: Final = trace
        self.requested: Final = requested
        self.moved: Final = moved
        self.sliding_normal: Final = sliding_normal
        self.refused_by: Final = refused_by

    @property
    def collided(self) -> bool:
        """Whether there is a collision normal."""
        return self.normal is not None

    @property
    def contact_plane(self) -> Plane | None:
        """The plane that the body stands on or touches."""
        return None if self.contact is None else self.contact.plane

    @property
    def contact_plane_cell(self) -> int:
        """The cell in whose block frame that plane is; 0 for none."""
        return 0 if self.contact is None else self.contact.cell_id

    def to_json(self) -> dict[str, object]:
        """The line of ``holtwalk sim --json``."""
        plane = self.contact_plane
        return {
            "tick": self.tick,
            "cell": hex_id(self.cell),
            "position": list(self.position),
            "ok": self.ok,
            "on_ground": self.on_ground,
            "collided": self.collided,
            "normal": None if self.normal is None else list(self.normal),
            "hits": [hit.to_json() for hit in self.hits],
            "contact_plane": None if plane is None else [*plane.normal, plane.d],
            "cells": [hex_id(cell) for cell in self.cells],
            "changed": self.changed,
            "touched": [hex_id(entity) for entity in self.touched],
            "requested": list(self.requested),
            "moved": list(self.moved),
            "sliding_normal": None if self.sliding_normal is None else list(self.sliding_normal),
            "refused_by": self.refused_by or None,
        }


def state_flags(state: int) -> tuple[str, ...]:
    """The names of the PhysicsState bits that are set (sweep 2.2)."""
    return tuple(name for bit, name in STATE_BITS if state & bit)


def door_report(door: DoorController, now: float, known: DoorReport | None = None) -> DoorReport:
    """A door's state at a simulation time; ``known``, an earlier report of it, where that says the same."""
    target = door.target
    if (
        known is not None
        and known.countdown is None
        and door.reset_at is None
        and known.status.ends_in is None  # what has an end comes nearer to it
        and known.state == target.state
        and known.status.phase is door.phase
        and known.status.is_locked is door.locked
        and known.position is target.position
        and known.shapes is target.shapes
        and known.cells is target.cell_ids
    ):
        return known
    return DoorReport(
        entity=target.entity_id,
        model_id=target.model_id,
        position=target.position,
        state=target.state,
        flags=state_flags(target.state),
        phase=door.phase.value,
        countdown=door.countdown(now),
        shapes=target.shapes,
        cells=target.cell_ids,
        status=door_status(door, now),
    )
