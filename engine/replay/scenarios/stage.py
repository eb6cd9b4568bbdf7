"""Where scenarios are staged: fresh worlds, bodies put down, straight walks and routes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.physics.simulation.arrival import SimulationError
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.tick_report import TickReport
from engine.replay.doorways import Doorway, find_doorways
from engine.replay.scenarios.chosen import Chosen, evenly
from engine.replay.scenarios.crowds import crowd_in
from engine.replay.scenarios.scenario import StagingError
from engine.world.cells import EnvCell, Landblock, PlacedObject
from engine.world.frame import Frame, Position, quat_of_heading
from engine.world.ids import is_outdoor
from engine.world.loading.world import World
from engine.world.location import parse_location
from engine.world.physics_state import ETHEREAL
from engine.world.source import DoorFacts

WALK = 3.12 / 30.0
RUN = 4.0 * 2.375 / 30.0
SLOW = 0.05
SPEEDS = {"slow": SLOW, "walk": WALK, "run": RUN}
DOORWAYS_AT_MOST = 100  # of a landblock
TICKS_AT_MOST = 3000  # of one walk: damaged corners can lie a thousand kilometres off
USUAL_INTERVAL = DoorFacts().reset_interval  # seconds
CLIP_AT_MOST = 60.0  # seconds that a door's clip is waited for


@dataclass(frozen=True, slots=True)
class Stage:
    """A world to stage scenarios in.

    ``open_world`` makes a fresh world each time, so that no scenario sees another's leavings. ``home`` is
    a location in the landblock that is looked at; ``places`` names locations of the demo world, empty for
    other sources. ``crowds`` says of landblocks that were loaded what there is too much of.
    """

    open_world: Callable[[], World]
    home: str
    places: Mapping[str, str]
    crowds: dict[int, str] = field(default_factory=dict)

    def simulation(self, near: int | None = None) -> Simulation:
        """A fresh world and simulation, the landblock of ``near`` (default: home's) loaded, doors shut.

        StagingError where it is too full, from the second time on without loading it.
        """
        block_id = self.home_block if near is None else near
        if self.crowds.get(block_id):
            raise StagingError(self.crowds[block_id])
        simulation = Simulation(self.open_world())
        simulation.residency.load(block_id)
        if block_id not in self.crowds:
            self.crowds[block_id] = crowd_in(simulation)
            if self.crowds[block_id]:
                raise StagingError(self.crowds[block_id])
        for entity, door in simulation.doors.items():
            if door.is_open:
                simulation.set_state(entity, door.target.state & ~ETHEREAL)
        return simulation

    @property
    def home_block(self) -> int:
        """The landblock that is looked at."""
        return parse_location(self.home).position.cell_id & 0xFFFF0000

    def block(self, simulation: Simulation, block_id: int | None = None) -> Landblock:
        """A loaded landblock of a simulation's world, by default home's."""
        wanted = self.home_block if block_id is None else block_id
        block = simulation.world.blocks.get(wanted)
        if block is None:
            raise StagingError(f"landblock 0x{wanted >> 16:04X} is not there")
        return block

    def doors(self, simulation: Simulation) -> Chosen[Doorway]:
        """The doorways with a door in them, all or evenly chosen ones."""
        doorways = find_doorways(self.block(simulation))
        found = [d for d in doorways if d.door in simulation.doors]
        if not found:
            raise StagingError("no door stands in an outer doorway here")
        return evenly(found, DOORWAYS_AT_MOST, "doorways")

    def front_door(self, simulation: Simulation) -> tuple[Doorway, int]:
        """The first doorway with a door, and the door."""
        doorway = self.doors(simulation).things[0]
        assert doorway.door is not None
        return doorway, doorway.door

    def swinging_door(self, simulation: Simulation, within: float = CLIP_AT_MOST) -> tuple[Doorway, int]:
        """The first door that a use opens, with a clip that swings its leaves aside in so many seconds."""

        def fault(door: PlacedObject) -> str:
            length = simulation.doors[door.object_id].motion.opening.length
            if length <= 0.0:
                return "has no clip that opens it"
            return f"takes {length:.0f} s to open, too long to wait for" if length > within else ""

        return self._first_without(simulation, fault)

    def closing_door(self, simulation: Simulation) -> tuple[Doorway, int]:
        """The first door that a use opens and that closes by itself in a time that can be waited for."""

        def fault(door: PlacedObject) -> str:
            length = simulation.doors[door.object_id].motion.closing.length
            if simulation.doors[door.object_id].default_open:
                return "opens by itself"
            if door.door is not None and door.door.reset_interval != USUAL_INTERVAL:
                return (
                    f"closes by itself after {door.door.reset_interval:g} s, others after {USUAL_INTERVAL:g}"
                )
            return f"takes {length:.0f} s to close, too long to wait for" if length > CLIP_AT_MOST else ""

        return self._first_without(simulation, fault)

    def _first_without(
        self, simulation: Simulation, fault: Callable[[PlacedObject], str]
    ) -> tuple[Doorway, int]:
        """The first doorway whose door is not locked and without a fault; the first one's is said."""
        entities = {placed.object_id: placed for placed in self.block(simulation).entities}
        doors = [
            (doorway, entities[doorway.door]) for doorway in self.doors(simulation).things if doorway.door
        ]
        faults: list[str] = []
        for doorway, door in doors:
            reason = "is locked" if simulation.doors[door.object_id].refuses else fault(door)
            if not reason:
                return doorway, door.object_id
            faults.append(f"door {hex_id(door.object_id)} {reason}")
        raise StagingError(faults[0])

    def enough(self, there: bool, what_is_missing: str) -> bool:  # noqa: FBT001 -- reads as an assertion
        """Whether there was enough to measure; too little fails in the demo, which has all that is needed.

        In any other world the scenario can't be staged then (promises 8).
        """
        if not there and not self.places:
            raise StagingError(what_is_missing)
        return there

    def place(self, name: str) -> Position:
        """A named place of the demo world."""
        if name not in self.places:
            raise StagingError(f"no place named {name!r} is known in this world")
        return parse_location(self.places[name]).position


def put(simulation: Simulation, cell_id: int, point: Vec3, heading: float = 0.0) -> TickReport:
    """Put the body down; StagingError where it has no room."""
    try:
        return simulation.teleport(Position(cell_id, Frame(point, quat_of_heading(heading))))
    except SimulationError as error:
        raise StagingError(str(error)) from error


def put_at_door(simulation: Simulation, doorway: Doorway, out: float, side: float = 0.0) -> TickReport:
    """Put the body ``out`` metres outside a doorway's sill (negative: inside), facing in."""
    cell_id = doorway.outside_cell(out) if out > 0.0 else doorway.cell_id
    return put(simulation, cell_id, doorway.point(out, side), doorway.heading_in())


def walk(simulation: Simulation, step: Vec3, ticks: int) -> list[TickReport]:
    """Full ticks with the same motion of the feet; StagingError where they are too many."""
    if ticks > TICKS_AT_MOST:
        raise StagingError(f"a walk here takes {ticks} ticks, too long")
    return [simulation.walk_tick(step) for _ in range(ticks)]


def walk_in(
    simulation: Simulation, doorway: Doorway, distance: float, speed: float = WALK
) -> list[TickReport]:
    """Walk straight into a doorway (negative distance: out of it) for a stretch in metres."""
    step = doorway.inward(math.copysign(speed, distance))
    return walk(simulation, step, math.ceil(abs(distance) / speed))


def walk_to(
    simulation: Simulation, target: Position, *, speed: float = WALK, reach: float = 0.12, patience: int = 600
) -> list[TickReport]:
    """Steer towards a point, full ticks, until the feet are within ``reach`` of it in plan."""
    ticks: list[TickReport] = []
    tx, ty, _ = target.frame.origin
    for _ in range(patience):
        x, y, _ = simulation.position.frame.origin
        gap = math.hypot(tx - x, ty - y)
        if gap <= reach:
            break
        length = min(speed, gap)
        ticks.append(simulation.walk_tick(((tx - x) / gap * length, (ty - y) / gap * length, 0.0)))
    return ticks


def far_from(simulation: Simulation, target: Position) -> float:
    """How far the feet are from a point, metres in plan."""
    x, y, _ = simulation.position.frame.origin
    return math.hypot(target.frame.origin[0] - x, target.frame.origin[1] - y)


def open_door(simulation: Simulation, door: int) -> None:
    """Make a door passable at once."""
    target = simulation.registry.get(door)
    assert target is not None
    simulation.set_state(door, target.state | ETHEREAL)


def changes(ticks: list[TickReport], start_cell: int) -> list[int]:
    """The cells in the order in which they became the current one, the first included."""
    out = [start_cell]
    for tick in ticks:
        if tick.cell != out[-1]:
            out.append(tick.cell)
    return out


def rounded(value: float) -> float:
    """A figure to a tenth of a millimetre."""
    return round(value, 4)


def hexed(cells: list[int] | tuple[int, ...]) -> list[str]:
    """Ids as they are printed."""
    return [hex_id(c) for c in cells]


def interior_cells(block: Landblock) -> list[EnvCell]:
    """The landblock's cells that have portals."""
    return [cell for cell in block.env_cells.values() if cell.portals]


def landed_outdoors(tick: TickReport) -> bool:
    """Whether a tick ended in a landcell with its contact plane on the terrain of a landcell."""
    return is_outdoor(tick.cell) and is_outdoor(tick.contact_plane_cell)
