"""Random houses for property tests: convex cells joined by portals, pillars, niches, thresholds.

A house is made in one landblock's frame; only then is every cell given a frame of its own and its
geometry put into that frame's space. So the same house can be had under other frames, or with its
polygons and portals in another order, and must come to the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

from engine.physics.simulation.simulation import Simulation
from engine.world.bsp import CellTree
from engine.world.cells import CellStructure, EnvCell, Portal
from engine.world.frame import Frame, Position
from engine.world.polygon import Polygon
from tests.physics.properties.house_plans import CellPlan, House, Point, level, upright
from tests.physics.rooms import split_tree, tree_of
from tests.physics.stage import block_of_cells, empty_world, put_block

FIRST = 0xA9B40100
FrameMaker = Callable[[Random], Frame]


def plain(_random: Random) -> Frame:
    """The landblock's own frame."""
    return Frame((0.0, 0.0, 0.0))


def about_z(random: Random) -> Frame:
    """Any place, any turn about z."""
    a = random.uniform(0.0, math.pi)
    return Frame(
        (random.uniform(-50, 50), random.uniform(-50, 50), random.uniform(-9, 9)),
        (math.cos(a), 0.0, 0.0, math.sin(a)),
    )


def any_turn(random: Random) -> Frame:
    """Any place, any orientation."""
    q = [random.gauss(0.0, 1.0) for _ in range(4)]
    n = math.sqrt(sum(c * c for c in q))
    place = about_z(random).origin
    return Frame(place, (q[0] / n, q[1] / n, q[2] / n, q[3] / n))


def build_cell(
    index: int, plan: CellPlan, frame: Frame, order: Random | None, *, stab: tuple[int, ...], split: bool
) -> EnvCell:
    """The cell of a plan under a frame; ``order`` shuffles its polygons and portals, ``split`` its tree."""
    polygons = [Polygon(i, [frame.to_local(v) for v in corners]) for i, corners in enumerate(plan.polygons)]
    planes = []
    for i, p in enumerate(plan.footprint):
        q = plan.footprint[(i + 1) % len(plan.footprint)]
        side = Polygon(0, [frame.to_local(v) for v in upright(p, q, plan.low, plan.high)])
        planes.append((*side.normal, side.d))
    for z, up in ((plan.low, True), (plan.high, False)):
        flat = Polygon(0, [frame.to_local(v) for v in level(plan.footprint, z, up=up)])
        planes.append((*flat.normal, flat.d))
    portals = []
    for i, opening in enumerate(plan.openings):
        polygon = Polygon(500 + i, [frame.to_local(v) for v in opening.corners])
        middle = frame.to_local((*plan_middle(plan), (plan.low + plan.high) / 2))
        inside_positive = polygon.distance(middle) > 0.0
        portals.append(
            Portal(
                i,
                2 if inside_positive else 0,
                polygon,
                other_cell_id=FIRST + opening.other,
                other_portal_id=-1,
            )
        )
    table = {p.id: p for p in polygons}
    if order is not None:
        order.shuffle(polygons)
        order.shuffle(portals)
        for i, portal in enumerate(portals):
            portal.index = i
    root = split_tree(polygons) if split else tree_of(polygons)
    structure = CellStructure(
        environment_id=0x0D000000 + index,
        structure=0,
        polygons={},
        physics_polygons=table,
        physics_root=root,
        cell_tree=CellTree(planes),
    )
    return EnvCell(FIRST + index, frame, structure, portals, stab_list=stab, seen_outside=False)


def plan_middle(plan: CellPlan) -> Point:
    n = len(plan.footprint)
    return (sum(p[0] for p in plan.footprint) / n, sum(p[1] for p in plan.footprint) / n)


def build_cells(
    house: House, frames: FrameMaker = plain, seed: int = 0, *, shuffled: bool = False, split: bool = False
) -> list[EnvCell]:
    """The cells of a house, each under a frame of its own, perhaps in shuffled order inside or split."""
    random = Random(seed)
    ids = tuple(FIRST + i for i in range(len(house.cells)))
    return [
        build_cell(i, plan, frames(random), random if shuffled else None, stab=ids, split=split)
        for i, plan in enumerate(house.cells)
    ]


def enter(house: House, cells: list[EnvCell], *, trace: bool = True) -> Simulation:
    """A simulation whose body stands at the start of a house."""
    world = empty_world()
    put_block(world, block_of_cells(*cells))
    simulation = Simulation(world)
    simulation.trace = trace
    for cell in cells:
        try:
            simulation.spawn(Position(cell.id, Frame(house.start)))
        except ValueError:
            continue
        return simulation
    raise AssertionError("nowhere to stand")
