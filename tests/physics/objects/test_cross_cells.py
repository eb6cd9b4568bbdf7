"""Which cells an object's shadow falls into (objects 8.2, membership 7.2-7.4 for parts)."""

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dat.values import CylSphere, Sphere
from engine.physics.objects.cross_cells import (
    CROSSING_PLANE,
    NEGATIVE,
    POSITIVE,
    calc_cross_cells,
    intersect_box,
)
from engine.physics.objects.shadow_object import placed_object
from engine.physics.objects.shadow_shape import ShapeType
from engine.world.polygon import Polygon
from tests.needed import interpreted_only
from tests.physics.models import cylinder_model, model, part, placed, slab_model, sphere_model
from tests.physics.objects.shadow_scenes import A, B, C, box_model, cells_of, entity, three_rooms
from tests.physics.rooms import box_polygons, room
from tests.physics.stage import block_of_cells, empty_world, put_block


def test_an_object_inside_one_cell_stays_there():
    world = three_rooms()
    assert cells_of(world, entity(box_model((-0.5, -0.5, 0), (0.5, 0.5, 1)), B, (102.5, 100.0, 0.0))) == [B]


def test_an_object_in_a_doorway_is_in_both_cells():
    world = three_rooms()
    assert cells_of(world, entity(box_model((-0.1, -0.9, 0), (0.1, 0.9, 2)), A, (100.0, 100.0, 0.0))) == [
        A,
        B,
    ]


def test_every_part_counts_and_not_the_first_alone():
    post = part(box_polygons((-0.1, -0.1, 0), (0.1, 0.1, 1)))
    leaf = part(box_polygons((0.1, -0.1, 0), (2.0, 0.1, 1)))
    world = three_rooms()
    for parts in ([post, leaf], [leaf, post], [post, post, leaf], [post, leaf, post]):
        gate = model(0x02000021, parts=parts)
        assert cells_of(world, entity(gate, A, (99.0, 100.0, 0.0))) == [A, B]


def test_the_list_grows_through_several_cells():
    world = three_rooms()
    long_box = box_model((-1.0, -0.5, 0), (7.0, 0.5, 1))
    assert cells_of(world, entity(long_box, A, (99.0, 100.0, 0.0))) == [A, B, C]


@interpreted_only("replaces a function that compiled code calls directly")
def test_no_portal_is_asked_that_leads_where_the_object_is_already(monkeypatch):
    """Of a dungeon's rooms that one thing fills, each was asked by all of its neighbours."""
    asked = []

    def counted(polygon, box):
        asked.append(polygon)
        return intersect_box(polygon, box)

    monkeypatch.setattr("engine.physics.objects.cross_cells.intersect_box", counted)
    filling = box_model((-6.0, -0.5, 0), (7.0, 0.5, 1))
    assert cells_of(three_rooms(), entity(filling, A, (99.0, 100.0, 0.0))) == [
        A,
        B,
        0xA9B4001D,
        0xA9B40025,
        C,
    ]
    assert len(asked) == 3  # from A to B and outside, from B to C


def test_an_exit_portal_lets_a_shadow_outside():
    world = three_rooms()
    door = box_model((-0.1, -0.9, 0), (0.1, 0.9, 2))
    assert cells_of(world, entity(door, A, (95.0, 100.0, 0.0))) == [A, 0xA9B4001D]


def test_a_box_beyond_a_portal_beside_the_opening_touches_its_plane():
    """Only the plane and the neighbour's volume count, not the outline of the opening (membership 7.3)."""
    world = three_rooms()
    assert cells_of(world, entity(box_model((-0.2, 0, 3.5), (0.2, 1, 3.9)), A, (100.0, 100.0, 0.0))) == [A, B]


def test_an_unloaded_neighbour_is_listed_without_its_cell():
    world = three_rooms()
    del world.blocks[0xA9B40000].env_cells[B]
    array = calc_cross_cells(world, entity(box_model((-0.1, -0.9, 0), (0.1, 0.9, 2)), A, (100, 100, 0)))
    assert (array.ids, array.cells[1]) == ([A, B], None)


def test_an_object_whose_own_cell_is_not_loaded_waits_there():
    world = empty_world()
    array = calc_cross_cells(world, entity(slab_model(), A, (100.0, 100.0, 0.0)))
    assert (array.ids, array.cells) == ([A], [None])


def test_a_box_wholly_inside_stays_out_of_the_landcell():
    """The side test of the parts form: a box on the interior side of the exit leaves nothing outside."""
    world = three_rooms()
    inside = entity(box_model((0.0, -0.5, 0), (0.3, 0.5, 1)), A, (95.001, 100.0, 0.0))
    assert cells_of(world, inside) == [A]


def test_cylinders_go_by_their_low_point_and_radius():
    world = three_rooms()
    target = entity(cylinder_model(0.6, 2.0), A, (99.5, 100.0, 0.0), state=0x8)
    assert cells_of(world, target) == [A, B]
    assert cells_of(world, entity(cylinder_model(0.6, 2.0), A, (97.5, 100.0, 0.0), state=0x8)) == [A]


def test_a_static_cylinder_is_pruned_by_the_stab_list():
    world = three_rooms()
    target = placed_object(placed(0x02000010, A, (95.1, 100.0, 0.0), entity=False), cylinder_model(0.6, 2.0))
    assert cells_of(world, target) == [A]
    dynamic = placed_object(placed(0x02000010, A, (95.1, 100.0, 0.0)), cylinder_model(0.6, 2.0))
    assert cells_of(world, dynamic) == [A, 0xA9B4001D]


def test_spheres_reach_their_cells():
    world = three_rooms()
    assert cells_of(world, entity(sphere_model(0.5, 0.5), A, (99.7, 100.0, 0.0), state=0x8)) == [A, B]


def test_without_shapes_the_sorting_sphere_counts():
    world = three_rooms()
    bare = model(0x02000030, sorting=Sphere((0.0, 0.0, 0.5), 1.0))
    assert cells_of(world, entity(bare, A, (99.5, 100.0, 0.0), state=0x8)) == [A, B]
    assert cells_of(world, entity(model(0x02000031), A, (99.5, 100.0, 0.0), state=0x8)) == [A]
    assert cells_of(world, entity(model(0x02000031), A, (99.95, 100.0, 0.0), state=0x8)) == [A, B]


def test_a_static_without_cylinders_goes_by_the_boxes_of_its_parts():
    world = three_rooms()
    bush = model(0x02000032, parts=[part(box_polygons((-1, -0.2, 0), (1, 0.2, 1)), physics=False)])
    target = placed_object(placed(0x02000032, A, (99.5, 100.0, 0.0), entity=False), bush)
    assert target.family == ()
    assert cells_of(world, target) == [A, B]


def test_a_static_of_spheres_goes_by_the_boxes_of_its_parts_alone():
    world = three_rooms()
    lamp = model(
        0x02000033, parts=[part(box_polygons((-0.1, -0.1, 0), (0.1, 0.1, 1)), physics=False)],
        spheres=[Sphere((0.0, 0.0, 0.5), 0.8)],
    )  # fmt: skip
    target = placed_object(placed(0x02000033, A, (99.5, 100.0, 0.0), entity=False), lamp)
    assert [s.kind for s in target.family] == [ShapeType.SPHERE]
    assert cells_of(world, target) == [A]
    assert cells_of(world, placed_object(placed(0x02000033, A, (99.5, 100.0, 0.0)), lamp)) == [A, B]


def test_of_cylinders_ten_are_asked():
    world = three_rooms()
    ten = [CylSphere((0.0, 0.0, float(i)), 0.1, 1.0) for i in range(10)]
    wide = CylSphere((0.0, 0.0, 0.0), 0.8, 1.0)
    assert cells_of(world, entity(model(0x02000034, cylspheres=ten), A, (99.5, 100.0, 0.0), state=0x8)) == [A]
    many = model(0x02000035, cylspheres=[*ten, wide])
    assert cells_of(world, entity(many, A, (99.5, 100.0, 0.0), state=0x8)) == [A]
    few = model(0x02000036, cylspheres=[*ten[:9], wide])
    assert cells_of(world, entity(few, A, (99.5, 100.0, 0.0), state=0x8)) == [A, B]


def test_scale_counts():
    world = three_rooms()
    small = box_model((-0.3, -0.3, 0), (0.3, 0.3, 1))
    assert cells_of(world, entity(small, A, (99.5, 100.0, 0.0))) == [A]
    assert cells_of(world, entity(small, A, (99.5, 100.0, 0.0), scale=2.0)) == [A, B]


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.tuples(*[st.floats(-3, 3)] * 3), st.tuples(*[st.floats(0.01, 2)] * 3), st.floats(-3, 3))
def test_intersect_box_agrees_with_all_corners(low, size, d):
    high = tuple(a + b for a, b in zip(low, size, strict=True))
    slanted = Polygon(0, [(0, 0, d), (2, 0, d - 1.0), (2, 2, d + 1.0)])
    distances = [
        slanted.distance((x, y, z))
        for x in (low[0], high[0])
        for y in (low[1], high[1])
        for z in (low[2], high[2])
    ]
    if min(distances) > 0.0002:
        expected = POSITIVE
    elif max(distances) < -0.0002:
        expected = NEGATIVE
    else:
        expected = CROSSING_PLANE
    if min(abs(x) for x in distances) > 0.001:
        assert intersect_box(slanted, (low, high)) == expected


@settings(max_examples=40, derandomize=True, deadline=None)
@given(st.floats(96.0, 109.0), st.floats(-0.7, 0.7))
def test_cells_of_a_box_hold_all_its_corners(x, angle):
    """Brute force: every room that contains a corner of the turned box is in the union."""
    world = three_rooms()
    cell_id = A if x < 100.0 else (B if x < 105.0 else C)
    turn = (math.cos(angle / 2), 0.0, 0.0, math.sin(angle / 2))
    target = entity(box_model((-0.6, -0.2, 0), (0.6, 0.2, 1)), cell_id, (x, 100.0, 0.0), turn)
    found = cells_of(world, target)
    for cell in world.blocks[0xA9B40000].env_cells.values():
        low, high = {A: (-5, 0), B: (0, 5), C: (5, 10)}[cell.id]
        for px, _, _ in target.part_boxes()[0].corners:
            if low + 0.01 < px - 100.0 < high - 0.01:
                assert cell.id in found


def test_block_of_cells_alone():
    world = empty_world()
    put_block(world, block_of_cells(room()))
    assert cells_of(world, entity(slab_model(), A, (0.0, 2.0, 0.0))) == [A]


@interpreted_only("sets a bound lower")
def test_parts_are_tried_at_so_many_openings_of_one_object(monkeypatch):
    """A thousand parts in a room of two hundred openings took two seconds, in ten such rooms twenty."""
    world = three_rooms()
    posts = model(0x02000021, parts=[part(box_polygons((-0.1, -0.1, 0), (0.1, 0.1, 1)))] * 40)
    array = calc_cross_cells(world, entity(posts, A, (99.0, 100.0, 0.0)))
    assert 80 <= array.tried <= 40 * 10
    monkeypatch.setattr("engine.physics.objects.cross_cells.MOST_TRIED", 50)
    assert calc_cross_cells(world, entity(posts, A, (99.0, 100.0, 0.0))).tried <= 50 + 40


def test_very_many_spheres_are_looked_for_by_the_one_around_them():
    spheres = tuple(Sphere((0.001 * k, 0.0, 0.5), 0.2) for k in range(300))
    world = three_rooms()
    many = model(0x02000021, spheres=spheres)
    array = calc_cross_cells(world, entity(many, A, (99.7, 100.0, 0.0), state=0x8))
    assert array.ids == [A, B]
    assert array.tried < 20
