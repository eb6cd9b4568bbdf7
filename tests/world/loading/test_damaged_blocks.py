"""Records of a landblock that make no sense: one line each, and the rest is there."""

import math

import pytest

from engine.dat.errors import DatError
from engine.dat.pieces.bsp_record import BspNode
from engine.dat.pieces.geometry import VertexArray
from engine.dat.records.env_cell import CellPortal
from engine.dat.records.land_block_info import Stab
from engine.dat.values import Plane, Sphere
from engine.world.sources import plain_looks
from tests.world.loading.block_scenes import at, load, structure_with, two_rooms
from tests.world.world_records import (
    BLOCK,
    box_model,
    info,
    room,
)


def one_line(source, *words):
    """The block still loads and exactly one line says what is wrong, naming source and object."""
    world, block = load(source)
    assert len(world.problems.lines) == 1, world.problems.lines
    line = world.problems.lines[0]
    for word in ("memory", *words):
        assert word in line
    assert "\n" not in line
    return block


def test_a_damaged_cell_record_is_one_line():
    source = two_rooms()
    source.cells[BLOCK | 0x101] = DatError("memory", BLOCK | 0x101, 0x1C, "the record ends here")
    block = one_line(source, "0xA9B40101", "offset 0x1C", "the record ends here")
    assert list(block.env_cells) == [BLOCK | 0x100]


def test_a_missing_cell_record_is_one_line():
    source = two_rooms()
    source.listed = (*source.listed, BLOCK | 0x102)
    one_line(source, "0xA9B40102", "EnvCell is missing")


def test_a_missing_environment_is_one_line_and_the_cell_is_left_out():
    source = two_rooms()
    del source.environments[0x0D000002]
    block = one_line(source, "0xA9B40101", "0x0D000002")
    assert list(block.env_cells) == [BLOCK | 0x100]


def test_a_cell_frame_that_is_not_finite_is_one_line():
    source = two_rooms()
    bad = source.cells[BLOCK | 0x101]._replace(frame=at(math.inf, 0))
    source.cells[bad.id] = bad
    one_line(source, "0xA9B40101", "its frame is not finite")


def test_a_quaternion_off_unit_length_is_normalised_and_reported():
    source = two_rooms()
    bad = source.cells[BLOCK | 0x101]._replace(frame=at(64, 60, 94, (2.0, 0.0, 0.0, 0.0)))
    source.cells[bad.id] = bad
    block = one_line(source, "0xA9B40101", "length 2.000; normalised")
    assert block.env_cells[bad.id].frame.quat == (1.0, 0.0, 0.0, 0.0)


def test_a_portal_whose_polygon_is_missing_stays_in_its_place_closed():
    source = two_rooms()
    first = source.cells[BLOCK | 0x100]
    source.cells[first.id] = first._replace(portals=(CellPortal(7, 99, 0xFFFF, -1), first.portals[1]))
    block = one_line(source, "0xA9B40100", "portal 0: its polygon 99 is not there")
    portal = block.env_cells[first.id].portals[0]
    assert portal.index == 0
    assert portal.polygon.vertices == ()
    assert abs(portal.polygon.distance((0.0, 0.0, 0.0))) > 1e6


def test_a_portal_index_beyond_the_neighbours_is_dropped_and_reported():
    source = two_rooms()
    inner = source.cells[BLOCK | 0x101]
    source.cells[inner.id] = inner._replace(portals=(CellPortal(1, 4, 0x100, 5),))
    block = one_line(source, "0xA9B40101", "cell 0xA9B40100 has no portal 5")
    assert block.env_cells[inner.id].portals[0].other_portal_id == -1


def test_a_portal_that_leads_back_into_its_own_cell_loads():
    source = two_rooms()
    inner = source.cells[BLOCK | 0x101]
    source.cells[inner.id] = inner._replace(portals=(CellPortal(1, 4, 0x101, 0),))
    _, block = load(source)
    assert block.env_cells[inner.id].portals[0].other_cell_id == inner.id


def test_a_vertex_that_is_not_finite_takes_only_its_polygons_along():
    environment = room(2, (4,))
    struct = environment.cells[0]
    vertices = list(struct.vertex_array.vertices)
    vertices[0] = vertices[0]._replace(pos=(math.nan, 0.0, 0.0))
    source = two_rooms()
    source.environments[0x0D000002] = structure_with(vertex_array=VertexArray(1, tuple(vertices)))
    world, block = load(source)
    assert world.problems.lines == [
        "memory, object 0x0D000002: structure 0: physics polygon 0: vertex 0 is not finite",
        "memory, object 0x0D000002: structure 0: drawing polygon 0: vertex 0 is not finite",
    ]
    root = block.env_cells[BLOCK | 0x101].structure.physics_root
    assert [polygon.id for polygon in root.polygons] == [1, 2, 3, 5]


def test_a_polygon_with_a_missing_vertex_is_one_line():
    struct = room(2, (4,)).cells[0]
    polygons = (*struct.polygons[:5], struct.polygons[5]._replace(vertex_ids=(0, 1, 999)))
    source = two_rooms()
    source.environments[0x0D000002] = structure_with(polygons=polygons)
    one_line(source, "0x0D000002", "drawing polygon 5 names vertex 999")


def test_a_physics_tree_with_unknown_polygons_is_one_line():
    leaf = BspNode("LEAF", leaf_index=0, solid=0, sphere=Sphere((0.0, 0.0, 1.0), 5.0), polys=(0, 77, 1))
    source = two_rooms()
    source.environments[0x0D000002] = structure_with(physics_bsp=leaf)
    block = one_line(source, "0x0D000002", "names polygons that are not there: 77")
    root = block.env_cells[BLOCK | 0x101].structure.physics_root
    assert [polygon.id for polygon in root.polygons] == [0, 1]


def test_a_physics_tree_with_nan_falls_back_to_all_polygons():
    leaf = BspNode("LEAF", leaf_index=0, solid=0, sphere=Sphere((0.0, 0.0, 1.0), 5.0), polys=(0,))
    split = BspNode("BPnN", Plane((math.nan, 0.0, 1.0), 0.0), leaf, leaf, sphere=Sphere((0.0, 0.0, 1.0), 5.0))
    source = two_rooms()
    source.environments[0x0D000002] = structure_with(physics_bsp=split)
    block = one_line(source, "0x0D000002", "not finite")
    root = block.env_cells[BLOCK | 0x101].structure.physics_root
    assert [polygon.id for polygon in root.polygons] == [0, 1, 2, 3, 5]


@pytest.mark.parametrize(
    ("tree", "reason"),
    [
        (BspNode("LEAF", leaf_index=0), "has no plane; it contains nothing"),
        (BspNode("BPFL", Plane((0.0, math.inf, 1.0), 0.0)), "not finite; it contains nothing"),
    ],
)
def test_a_cell_tree_that_bounds_nothing_contains_nothing(tree, reason):
    source = two_rooms()
    source.environments[0x0D000002] = structure_with(cell_bsp=tree)
    block = one_line(source, "0x0D000002", reason)
    assert block.env_cells[BLOCK | 0x101].structure.cell_tree is None


def test_a_damaged_terrain_record_is_one_line_and_the_cells_stay():
    source = two_rooms()
    source.ground = DatError("memory", BLOCK | 0xFFFF, 4, "cut short")
    block = one_line(source, "0xA9B4FFFF", "cut short")
    assert block.land_cells == []
    assert len(block.env_cells) == 2


def test_heights_that_are_not_finite_are_one_line_and_the_cells_stay():
    source = two_rooms()
    region = plain_looks.region((math.nan,) * 256)
    source.region = lambda: region
    block = one_line(source, "0xA9B4FFFF", "not finite; no terrain")
    assert block.land_cells == []
    assert len(block.env_cells) == 2


def test_a_missing_model_is_reported_once_however_often_it_stands_there():
    stabs = [Stab(0x01000009, at(10 + n, 10)) for n in range(5)]
    block = one_line(two_rooms(info=info(objects=stabs)), "0x01000009", "GfxObj is missing")
    assert [s.model_id for s in block.statics] == [0x01000009] * 5


def test_a_stab_that_is_not_finite_is_one_line():
    stabs = [Stab(0x01000001, at(math.nan, 10)), Stab(0x01000001, at(20, 10))]
    source = two_rooms(models=[box_model(0x01000001)], info=info(objects=stabs))
    block = one_line(source, "0xA9B4FFFE", "object 0")
    assert len(block.statics) == 1


def test_an_object_off_the_map_is_one_line():
    source = two_rooms(models=[box_model(0x01000001)], info=info(objects=[Stab(0x01000001, at(1e6, 10))]))
    one_line(source, "0xA9B4FFFE", "object 0 stands off the map")
