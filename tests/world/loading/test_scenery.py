"""Scenery: the pseudo-random numbers, the rules of placement, roads (dat-format 4.7, 4.8, 7)."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dat.errors import DatError
from engine.dat.records.land_block import LandBlock
from engine.dat.records.land_block_info import BuildingInfo, Stab
from engine.dat.values import StoredFrame
from engine.world.frame import Frame, quat_of_heading, rotation_of
from engine.world.loading.landblock import scenery_id, static_id
from engine.world.loading.scenery import pick_scene, scaled, set_heading, slope_heading
from engine.world.loading.scenery_random import fraction, quadrant_hash, scene_hash, vertex_hash
from engine.world.loading.world import World
from engine.world.terrain import terrain_height
from tests.world.meadows import GRASS, IDENTITY, OAK, SCENE, Meadow, grow, places, plant
from tests.world.world_records import BLOCK, cell, info, room

# -- numbers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "y", "salt", "expected"),
    [
        (0, 0, 23399, 0xF4D7C05F),
        (1, 0, 23399, 0xB2BBDCA2),
        (0, 1, 23399, 0x60F285E6),
        (1352, 1440, 23399, 0x16DC1C97),
        (1352, 1440, 45773, 0x3666E6AD),
        (1352, 1440, 63127, 0x6DF74D47),
    ],
)
def test_vertex_hash(x, y, salt, expected):
    assert vertex_hash(x, y, salt) == expected


@pytest.mark.parametrize(
    ("x", "y", "pick", "quadrant"),
    [
        (0, 0, 0x7F8CDA01, 0xE8031203),
        (1, 0, 0x3D70F644, 0xA5E72E46),
        (0, 1, 0xEBA79F88, 0x541DD78A),
        (1352, 1440, 0x4B261039, 0xAA2A023B),
    ],
)
def test_scene_pick_and_quadrant(x, y, pick, quadrant):
    assert scene_hash(x, y) == pick
    assert quadrant_hash(x, y) == quadrant


def test_fraction_is_in_single_precision_and_may_reach_one():
    assert fraction(0) == 0.0
    assert fraction(0x80000000) == 0.5
    assert fraction(0xFFFFFF00) == 1.0 - 2.0**-24
    assert fraction(0xFFFFFF7F) == 1.0 - 2.0**-24
    assert fraction(0xFFFFFFFF) == 1.0
    assert fraction(0x16DC1C97) == pytest.approx(0x16DC1C97 / 2**32, abs=2.0**-25)


# -- which scene -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "pick"), [(1, 0), (2, 0), (3, 0), (4, 1), (7, 2), (100, 29)])
def test_a_scene_is_picked_by_the_hash_of_its_vertex(count, pick):
    source = Meadow()
    source.scenes = {SCENE + n: None for n in range(count)}
    word = GRASS << 2 | 1 << 11
    assert pick_scene(source.region(), word, 1352, 1440) == SCENE + pick  # 0x4B261039 / 2^32 = 0.2936


def test_no_scene_for_index_minus_one_an_empty_list_or_bits_beyond_the_list():
    source = Meadow()
    region = source.region()
    assert pick_scene(region, GRASS << 2, 0, 0) == 0
    assert pick_scene(region, GRASS << 2 | 2 << 11, 0, 0) == 0
    assert pick_scene(region, GRASS << 2 | 1 << 11, 0, 0) == SCENE
    source.scenes = {}
    assert pick_scene(source.region(), GRASS << 2 | 1 << 11, 0, 0) == 0
    assert pick_scene(region._replace(scene=None), GRASS << 2 | 1 << 11, 0, 0) == 0


# -- whether it grows --------------------------------------------------------------------------------


@pytest.mark.parametrize(("freq", "grows"), [(0.0893, True), (0.0892, False), (1.0, True), (0.0, False)])
def test_frequency(freq, grows):
    # vertex (0, 0) of A9B4: 0x16DC1C97 / 2^32 = 0.08929
    source = Meadow(plant(freq=freq), at=[(0, 0)])
    assert len(places(source)) == grows


def test_weenies_and_object_0_are_no_scenery_but_count_for_the_numbers_of_the_others():
    source = Meadow(plant(weenie=1), plant(id=0), plant(base=(1.0, 2.0, 0.0)))
    world, scenery = grow(source)
    assert world.problems.lines == []
    assert len(scenery) == 1


def test_of_more_objects_than_any_scene_has_the_first_grow_and_a_landblock_holds_so_many_things():
    """A Scene is tried at every vertex of every landblock: what it costs must not be its size times 81."""
    everywhere = [(vx, vy) for vx in range(9) for vy in range(9)]
    source = Meadow(*[plant(freq=0.0)] * 256, *[plant()] * 5, at=everywhere)
    world, scenery = grow(source)
    assert scenery == []
    assert [line.split(": ")[1] for line in world.problems.lines] == [
        "261 objects, of which the first 256 grow"
    ]
    world, scenery = grow(Meadow(*[plant()] * 65, at=everywhere))
    assert len(scenery) == 4096
    assert "over 4096 things grow in it; the rest is left out" in world.problems.lines[0]


def test_all_81_vertices_count_where_their_objects_fall_into_the_block():
    everywhere = [(vx, vy) for vx in range(9) for vy in range(9)]
    assert len(places(Meadow(plant(), at=everywhere))) == 64
    inward = plant(base=(-3.0, -3.0, 0.0))
    source = Meadow(inward, at=everywhere)
    quarter = [int(fraction(quadrant_hash(1352 + vx, 1440 + vy)) * 4) for vx, vy in everywhere]
    turns = [(-3, -3), (3, -3), (3, 3), (-3, 3)]  # by quadrant: as stored, (-y, x), (-x, -y), (y, -x)
    wanted = [
        (24 * vx + turns[q][0], 24 * vy + turns[q][1])
        for (vx, vy), q in zip(everywhere, quarter, strict=True)
    ]
    inside = [(x, y) for x, y in wanted if 0 <= x < 192 and 0 <= y < 192]
    assert [(x, y) for x, y, _ in places(source)] == inside
    assert any(x > 180 for x, _ in inside)


def test_displacement_adds_to_the_base_and_the_quadrant_turns_both():
    # A9B4, vertex (0, 0): quadrant 0xAA2A023B / 2^32 = 0.66 gives (-x, -y)
    along_x = plant(base=(-20.0, -9.0, 3.0), disp_x=10.0, disp_y=-1.0)
    x, y, z = places(Meadow(along_x, at=[(0, 0)]))[0]
    assert x == pytest.approx(20.0 - 10.0 * 0x3666E6AD / 2**32, abs=1e-5)
    assert y == 9.0
    assert z == pytest.approx(20.0)  # the base's own height is dropped
    salt = (1813693831 * 1440 - 72719 * (1360117743 * 1440 * 1352 + 1888038839) - 1109124029 * 1352) % 2**32
    along_y = plant(base=(-9.0, -20.0, 0.0), disp_y=10.0)
    x, y, _ = places(Meadow(along_y, at=[(0, 0)]))[0]
    assert (x, y) == (9.0, pytest.approx(20.0 - 10.0 * salt / 2**32, abs=1e-5))


def test_each_object_of_a_scene_has_its_own_numbers():
    twins = [plant(base=(-12.0, -12.0, 0.0), disp_x=10.0, disp_y=10.0) for _ in range(6)]
    found = places(Meadow(*twins, at=[(0, 0)]))
    assert len({place[:2] for place in found}) == 6
    for j, (x, y, _) in enumerate(found):
        assert x == pytest.approx(12.0 - 10.0 * fraction(vertex_hash(1352, 1440, 45773 + j)))
        assert y == pytest.approx(12.0 - 10.0 * fraction(vertex_hash(1352, 1440, 72719 + j)))


def test_coordinates_count_over_the_whole_map():
    source = Meadow(plant(freq=0.95), at=[(0, 0)], block=0x00000000)
    assert places(source) == []  # 0xF4D7C05F / 2^32 = 0.956
    source = Meadow(plant(freq=0.957), at=[(0, 0)], block=0x00000000)
    assert places(source) == [(0.0, 0.0, 20.0)]


def test_slope_bounds_are_inclusive():
    heights = [10 + 3 * (vertex // 9) for vertex in range(81)]  # 6 m on 24 m
    normal_z = 24.0 / math.hypot(24.0, 6.0)
    for low, high, stands in ((0.0, 0.97, False), (0.97, 0.971, True), (0.98, 1.0, False)):
        assert len(places(Meadow(plant(min_slope=low, max_slope=high), heights=heights))) == stands
    flat = plant(min_slope=1.0, max_slope=1.0)
    assert len(places(Meadow(flat))) == 1
    assert normal_z == pytest.approx(0.97014, abs=1e-5)


def test_nothing_grows_in_a_landcell_with_a_buildings_origin_even_of_a_lost_model():
    shell = BuildingInfo(0x01000099, StoredFrame((80.0, 80.0, 20.0), IDENTITY), 0, ())
    for at, grows in (((3, 3), False), ((4, 4), True)):
        source = Meadow(plant(), at=[at], info=info([shell]))
        assert len(places(source)) == grows


def test_nothing_grows_on_a_road():
    road = {9 * 3 + 3: 1, 9 * 4 + 3: 1}  # SW and SE of cell (3, 3)
    q = int(fraction(quadrant_hash(1352 + 3, 1440 + 3)) * 4)
    turned = {4.9: False, 5.1: True}
    for north, grows in turned.items():
        base = [(12.0, north), (north, -12.0), (-12.0, -north), (-north, 12.0)][q]
        assert len(places(Meadow(plant(base=(*base, 0.0)), words=road))) == grows


def test_nothing_grows_in_a_dungeon():
    source = Meadow(plant())
    source.ground = LandBlock(BLOCK | 0xFFFF, 1, source.ground.terrain, (0,) * 81)
    assert len(places(source)) == 1
    source.cells = {BLOCK | 0x100: cell(0x100)}
    source.environments = {0x0D000001: room()}
    source.listed = (BLOCK | 0x100,)
    assert places(source) == []


# -- how it stands -----------------------------------------------------------------------------------


def test_rotation_scale_and_height():
    tree = plant(base=(-12.0, -12.0, 0.0), max_rot=360.0, min_scale=0.5, max_scale=2.0)
    _, (oak,) = grow(Meadow(tree, at=[(0, 0)], heights=range(81)))
    assert oak.frame.heading() == pytest.approx(360.0 * 0x6DF74D47 / 2**32, abs=1e-3)
    assert oak.scale == pytest.approx(0.5 * 4.0 ** fraction(vertex_hash(1352, 1440, 32593)))
    world = World(Meadow(tree, heights=range(81)))
    assert oak.frame.origin[2] == pytest.approx(terrain_height(world.load_block(BLOCK), 12.0, 12.0))
    assert (oak.cell_id, oak.model_id) == (BLOCK | 1, OAK)


def test_without_rotation_or_alignment_the_base_stays_as_it_is():
    turn = (math.cos(0.3), 0.0, math.sin(0.3), 0.0)
    _, (oak,) = grow(Meadow(plant(turn=turn)))
    assert oak.frame.quat == turn


def test_alignment_gives_the_heading_of_the_reversed_normal_and_stays_upright():
    rising_east = [10 + vertex // 9 for vertex in range(81)]
    _, (rock,) = grow(Meadow(plant(align=1, max_rot=90.0), heights=rising_east))
    assert rock.frame.heading() == pytest.approx(90.0)
    assert rock.frame.to_global_vec((0.0, 0.0, 1.0)) == pytest.approx((0.0, 0.0, 1.0))
    rising_north = [10 + vertex % 9 for vertex in range(81)]
    _, (rock,) = grow(Meadow(plant(align=1), heights=rising_north))
    assert rock.frame.heading() % 360.0 == pytest.approx(0.0, abs=1e-9)


def test_a_heading_keeps_the_pitch_of_the_base_and_drops_its_roll():
    pitched = (math.cos(0.2), math.sin(0.2), 0.0, 0.0)
    rolled = (math.cos(0.2), 0.0, math.sin(0.2), 0.0)
    assert set_heading(IDENTITY, 40.0) == pytest.approx(quat_of_heading(40.0))
    assert set_heading(rolled, 40.0) == pytest.approx(quat_of_heading(40.0))
    frame = Frame((0.0, 0.0, 0.0), set_heading(pitched, 40.0))
    assert frame.to_global_vec((0.0, 1.0, 0.0))[2] == pytest.approx(math.sin(0.4))
    assert frame.heading() == pytest.approx(40.0)
    assert slope_heading((0.0, 0.0, 1.0)) == slope_heading((-0.0, 0.0, 1.0)) == 270.0


@settings(derandomize=True, max_examples=40, deadline=None)
@given(st.floats(0.1, 1.0), st.floats(1.0, 4.0), st.integers(0, 2040), st.integers(0, 2040))
def test_scale_lies_between_its_bounds(low, high, x, y):
    value = scaled(plant(min_scale=low, max_scale=high), x, y, 3)
    assert low * (1 - 1e-12) <= value <= high * (1 + 1e-12)


def test_equal_scales_need_no_number():
    assert scaled(plant(min_scale=1.3, max_scale=1.3), 5, 6, 0) == 1.3


# -- ids and damage ----------------------------------------------------------------------------------


def test_scenery_ids_differ_from_those_of_stabs_and_of_other_blocks():
    many = [plant(base=(0.1 * n, 0.0, 0.0)) for n in range(5)]
    stabs = info(objects=[Stab(OAK, StoredFrame((5.0, 5.0, 20.0), IDENTITY))] * 3)
    world = World(Meadow(*many, at=[(3, 3), (4, 4)], info=stabs))
    ids = [s.object_id for s in world.load_block(BLOCK).statics]
    assert ids[:3] == [static_id(BLOCK, n) for n in range(3)]
    assert ids[3:] == [scenery_id(BLOCK, n) for n in range(10)]
    assert scenery_id(BLOCK, 0) == 0x1A9B5000
    assert scenery_id(0xFEFE0000, 0xFFF) < static_id(0, 0)
    assert len({scenery_id(BLOCK, 5000), scenery_id(0xA9B50000, 904), scenery_id(BLOCK, 904)}) == 3


def test_scenery_is_the_same_every_time():
    twins = [plant(base=(-12.0, -12.0, 0.0), disp_x=10.0, max_rot=360.0) for _ in range(6)]
    first, again = (grow(Meadow(*twins, at=[(2, 5), (7, 7)]))[1] for _ in range(2))
    assert [s.frame.origin for s in first] == [s.frame.origin for s in again]
    assert [s.frame.quat for s in first] == [s.frame.quat for s in again]


@pytest.mark.parametrize("scene", [None, DatError("portal.dat", SCENE, 8, "cut short")])
def test_a_missing_or_damaged_scene_is_one_line(scene):
    source = Meadow(plant(), at=[(3, 3), (4, 4)])
    source.scenes = {SCENE: scene}
    world, scenery = grow(source)
    assert scenery == []
    assert len(world.problems.lines) == 1
    assert "0x12000001" in world.problems.lines[0]


@pytest.mark.parametrize(
    "bad",
    [
        {"base": (math.nan, 0.0, 0.0)},
        {"disp_x": math.inf},
        {"min_scale": 0.0, "max_scale": 2.0},
        {"min_scale": -1.0, "max_scale": -1.0},
        {"max_rot": math.nan},
        {"turn": (0.0, 0.0, 0.0, 0.0)},
    ],
)
def test_an_object_that_makes_no_sense_is_one_line_and_the_others_grow(bad):
    world, scenery = grow(Meadow(plant(**bad), plant(), at=[(3, 3), (4, 4)]))
    assert len(scenery) == 2
    assert len(world.problems.lines) == 1
    assert "0x12000001: object 0 has a place or scale that makes no sense" in world.problems.lines[0]


def test_scenery_without_its_model_stands_as_a_marker():
    world, scenery = grow(Meadow(plant(id=0x02000077), at=[(3, 3), (4, 4)]))
    assert [s.model_id for s in scenery] == [0x02000077] * 2
    assert world.problems.lines == ["memory, object 0x02000077: Setup is missing; a marker stands in"]


def test_rotation_matrix_row_holds_the_forward_axis():
    assert rotation_of((math.cos(0.2), math.sin(0.2), 0.0, 0.0))[7] == pytest.approx(math.sin(0.4))
