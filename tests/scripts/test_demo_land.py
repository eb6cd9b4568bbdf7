"""The committed demo world outdoors: slopes and splits, water, what grows, what crosses landblocks, lamps."""

import math
from collections import Counter

import numpy as np
import pytest

from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.tick_report import TickReport
from engine.world.cells import ENTIRELY_WATER, NOT_WATER, PARTIALLY_WATER, EnvCell, Landblock, PlacedObject
from engine.world.frame import Frame, Position
from engine.world.ids import adjust_to_outside
from engine.world.loading.roads import on_road
from engine.world.loading.scenery import road_corners
from engine.world.loading.world import World
from engine.world.location import parse_location
from engine.world.sources.open_source import demo_source
from engine.world.sources.places_file import read_places
from engine.world.terrain import cut_sw_ne, terrain_height
from scripts.demo_world import ids, outdoors, terrain
from scripts.demo_world.art import art_building
from scripts.demo_world.things import plants
from tests.places import DEMO
from viewer.renderer.scene.block_meshes import lights_by_cell
from viewer.renderer.scene.lighting import keyframes_of, sky_light
from viewer.renderer.scene.point_lights import Lights, lights_by_cell_reached, vertex_light

PLACES = read_places(DEMO)
FLOOR_Z = 0.66417414
SCENERY, STATICS = 0x10000000, 0x40000000
EAST_BLOCK = 0xAAB40000


@pytest.fixture(scope="module")
def world() -> World:
    world = World(demo_source(DEMO))
    for block in terrain.blocks():
        world.load_block(block)
    assert world.problems.lines == []
    return world


@pytest.fixture(scope="module")
def village(world: World) -> Landblock:
    return world.blocks[ids.VILLAGE]


def scenery(block: Landblock) -> list[PlacedObject]:
    return [thing for thing in block.statics if SCENERY <= thing.object_id < STATICS]


def standing(name: str) -> Simulation:
    simulation = Simulation(World(demo_source(DEMO)))
    simulation.teleport(parse_location(PLACES[name]).position)
    return simulation


def put(simulation: Simulation, x: float, y: float) -> TickReport:
    """Put the body on the ground at a point of the village block's frame."""
    cell, at = adjust_to_outside(ids.VILLAGE | 1, (x, y, terrain.height_at(x, y) + 0.02))
    return simulation.teleport(Position(cell, Frame(at)))


def push(simulation: Simulation, x: float, y: float, ticks: int) -> list[TickReport]:
    """Walk by (x, y) metres each tick."""
    return [simulation.walk_tick((x, y, 0.0)) for _ in range(ticks)]


def in_village_frame(report: TickReport) -> tuple[float, float, float]:
    x, y, z = report.position
    bx, by = (report.cell >> 24) - 0xA9, (report.cell >> 16 & 0xFF) - 0xB4
    return x + 192.0 * bx, y + 192.0 * by, z


# -- slopes


def test_both_diagonals_divide_cells_whose_corners_lie_in_no_plane():
    found: Counter[bool] = Counter()
    for i in range(8):
        for j in range(8):
            sw, se, ne, nw = (terrain.metres(i + a, j + b) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1)))
            found[cut_sw_ne(0xA9 * 8 + i, 0xB4 * 8 + j)] += abs(sw + ne - se - nw) >= 2.0
    assert found[True] >= 5 and found[False] >= 5


@pytest.mark.parametrize("angle", range(0, 360, 45))
def test_one_walks_over_the_hill_in_contact_with_the_ground(angle: int):
    simulation = Simulation(World(demo_source(DEMO)))
    a = math.radians(angle)
    out = (math.sin(a), math.cos(a))
    put(simulation, 36.0 - 62.0 * out[0], 156.0 - 62.0 * out[1])
    highest = 0.0
    for _ in range(500):
        report = simulation.walk_tick((0.25 * out[0], 0.25 * out[1], 0.0))
        x, y, z = in_village_frame(report)
        highest = max(highest, z)
        if math.hypot(x - 36.0, y - 156.0) > 60.0 and (x - 36.0) * out[0] + (y - 156.0) * out[1] > 0.0:
            break
        assert report.on_ground
        assert z == pytest.approx(terrain.height_at(x, y), abs=0.06)
    assert highest > 116.0


def test_the_crag_is_too_steep_to_climb(world: World):
    steep = [
        polygon
        for cell in world.blocks[0xA7B60000].land_cells
        for polygon in cell.polygons
        if polygon.normal[2] < FLOOR_Z
    ]
    assert len(steep) >= 12
    simulation = standing("crag")
    start = simulation.position.frame.origin
    ticks = push(simulation, 0.2, 0.04, 400)
    peak = terrain.metres(*terrain.CRAG)
    assert max(tick.position[2] for tick in ticks) < start[2] + 0.35 * (peak - start[2])
    assert math.dist(ticks[-1].position[:2], start[:2]) > 5.0


# -- water


def test_the_pond_the_stream_and_the_lake_are_water(world: World, village: Landblock):
    (pond,) = [cell for cell in village.land_cells if cell.water_type == ENTIRELY_WATER]
    assert pond.id == 0xA9B40036
    assert sum(cell.water_type == PARTIALLY_WATER for cell in village.land_cells) == 8
    assert village.water_type == PARTIALLY_WATER
    assert world.blocks[terrain.LAKE].water_type == ENTIRELY_WATER
    assert world.blocks[0xA9B30000].water_type == NOT_WATER
    kinds = {word >> 2 & 0x1F for block in world.blocks.values() for word in block.terrain}
    assert {0x10, 0x11, 0x12} <= kinds


def test_water_lies_lower_the_farther_down():
    levels = [terrain.metres(*terrain.POND[0])] + [terrain.metres(*spot) for spot in terrain.STREAM]
    levels.append(terrain.metres(16, 9))
    assert levels == sorted(levels, reverse=True) and levels[0] > levels[-1]
    for i in range(-15, 24):
        for j in range(-15, 24):
            if (i, j) not in terrain.WATER and terrain.shore(i, j)[0] <= 1.0:
                assert terrain.height_index(i, j) >= terrain.shore(i, j)[1]


def test_one_wades_into_the_pond_and_out_again():
    simulation = standing("pond shore")
    for ticks, depth in ((push(simulation, 0.04, 0.2, 140), 0.9), (push(simulation, -0.04, -0.2, 140), 0.1)):
        x, y, z = in_village_frame(ticks[-1])
        assert all(tick.on_ground for tick in ticks)
        assert terrain.height_at(x, y) - z == pytest.approx(depth, abs=0.02)


def test_nobody_walks_into_the_lake():
    simulation = standing("lake shore")
    ticks = push(simulation, 0.2, 0.0, 200)
    assert {tick.cell >> 16 for tick in ticks} == {0xAAB5}
    assert 190.0 < ticks[-1].position[0] < 192.0


# -- what grows


def test_things_grow_on_many_landblocks_and_of_many_kinds(world: World):
    counts = {block.id: len(scenery(block)) for block in world.blocks.values()}
    kinds = Counter(thing.model_id for block in world.blocks.values() for thing in scenery(block))
    assert counts[terrain.LAKE] == 0
    assert sum(count >= 20 for count in counts.values()) >= 20
    assert 800 < sum(counts.values()) < 2500
    trees = ids.setup_of(ids.TREE), ids.setup_of(ids.PINE)
    assert set(kinds) == {*trees, ids.BUSH, ids.FLOWERS, ids.REEDS, ids.ROCK}
    assert min(kinds.values()) >= 20
    scales = {thing.scale for block in world.blocks.values() for thing in scenery(block)}
    assert min(scales) < 0.6 and max(scales) > 1.3


def test_nothing_grows_on_roads_in_houses_or_on_the_square(world: World, village: Landblock):
    built = {building.pos.cell_id for building in village.buildings}
    assert len(built) == 3
    checked = 0
    for block in world.blocks.values():
        for thing in scenery(block):
            x, y, _ = thing.frame.origin
            cx, cy = int(x // 24), int(y // 24)
            corners = road_corners(block, cx, cy)
            checked += corners != 0
            assert not on_road(corners, x - 24 * cx, y - 24 * cy)
            assert thing.cell_id not in built
    assert checked > 20
    square = [thing for thing in scenery(village) if thing.cell_id == 0xA9B40022]
    assert square == []


def test_scenery_stands_on_the_ground_within_its_slopes(world: World):
    for block in world.blocks.values():
        for thing in scenery(block):
            x, y, z = thing.frame.origin
            assert z == pytest.approx(terrain_height(block, x, y), abs=1e-6)


def test_trees_that_grow_stop_a_walker(village: Landblock):
    def rise(x: float, y: float) -> float:
        return abs(terrain.height_at(x, y) - terrain.height_at(x - 3.0, y))

    trees = [t for t in scenery(village) if t.model_id == ids.setup_of(ids.TREE)]
    tree = next(t for t in trees if rise(*t.frame.origin[:2]) < 0.5)
    x, y, _ = tree.frame.origin
    simulation = Simulation(World(demo_source(DEMO)))
    put(simulation, x - 3.0, y)
    ticks = push(simulation, 0.1, 0.0, 40)
    assert any(hit.owner == tree.object_id for tick in ticks for hit in tick.hits)
    gap = plants.TRUNK * tree.scale + 0.48
    assert all(math.dist(tick.position[:2], (x, y)) > gap - 0.02 for tick in ticks)


# -- across landblocks


def test_a_fence_crosses_the_border_and_blocks_on_either_side():
    for x in (191.2, 192.4):
        simulation = Simulation(World(demo_source(DEMO)))
        put(simulation, x, outdoors.BORDER_FENCE_Y - 1.6)
        ticks = push(simulation, 0.0, 0.1, 30)
        assert ticks[-1].position[1] == pytest.approx(outdoors.BORDER_FENCE_Y - 0.08 - 0.48, abs=0.12)
        owners = {hit.owner for tick in ticks for hit in tick.hits}
        assert len(owners) == 1  # the one panel that stands on the border
        assert ticks[-1].cell >> 16 == (0xA9B4 if x < 192.0 else 0xAAB4)


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_the_trunk_of_a_tree_on_the_border_blocks_from_either_side(side: float):
    x, y = outdoors.BORDER_TREE
    simulation = Simulation(World(demo_source(DEMO)))
    put(simulation, x + 2.5 * side, y)
    ticks = push(simulation, -0.1 * side, 0.0, 40)
    nearest = min(math.dist(in_village_frame(tick)[:2], (x, y)) for tick in ticks)
    assert plants.TRUNK + 0.48 - 0.02 < nearest < plants.TRUNK + 0.48 + 0.12
    assert {tick.cell >> 16 for tick in ticks} == ({0xA9B4} if side < 0 else {0xAAB4})


def test_things_stand_across_both_borders_of_the_village():
    reach = {ids.FENCE: 1.5, ids.setup_of(ids.TREE): 0.3, ids.setup_of(ids.PINE): 2.2}
    east = [t for t in outdoors.THINGS if t[0] in reach and 0.0 < abs(t[1] - 192.0) < reach[t[0]]]
    north = [t for t in outdoors.THINGS if t[0] in reach and 0.0 < abs(t[2] - 192.0) < reach[t[0]]]
    assert {t[0] for t in east} == {ids.FENCE, ids.setup_of(ids.TREE)}
    assert {t[0] for t in north} == {ids.FENCE, ids.setup_of(ids.PINE)}


def test_a_thing_is_listed_by_the_landblock_in_which_it_stands():
    for block in terrain.blocks():
        for stab in outdoors.stabs(block):
            assert all(0.0 <= c < 192.0 for c in stab.frame.origin[:2])


# -- light


def lights(world: World, block: Landblock) -> dict[int, list[tuple[float, ...]]]:
    """The colours of the lamps and fires by cell."""
    out: dict[int, list[tuple[float, ...]]] = {}
    for thing in block.statics:
        setup = world.source.setup(thing.model_id) if thing.model_id >> 24 == 2 else None
        for light in setup.lights if setup is not None else ():
            argb = light.color
            out.setdefault(thing.cell_id, []).append(tuple((argb >> s & 0xFF) / 255 for s in (16, 8, 0)))
    return out


def least_side(cell: EnvCell) -> float:
    points = [v for polygon in cell.structure.polygons.values() for v in polygon.vertices]
    return min(max(p[axis] for p in points) - min(p[axis] for p in points) for axis in range(3))


def test_every_room_is_lit_and_no_light_is_clamped_to_another_hue_by_itself(world: World, village: Landblock):
    found = lights(world, village)
    rooms = [cell for cell in village.env_cells.values() if cell.portals and least_side(cell) > 1.9]
    assert len(rooms) >= 19
    for cell in rooms:
        assert found.get(cell.id), f"{cell.id:08X}"
    keys = keyframes_of(world.source.region())
    noon = max(max(sky_light(keys, i / 48).mesh_ambient()) for i in range(48))
    for colours in found.values():
        for colour in colours:
            assert max(colour) + noon <= 1.0
            assert colour[0] > colour[1] > colour[2]
            assert colour[2] > 0.4 * colour[0]
    assert sum(len(colours) for cell, colours in found.items() if cell & 0xFFFF < 0x100) >= 7


PLASTER = np.array(art_building.LIME) / 255.0


def test_plaster_where_lamps_meet_keeps_its_hue_at_every_hour(world: World, village: Landblock):
    keys = keyframes_of(world.source.region())
    near = lights_by_cell_reached(village.env_cells, lights_by_cell(village, world.source))
    hours = np.array([sky_light(keys, i / 48).mesh_ambient() for i in range(48)])
    yellow = []
    for cell in village.env_cells.values():
        if not cell.portals or least_side(cell) < 1.9:
            continue
        sides = [
            (cell.frame.to_global(v), cell.frame.to_global_vec(polygon.normal))
            for polygon in cell.structure.polygons.values()
            for v in polygon.vertices
        ]
        points, normals = (np.array(column) for column in zip(*sides, strict=True))
        given = vertex_light(points, normals, Lights(near.get(cell.id, ())))
        r, g, b = np.moveaxis(np.clip(given[:, None] + hours, 0.0, 1.0) * PLASTER, -1, 0)
        yellow.append(np.where((r - b) / r > 0.15, (g - b) / np.maximum(r - b, 0.02), 0.0).ravel())
    # 0 is red, 1 yellow, more green; plaster itself is 0.56.
    assert np.percentile(np.concatenate(yellow), 99) < 0.62
