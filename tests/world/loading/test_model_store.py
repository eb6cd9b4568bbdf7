"""Models: parts, placement frames, bounds and shapes (dat-format 4.9)."""

import math

import pytest

from engine.dat.errors import DatError
from engine.dat.pieces.bsp_record import BspNode
from engine.dat.records.setup import Placement, Setup
from engine.dat.values import NO_SPHERE, CylSphere, Plane, Sphere, StoredFrame
from engine.world.loading.model_store import ModelStore
from engine.world.source import Problems
from tests.world.world_records import MemorySource, box_model, setup

DOOR = 0x020019FF


def frame(x, y, z):
    return StoredFrame((float(x), float(y), float(z)), (1.0, 0.0, 0.0, 0.0))


def store(**fields):
    return ModelStore(MemorySource(**fields), Problems())


def test_a_lone_gfxobj_is_a_model_of_one_part():
    models = store(models=[box_model(0x01000001, (-1, -2, 0), (1, 2, 4))])
    model = models.model(0x01000001)
    assert [part.gfxobj_id for part in model.parts] == [0x01000001]
    assert model.part_frames[0].origin == (0.0, 0.0, 0.0)
    assert model.has_physics_bsp
    assert model.parts[0].box == ((-1.0, -2.0, 0.0), (1.0, 2.0, 4.0))
    assert model.height == 4.0
    assert models.model(0x01000001) is model


def test_the_physics_tree_bounds_a_part_else_its_drawing_polygons():
    models = store(models=[box_model(0x01000001), box_model(0x01000002, physics=False)])
    solid, drawn = models.part(0x01000001), models.part(0x01000002)
    assert solid.sphere.center == solid.physics_root.center
    assert solid.sphere.radius == solid.physics_root.radius
    assert drawn.physics_root is None
    assert drawn.physics_polygons == {}
    assert drawn.sphere.center == pytest.approx((0.0, 0.0, 1.0))
    assert drawn.sphere.radius == pytest.approx(math.sqrt(3))


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ((0, 0x65), 0x65),
        ((0x65, 0), 0x65),
        ((3, 0), 0),
        ((3, 7), 3),
    ],
)
def test_part_frames_are_resting_else_default_else_the_first(keys, expected):
    placements = tuple(Placement(key, (frame(key, 0, 0),)) for key in keys)
    record = Setup(DOOR, 0, (0x01000001,), placements=placements)
    model = store(models=[box_model(0x01000001)], setups=[record]).model(DOOR)
    assert model.part_frames[0].origin == (float(expected), 0.0, 0.0)


def test_without_a_placement_parts_stand_at_the_origin():
    record = Setup(DOOR, 0, (0x01000001, 0x01000001))
    model = store(models=[box_model(0x01000001)], setups=[record]).model(DOOR)
    assert [f.origin for f in model.part_frames] == [(0.0, 0.0, 0.0)] * 2


def test_shapes_sizes_and_scales_of_a_setup():
    record = setup(
        DOOR,
        [0x01000001],
        scales=((1.0, 2.0, 3.0),),
        cylspheres=(CylSphere((0.0, 0.0, 0.0), 0.4, 1.2),),
        spheres=(Sphere((0.0, 0.0, 0.018), 0.1),),
        height=2.0,
        radius=0.6,
        step_up=0.4,
        step_down=1.5,
        sorting=Sphere((0.0, 0.0, 1.0), 1.25),
        motion_table=0x09000202,
    )
    model = store(models=[box_model(0x01000001)], setups=[record]).model(DOOR)
    assert model.part_scales == ((1.0, 2.0, 3.0),)
    assert model.cylspheres == record.cylspheres
    assert model.spheres == record.spheres
    assert (model.height, model.radius, model.step_up, model.step_down) == (2.0, 0.6, 0.4, 1.5)
    assert model.sorting_sphere == record.sorting
    assert model.motion_table == 0x09000202


def test_a_missing_part_is_reported_once_and_keeps_its_place_without_any_geometry():
    frames = (frame(0, 0, 1), frame(1, 0, 0), frame(2, 0, 0))
    record = setup(DOOR, [0x01000009, 0x01000001, 0x01000009], frames)
    models = store(models=[box_model(0x01000001)], setups=[record])
    model = models.model(DOOR)
    assert models.problems.lines == ["memory, object 0x01000009: GfxObj is missing; a marker stands in"]
    assert [part.physics_root is None for part in model.parts] == [True, False, True]
    assert model.parts[0].sphere is None
    assert [f.origin[0] for f in model.part_frames] == [0.0, 1.0, 2.0]


def test_part_id_zero_is_an_empty_part():
    models = store(models=[box_model(0x01000001)], setups=[setup(DOOR, [0, 0x01000001])])
    assert models.model(DOOR).parts[0].physics_root is None
    assert models.problems.lines == []


@pytest.mark.parametrize("model_id", [0x02000007, 0x01000007])
def test_a_missing_model_is_none_and_one_line(model_id):
    models = store()
    assert models.model(model_id) is None
    assert models.model(model_id) is None
    assert len(models.problems.lines) == 1
    assert f"0x{model_id:08X}" in models.problems.lines[0]


def test_an_id_of_another_type_is_one_line():
    models = store()
    assert models.model(0x08000001) is None
    assert models.problems.lines == ["memory, object 0x08000001: is neither a Setup nor a GfxObj"]


def test_a_damaged_model_is_one_line_with_its_place():
    models = store()
    models.source.models[0x01000007] = DatError("client_portal.dat", 0x01000007, 0x20, "cut short")
    assert models.model(0x01000007) is None
    assert models.problems.lines == ["client_portal.dat, object 0x01000007, offset 0x20: cut short"]


def test_a_vertex_far_from_its_model_is_reported_and_not_in_its_box():
    record = box_model(0x01000001, (-1, -2, 0), (1, 2, 4))
    array = record.vertex_array
    first, *rest = array.vertices
    wild = array._replace(vertices=(first._replace(pos=(3e37, 0.0, 0.0)), *rest))
    models = store(models=[record._replace(vertex_array=wild)])
    assert models.part(0x01000001).box == ((-1.0, -2.0, 0.0), (1.0, 2.0, 4.0))
    assert any("0x01000001: 1 vertices are not finite" in line for line in models.problems.lines)


def test_frames_and_shapes_that_are_not_finite_are_left_out():
    bad = StoredFrame((math.nan, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))
    record = setup(
        DOOR,
        [0x01000001, 0x01000001],
        (bad, frame(1, 0, 0)),
        spheres=(Sphere((0.0, math.inf, 0.0), 1.0), Sphere((0.0, 0.0, 1.0), 1.0)),
    )
    models = store(models=[box_model(0x01000001)], setups=[record])
    model = models.model(DOOR)
    assert len(model.spheres) == 1
    assert model.parts[0].physics_root is None
    assert model.parts[1].physics_root is not None
    assert len(models.problems.lines) == 2


def test_inner_nodes_and_solid_leaves_of_a_stored_tree_are_kept():
    sphere = Sphere((0.0, 0.0, 1.0), 2.0)
    full = BspNode("LEAF", leaf_index=1, solid=1, sphere=sphere, polys=(0, 1))
    empty = BspNode("LEAF", leaf_index=0, solid=0, sphere=NO_SPHERE, polys=())
    split = BspNode("BPnN", Plane((1.0, 0.0, 0.0), -0.5), empty, full, sphere=sphere)
    record = box_model(0x01000002)._replace(physics_bsp=split)
    root = store(models=[record]).part(0x01000002).physics_root
    assert (root.normal, root.d, root.radius) == ((1.0, 0.0, 0.0), -0.5, 2.0)
    assert not root.is_leaf
    assert root.pos.polygons == []
    assert (root.neg.solid, root.neg.index) == (True, 1)
    assert [polygon.id for polygon in root.neg.polygons] == [0, 1]


def test_a_part_that_collides_and_has_no_height_is_told():
    record = setup(
        DOOR, [0x01000001, 0x01000001, 0x01000002], scales=((1.0, 1.0, 0.0), (0.0, 1.0, 1.0), (0.0,) * 3)
    )
    models = store(models=[box_model(0x01000001), box_model(0x01000002, physics=False)], setups=[record])
    assert models.model(DOOR).part_scales == record.scales
    assert models.problems.lines == [
        "memory, object 0x020019FF: part 0: its scale 0 along z: nothing collides with it"
    ]
