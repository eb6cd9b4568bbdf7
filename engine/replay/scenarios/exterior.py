"""The scenario of buildings from outside: whichever wall one walks at, none lets in (collision 5, 6)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from engine.physics.enums import HitKind
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.tick_report import TickReport
from engine.replay.doorways import Doorway, find_doorways
from engine.replay.scenarios.chosen import evenly
from engine.replay.scenarios.scenario import Outcome, Scenario, StagingError
from engine.replay.scenarios.stage import RUN, WALK, Stage, put, walk_to
from engine.world.cells import Building, EnvCell
from engine.world.frame import Position
from engine.world.ids import adjust_to_outside, is_outdoor

RING_POINTS = 24
BUILDINGS_AT_MOST = 60
FARTHEST = 100.0  # metres from a building's place to its corners; damaged ones lie anywhere


@dataclass(frozen=True, slots=True)
class Footprint:
    """Where a building's interior is in plan and how far it reaches from there, block frame.

    ``left_out`` is how many of its corners lie too far off to belong to it.
    """

    center: tuple[float, float]
    reach: float
    left_out: int


def exterior_solid(stage: Stage) -> Outcome:
    """With its doors closed nobody walks into a building from outside, whichever wall he tries.

    A doorway without any door is a way in; those who take it are counted by themselves.
    """
    simulation = stage.simulation()
    block = stage.block(simulation)
    if not block.buildings:
        raise StagingError("no building stands here")
    arches = [d for d in find_doorways(block) if d.door is None]
    tries = entered = by_arch = left_out = 0
    stopped: dict[str, int] = {}
    chosen = evenly(block.buildings, BUILDINGS_AT_MOST, "buildings")
    for building in chosen.things:
        base = _footprint(building, block.env_cells)
        left_out += base.left_out
        for i in range(RING_POINTS):
            for speed in (WALK, RUN):
                ticks = _from_outside(
                    simulation,
                    building,
                    base=base,
                    heading=360.0 / RING_POINTS * i,
                    speed=speed,
                )
                if not ticks:
                    continue
                tries += 1
                inside = next((t for t in ticks if not is_outdoor(t.cell)), None)
                if inside is not None:
                    welcome = any(_is_in_opening(arch, inside) for arch in arches)
                    by_arch += welcome
                    entered += not welcome
                for kind in {h.kind.value for t in ticks for h in t.hits}:
                    stopped[kind] = stopped.get(kind, 0) + 1
    met = tries >= RING_POINTS and HitKind.BUILDING.value in stopped
    far = f"; corners passed over, over {FARTHEST:.0f} m off: {left_out}" if left_out else ""
    ok = entered == 0 and stage.enough(met, "too few walks from outside come to a building's shell")
    return Outcome(
        ok,
        {"buildings": len(chosen.things), "tries": tries, "entered": entered,
         "entered_where_no_door_is": by_arch, "met": stopped},
        f"{tries} walks at {len(chosen.things)} buildings, {entered} got in{chosen.note}{far}",
    )  # fmt: skip


def _is_in_opening(doorway: Doorway, tick: TickReport) -> bool:
    """Whether a tick ended in a doorway's cell and between its jambs."""
    ox, oy = doorway.outward
    x, y = tick.position[0] - doorway.sill[0], tick.position[1] - doorway.sill[1]
    return tick.cell == doorway.cell_id and abs(ox * y - oy * x) <= doorway.width / 2


def _footprint(building: Building, cells: dict[int, EnvCell]) -> Footprint:
    ids = {p.other_cell_id for p in building.portals} | {c for p in building.portals for c in p.stab_list}
    found = [
        cells[i].frame.to_global(v)[:2]
        for i in ids
        if i in cells
        for polygon in cells[i].structure.polygons.values()
        for v in polygon.vertices
    ]
    x, y, _ = building.pos.frame.origin
    points = [p for p in found if math.dist(p, (x, y)) <= FARTHEST]
    left_out = len(found) - len(points)
    if not points:
        return Footprint((x, y), 8.0, left_out)
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    center = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
    return Footprint(center, max(math.dist(center, p) for p in points), left_out)


def _from_outside(
    simulation: Simulation,
    building: Building,
    *,
    base: Footprint,
    heading: float,
    speed: float,
) -> list[TickReport]:
    """Walk from a ring around a building to its middle and on; nothing where the ring has no room."""
    a = math.radians(heading)
    center, out = base.center, base.reach + 2.0
    start = (
        center[0] - math.sin(a) * out,
        center[1] - math.cos(a) * out,
        building.pos.frame.origin[2] + 0.02,
    )
    cell_id, local = adjust_to_outside(building.pos.cell_id, start)
    if cell_id == 0 or simulation.world.get_visible(cell_id) is None:
        return []
    try:
        put(simulation, cell_id, local, heading)
    except StagingError:
        return []
    if not is_outdoor(simulation.report().cell):
        return []
    goal = Position(cell_id, simulation.position.frame.with_origin((center[0], center[1], local[2])))
    return walk_to(simulation, goal, speed=speed, patience=math.ceil(1.3 * out / speed))


EXTERIOR_SCENARIOS: tuple[Scenario[Stage], ...] = (
    Scenario("exterior-solid", "no way in but the doors", exterior_solid),
)
