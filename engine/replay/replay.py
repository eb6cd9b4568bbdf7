"""Replaying captures: each record's input through the sweep, and what came of it (promises 6)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from engine.dat.errors import of_one_member
from engine.dat.hex_id import hex_id
from engine.dat.values import Plane, Vec3
from engine.physics.body.body import PhysicsBody
from engine.physics.body.outcome import Contact
from engine.physics.enums import (
    OI_CONTACT,
    OI_EDGE_SLIDE,
    OI_FREE_ROTATE,
    OI_IS_IMPENETRABLE,
    OI_IS_PK,
    OI_IS_PK_LITE,
    OI_IS_PLAYER,
    OI_ON_WALKABLE,
    TS_CONTACT,
    TS_ON_WALKABLE,
    TS_SLIDING,
    TS_STATIONARY,
    TS_WATER_CONTACT,
)
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.sweep import SweepResult, kept, make_transition, sweep
from engine.physics.transition.hit import Hit
from engine.physics.transition.trace import SweepTrace
from engine.replay.by_hand import ByHandAgain
from engine.replay.capture import BodyState, CaptureRecord, CaptureResult
from engine.world.cells import ObjCell
from engine.world.frame import UP, Frame, Position
from engine.world.ids import adjust_to_outside, is_outdoor, rebase
from engine.world.loading.world import World
from engine.world.physics_state import EDGE_SLIDE_STATE, GRAVITY

TOLERANCE = 0.01
SAME_WAY = math.cos(math.radians(1.0))  # of two unit normals
COMPARED: Final = (
    "compared: the cell, the place within 1 cm, whether it stands on the ground, whether and against which "
    "normal it collided, within 1 degree, and result.ok where it was recorded; not compared: bodyAfter"
)
"""What makes a record differ, in words."""
SAME_PLACE = 1e-4  # captures print single precision
CARRIED_BITS = TS_CONTACT | TS_ON_WALKABLE | TS_SLIDING | TS_STATIONARY | TS_WATER_CONTACT
POSITION_FLAGS = OI_CONTACT | OI_ON_WALKABLE


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a record came to; ``position`` in the block frame of ``cell``, ``advance`` in metres.

    ``outcome`` is None where the record could not be run, then ``note`` says why.
    """

    record: CaptureRecord
    outcome: CaptureResult | None
    advance: float = 0.0
    hits: tuple[Hit, ...] = ()
    note: str = ""

    @property
    def recorded_advance(self) -> float:
        """Metres that the recorded result moved toward the target."""
        record = self.record
        return 0.0 if record.result is None else advance(record, record.result)

    def differences(self, cells: str = "cell {} instead of {}") -> list[str]:
        """What is off the recording, as ``COMPARED`` says; empty where it agrees.

        ``cells`` are the words for two cells, ours and the recorded one.
        """
        got, want = self.outcome, self.record.result
        if got is None or want is None:
            return ["was not run" if got is None else "no result was recorded"]
        off = []
        if got.cell != want.cell:
            off.append(cells.format(hex_id(got.cell), hex_id(want.cell)))
        here, there = rebase(got.position, got.cell, want.cell), want.position
        far = math.dist(here, there)
        if far > TOLERANCE:
            x, y, z = (a - b for a, b in zip(here, there, strict=True))
            place = " ".join(f"{p:z.4f}" for p in there)
            off.append(
                f"{1000.0 * far:.1f} mm off: by {x:+z.4f} {y:+z.4f} {z:+z.4f} from the recorded [{place}]"
            )
        if got.on_ground != want.on_ground:
            off.append(f"{'on the ground' if got.on_ground else 'in the air'}, recorded otherwise")
        if (got.normal is None) != (want.normal is None):
            off.append("collided, recorded as free" if got.normal else "free, recorded as collided")
        elif got.normal is not None and want.normal is not None and not _same_way(got.normal, want.normal):
            ours, theirs = (" ".join(f"{n:z.3f}" for n in normal) for normal in (got.normal, want.normal))
            off.append(f"collided against normal {ours}, recorded {theirs}")
        if want.ok is not None and got.ok != want.ok:
            off.append("accepted, recorded as refused" if got.ok else "refused, recorded as accepted")
        return off


def replay(world: World, records: Iterable[CaptureRecord]) -> Iterator[Replayed]:
    """Run every record in a world, in order.

    A record starts from its own input. One that begins where the record before it ended goes on in the
    cell that we came to: membership is carried, and a recorded client may have been wrong about it. One
    that fails is a record that could not be run; those after it are run all the same.
    """
    again = ReplayWorld(world)
    last: Replayed | None = None
    for record in records:
        try:
            last = again.run(record, carried_cell(last, record))
        except Exception as error:
            last = Replayed(record, None, note=of_one_member(error))
        yield last


def carried_cell(last: Replayed | None, record: CaptureRecord) -> int:
    """The cell that a record goes on in: the one before it ended in, where it begins where that ended."""
    end = None if last is None else last.outcome
    if end is None:
        return record.cell
    gap = math.dist(rebase(end.position, end.cell, record.cell), record.current)
    return end.cell if gap <= SAME_PLACE else record.cell


class ReplayWorld:
    """A world with what stands in it, and the states that records put entities in.

    ``simulation`` is one of that world, where there is one already. ``body`` and ``result`` are those of the
    record that was run last, None where it could not be run.
    """

    def __init__(self, world: World, simulation: Simulation | None = None) -> None:
        self.world = world
        self.simulation = simulation if simulation is not None else Simulation(world)
        self.body: PhysicsBody | None = None
        self.result: SweepResult | None = None
        self._assigned: set[int] = set()
        self._by_hand = ByHandAgain(self.simulation)

    def run(self, record: CaptureRecord, cell_id: int) -> Replayed:
        """Run a record from its own input, in a cell."""
        self.body = self.result = None
        if self.world.get_visible(record.cell) is None:
            self.simulation.residency.load(record.cell)
        self.simulation.residency.visit(record.cell)
        self._by_hand.make(record.by_hand)
        self._assign(record.entities)
        note = ""
        start = record.current
        if cell_id != record.cell:
            note = f"goes on in {hex_id(cell_id)}, not in the recorded {hex_id(record.cell)}"
            start = rebase(start, record.cell, cell_id)
        cell = self.world.get_visible(cell_id)
        if cell is None:
            cell, start = _land_below(self.world, cell_id, start)
            if cell is None:
                return Replayed(record, None, note=f"there is no cell {hex_id(cell_id)} in this world")
            note = f"there is no cell {hex_id(cell_id)} in this world, run in {hex_id(cell.id)} below it"
        body = stand(self.world, record, cell, start)
        trace = SweepTrace() if self.simulation.trace else None
        result = _sweep(self.world, body, record, trace)
        if not body.cell_ids:  # no path has ended: it is in the cells where it stands
            body.cell_ids = result.cells
        self.body, self.result = body, result
        outcome = CaptureResult(
            position=result.position.frame.origin,
            cell=result.cell_id,
            on_ground=result.on_ground,
            normal=result.normal,
            ok=result.ok,
        )
        return Replayed(
            record=record, outcome=outcome, advance=advance(record, outcome), hits=result.hits, note=note
        )

    def _assign(self, states: Mapping[int, int]) -> None:
        """Give entities the states of a record; those it does not name have the one they came with."""
        registry = self.simulation.registry
        for entity_id in self._assigned - set(states):
            target = registry.get(entity_id)
            if target is not None:
                registry.update_physics_state(entity_id, target.first_state)
        self._assigned = {entity_id for entity_id in states if registry.get(entity_id) is not None}
        for entity_id in self._assigned:
            registry.update_physics_state(entity_id, states[entity_id])


def _same_way(a: Vec3, b: Vec3) -> bool:
    """Whether two normals point the same way; one of no length points nowhere."""
    lengths = math.hypot(*a) * math.hypot(*b)
    return lengths > 0.0 and sum(p * q for p, q in zip(a, b, strict=True)) >= SAME_WAY * lengths


def _land_below(world: World, cell_id: int, point: Vec3) -> tuple[ObjCell | None, Vec3]:
    """The landcell under a place whose interior cell nobody has dumped."""
    if is_outdoor(cell_id):
        return None, point
    land_id, moved = adjust_to_outside(cell_id, point)
    return (world.get_visible(land_id) if land_id else None), moved


def stand(world: World, record: CaptureRecord, cell: ObjCell, start: Vec3) -> PhysicsBody:
    """A body as a record has it before its tick, committed where it is, without a search for room.

    ``start`` is in the block frame of ``cell``. Without a body in the record it stands on a level floor
    where it is on the ground.
    """
    before = record.before or BodyState(state=GRAVITY)
    flags = record.flags
    state = before.state | (EDGE_SLIDE_STATE if flags & OI_EDGE_SLIDE else 0)
    body = PhysicsBody(
        record.mover,
        record.spheres,
        step_up_height=record.step_up,
        step_down_height=record.step_down,
        state=state,
    )
    body.free_heading = (flags & OI_FREE_ROTATE) != 0
    body.is_player = (flags & OI_IS_PLAYER) != 0
    body.is_impenetrable = (flags & OI_IS_IMPENETRABLE) != 0
    body.is_pk = (flags & OI_IS_PK) != 0
    body.is_pk_lite = (flags & OI_IS_PK_LITE) != 0
    t = make_transition(world, body)
    t.init_path(cell, None, Position(cell.id, Frame(start, before.orientation)))
    body.set_position_internal(t.outcome())
    plane, plane_cell = before.contact_plane, before.contact_cell
    if plane is None and record.on_ground:
        plane, plane_cell = Plane(UP, -start[2]), cell.id
    bits = before.transient_state & CARRIED_BITS
    bits |= TS_CONTACT | TS_ON_WALKABLE if record.on_ground else 0
    if plane is None:
        bits &= ~(TS_CONTACT | TS_ON_WALKABLE)
    else:
        body.contact = Contact.on(plane, plane_cell, is_water=before.contact_is_water)
    body.transient_state |= bits
    body.sliding_normal = before.sliding_normal
    body.calc_acceleration()
    return body


def _sweep(
    world: World, body: PhysicsBody, record: CaptureRecord, trace: SweepTrace | None = None
) -> SweepResult:
    """The record's own sweep and its commit; a request of no length moves nothing (sweep 3.23)."""
    if record.current == record.target:
        return kept(world, body)
    before, cell_id = record.before or BodyState(), body.position.cell_id
    quat = record.target_orientation or before.orientation
    goal = Position(cell_id, Frame(rebase(record.target, record.cell, cell_id), quat))
    body.velocity = before.velocity
    # isOnGround says that the sweep starts in contact, whatever the velocity of the feet.
    flags = record.flags & ~POSITION_FLAGS
    return sweep(world, body, goal, trace, flags=flags, keeps_contact=record.on_ground)


def advance(record: CaptureRecord, end: CaptureResult) -> float:
    """How far a result moved toward the record's target, metres; negative away from it."""
    length = record.requested
    if length == 0.0:
        return 0.0
    x, y, z = rebase(end.position, end.cell, record.cell)
    (ax, ay, az), (bx, by, bz) = record.current, record.target
    return ((x - ax) * (bx - ax) + (y - ay) * (by - ay) + (z - az) * (bz - az)) / length
