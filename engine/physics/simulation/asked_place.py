"""A place that somebody asks for and what comes of it: how far off the body is put, and why."""

from __future__ import annotations

import math

from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple
from engine.physics.body.body import PhysicsBody
from engine.physics.enums import FLOOR_Z, SPE_OK, HitKind, Response
from engine.physics.simulation.arrival import SimulationError, load_place
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.sweep import make_transition, place
from engine.physics.simulation.ticking import PLAYER_ID
from engine.physics.transition.placement import adjust_position
from engine.physics.transition.trace import SweepTrace
from engine.world.cells import EnvCell, ObjCell
from engine.world.frame import Position, get_offset
from engine.world.ids import block_of, rebase
from engine.world.location import format_location

FARTHEST_OFF = 5.0  # metres: what lies farther off is another place and not the one that was meant
LIES_THERE = "the place lies there"
TOLD = 0.05  # a body rests 5 mm above the floor that was asked for
_NO_ROOM = (Response.NO_ROOM, Response.PUSHED_OUT)


class StrayPlaceError(SimulationError):
    """A place too far from where its words say: refused where nobody said that anywhere will do."""


class Arrival(NamedTuple):
    """A place that was asked for and the one that the body got, each in the block frame of its cell.

    ``moved_by`` is the distance between them in metres, ``reason`` says in words what kept the body from
    the place or its cell, empty where it got both.
    """

    asked: Position
    got: Position
    moved_by: float
    reason: str

    @property
    def words(self) -> str:
        """One line that says what was changed; empty where nothing was."""
        if not self.reason:
            return ""
        asked, named, cell = format_location(self.asked), self.asked.cell_id, self.got.cell_id
        cells = f"in cell {hex_id(cell)}" + (f", not {hex_id(named)}" if cell != named else "")
        if self.moved_by < TOLD:
            return f"{asked}: {cells}: {self.reason}"
        return f"{asked}: moved {self.moved_by:.2f} m: {self.reason}; {cells}"

    def to_json(self) -> dict[str, object]:
        """The fields that every document about a place has."""
        return {
            "asked": format_location(self.asked),
            "moved_by": self.moved_by,
            "reason": self.reason or None,
        }


def go_to(simulation: Simulation, asked: Position, *, anywhere: bool = False) -> Arrival:
    """Teleport the body to a place and tell what came of it.

    Raises SimulationError as ``Simulation.teleport`` does, and StrayPlaceError, with the body where it was,
    for a place in another landblock than its cell's, one more than 5 m off its cell, and one where the body
    would be moved by more than that; unless ``anywhere`` will do.
    """
    where = load_place(simulation.world, simulation.residency, simulation.body, asked)
    _check(simulation, asked, where, anywhere=anywhere)
    probe = _somebody_else(simulation)
    trace = SweepTrace()
    error, _ = place(simulation.world, probe, asked, trace=trace)
    if error == SPE_OK:
        arrival = _arrival(simulation, asked, probe, trace=trace)
        if arrival.moved_by > FARTHEST_OFF and not anywhere:
            x, y, z = arrival.got.frame.origin
            to = f"{hex_id(arrival.got.cell_id)} [{x:.2f} {y:.2f} {z:.2f}]"
            raise StrayPlaceError(
                f"{where}: the body would be moved {arrival.moved_by:.1f} m to {to}: {arrival.reason}"
            )
    simulation.teleport(asked)
    return arrival


def look_from(simulation: Simulation, asked: Position, *, anywhere: bool = False) -> Arrival:
    """Put the body exactly there, room or not, to look around; errors as ``go_to``."""
    where = load_place(simulation.world, simulation.residency, simulation.body, asked)
    _check(simulation, asked, where, anywhere=anywhere)
    simulation.hover(asked)
    elsewhere = simulation.position.cell_id != asked.cell_id
    return Arrival(asked, simulation.position, 0.0, LIES_THERE if elsewhere else "")


def _check(simulation: Simulation, asked: Position, where: str, *, anywhere: bool) -> None:
    """StrayPlaceError where the cell that a place lies in is far from the one it names."""
    world = simulation.world
    _, cell = adjust_position(make_transition(world, simulation.body), asked)
    assert cell is not None  # load_place has asked
    if anywhere or cell.id == asked.cell_id:
        return
    if block_of(cell.id) != block_of(asked.cell_id):
        raise StrayPlaceError(f"{where}: this place lies in cell {hex_id(cell.id)} of another landblock")
    off = _distance_from(world.get_visible(asked.cell_id), asked.frame.origin)
    if off > FARTHEST_OFF:
        raise StrayPlaceError(
            f"{where}: this place lies {off:.1f} m off cell {hex_id(asked.cell_id)}, in {hex_id(cell.id)}"
        )


def _distance_from(cell: ObjCell | None, p: Vec3) -> float:
    """How far a place of its block lies outside the box around a room, metres; 0 for the land."""
    if not isinstance(cell, EnvCell):
        return 0.0
    structure = cell.structure
    tables = (structure.polygons, structure.physics_polygons)
    corners = [v for table in tables for polygon in table.values() for v in polygon.vertices]
    if not corners:
        return 0.0
    outside = [
        max(min(v[axis] for v in corners) - c, c - max(v[axis] for v in corners), 0.0)
        for axis, c in enumerate(cell.frame.to_local(p))
    ]
    return math.hypot(*outside)


def _somebody_else(simulation: Simulation) -> PhysicsBody:
    """A body like the simulation's, to try a place with."""
    mover = simulation.mover
    return PhysicsBody(
        PLAYER_ID,
        mover.spheres,
        step_up_height=mover.step_up,
        step_down_height=mover.step_down,
        state=mover.state,
    )


def _arrival(simulation: Simulation, asked: Position, body: PhysicsBody, *, trace: SweepTrace) -> Arrival:
    got = body.position
    dx, dy, dz = get_offset(asked, got)
    moved = math.hypot(dx, dy, dz)
    is_aside = math.hypot(dx, dy) >= TOLD
    if is_aside or (moved >= TOLD and not _rests_on(body, asked)):
        reason = _obstacle(simulation, trace) if is_aside else ""
        if not reason:
            reason = "that is where the ground is" if body.in_contact else "there is no room for the body"
    elif got.cell_id != asked.cell_id:
        reason = LIES_THERE
    else:
        reason = ""
    return Arrival(asked, got, moved, reason)


def _rests_on(body: PhysicsBody, asked: Position) -> bool:
    """Whether the ground under a body is the one that the asked place lies on."""
    contact = body.contact
    if contact is None:
        return False
    x, y, z = rebase(asked.frame.origin, asked.cell_id, contact.cell_id)
    nx, ny, nz = contact.normal
    return abs(nx * x + ny * y + nz * z + contact.d) < TOLD


def _obstacle(simulation: Simulation, trace: SweepTrace) -> str:
    """What stands where the body was to be: an entity before a wall, each the first that was met."""
    met = [hit for step in trace.steps for hit in step.tested if hit.response in _NO_ROOM]
    met += [hit for step in trace.steps for hit in step.hits if hit.kind is HitKind.ENTITY]
    if not met:
        return ""
    first = min(met, key=lambda hit: hit.kind is not HitKind.ENTITY)
    if first.kind is not HitKind.ENTITY:
        what = "the floor" if first.normal[2] > FLOOR_Z else "a wall"
        return f"{what} of {first.kind.value} {hex_id(first.owner)} is there"
    target = simulation.registry.get(first.owner)
    kind = "door" if first.owner in simulation.doors else "object"
    named = f" ({target.name})" if target is not None and target.name else ""
    return f"{kind} {hex_id(first.owner)}{named} stands there"
