"""The walls of many buildings cost only where a cell comes near them, and what is found is the same."""

import cProfile
import math
import pstats
from random import Random

from engine.replay.audit import gaps, outside
from engine.replay.audit.finding import UNFINISHED, place
from engine.replay.audit.shape import CellShape, mean, moved, tree_polygons
from engine.world.cells import Building
from engine.world.frame import Frame, Position
from engine.world.loading.world import World
from engine.world.sources.open_source import demo_source
from tests.places import DEMO


def village():
    world = World(demo_source(DEMO))
    block = world.load_block(0xA9B40001)
    assert block is not None
    return world, block


def stood_far(building):
    """The same building a kilometre up, where no cell is."""
    x, y, z = building.shell_frame.origin
    return Building(
        building.index, building.model_id, building.pos,
        shell_frame=Frame((x, y, z + 1000.0), building.shell_frame.quat),
        shell_root=building.shell_root, portals=building.portals,
    )  # fmt: skip


def test_walls_of_shells_that_no_cell_comes_near_are_not_worked_out(monkeypatch):
    _, block = village()
    shapes = {cell_id: CellShape(cell) for cell_id, cell in block.env_cells.items()}
    calls = []
    monkeypatch.setattr(gaps, "moved", lambda *words: calls.append(1) or moved(*words))
    few = list(gaps.gap_findings(shapes, block))
    count = len(calls)
    block.buildings += [stood_far(block.buildings[0]) for _ in range(50)]
    assert list(gaps.gap_findings(shapes, block)) == few
    assert len(calls) == 2 * count > 0


def test_a_cell_with_too_many_walls_around_is_told_and_its_neighbours_are_looked_at(monkeypatch):
    """800 buildings with a model of 6,500 polygons near a cell took 5 GB."""
    _, block = village()
    shapes = {cell_id: CellShape(cell) for cell_id, cell in block.env_cells.items()}
    assert list(gaps.gap_findings(shapes, block)) == []
    monkeypatch.setattr(gaps, "MOST_ASKED_OF_CELL", 10_000)
    block.buildings += [block.buildings[0]] * 40
    told = list(gaps.gap_findings(shapes, block))
    assert {finding.kind for finding in told} == {UNFINISHED}
    assert 0 < len(told) < len(shapes)
    monkeypatch.setattr(gaps, "MOST_ASKED", 0)
    assert len(list(gaps.gap_findings(shapes, block))) == sum(bool(s.cell.portals) for s in shapes.values())


def test_a_neighbour_has_the_same_walls_through_all_of_its_portals():
    """255 portals to one cell with 20,000 polygons took 3 GB."""
    _, block = village()
    shapes = {cell_id: CellShape(cell) for cell_id, cell in block.env_cells.items()}
    for shape in shapes.values():
        around = gaps.Walls(shapes, ()).around(shape)
        ids = {shape.id, *(p.other_cell_id for p in shape.cell.portals)} & shapes.keys()
        assert len(around) == sum(len(shapes[n].cell.structure.physics_polygons) for n in ids)


def test_shells_near_a_cell_are_those_whose_walls_are():
    _, block = village()
    near = gaps.Walls({}, block.buildings)
    for cell in block.env_cells.values():
        shape = CellShape(cell)
        near.around(shape)
        ours = [p.vertices for p in near.of_shells(shape.box) if gaps.is_near(p, shape)]
        walls = [moved(p, b.shell_frame) for b in block.buildings for p in tree_polygons(b.shell_root)]
        assert ours == [p.vertices for p in walls if p.vertices and gaps.is_near(p, shape)]


def test_a_shell_beyond_its_landcell_is_found_by_its_farthest_corner():
    world, block = village()
    building = block.buildings[0]
    assert not list(outside.building_findings(world, block))
    frame = building.shell_frame
    building.shell_frame = Frame((frame.origin[0] + 20.0, *frame.origin[1:]), frame.quat)
    (line,) = [f.text for f in outside.building_findings(world, block) if "its shell" in f.text]
    to_block = building.shell_frame.to_global
    points = [to_block(v) for p in tree_polygons(building.shell_root) for v in p.vertices]
    farthest = outside.farthest_out(building, points)
    assert farthest is not None and place(farthest) in line


def made_buildings(count, rng):
    """Buildings in rows, 8 m apart, of two openings each; one has no polygon there."""
    _, block = village()
    model = next(b for b in block.buildings if len(b.portals) > 1 and b.portals[0].polygon is not None)
    for n in range(count):
        at = (8.0 * (n % 40) + rng.random(), 8.0 * (n // 40) + rng.random(), 94.0)
        pos = Position(block.id | 1, Frame(at, (rng.random(), 0.0, 0.0, 1.0)))
        yield Building(n, model.model_id, pos, shell_frame=pos.frame, shell_root=None, portals=model.portals)


def nearest_of_all(buildings, point):
    """As it is said: whose opening is nearest of all within two metres, the first of equals."""
    near = [
        (math.dist(b.pos.frame.to_global(mean(p.polygon.vertices)), point), b)
        for b in buildings
        for p in b.portals
        if p.polygon is not None and p.polygon.vertices
    ]
    return min((n for n in near if n[0] < 2.0), key=lambda n: n[0], default=(0.0, None))[1]


def test_a_door_is_of_the_building_whose_opening_is_nearest_of_all():
    rng = Random(1)
    buildings = [*made_buildings(60, rng)] * 2  # of equal ones it is the first
    openings, found = outside.Openings(buildings), 0
    for _ in range(400):
        point = (rng.uniform(-4, 330), rng.uniform(-4, 30), rng.uniform(93, 98))
        building = openings.building_at(point)
        assert building is nearest_of_all(buildings, point)
        found += building is not None
    assert 20 < found < 380
    assert openings.building_at((math.nan, 0.0, 0.0)) is None


def test_doors_cost_by_the_openings_near_them_and_not_by_all():
    taken = []
    for count in (100, 400):
        rng = Random(1)
        buildings, profile = [*made_buildings(count, rng)], cProfile.Profile()
        points = [rng.choice(buildings).pos.frame.origin for _ in range(4 * count)]
        openings = profile.runcall(outside.Openings, buildings)
        profile.runcall(lambda: [openings.building_at(point) for point in points])  # noqa: B023
        taken.append(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]
    assert taken[1] < 6 * taken[0]
