"""Terrain: split, triangles, heights and water (collision 6.1-6.3, 12.3; dat-format 4.2, 7)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.world.cells import ENTIRELY_WATER, NOT_WATER, PARTIALLY_WATER, Landblock
from engine.world.terrain import (
    add_land_cells,
    cut_sw_ne,
    find_terrain_poly,
    height_on,
    point_in_poly2d,
    split_hash,
    terrain_height,
    water_depth,
)

GRASS, SEA = 1 << 2, 0x14 << 2

HOLTBURG = [
    r"////////",
    r"\\//////",
    r"\\\\\///",
    r"//\\\\//",
    r"///\\\//",
    r"\\//\\//",
    r"/\\/\\//",
    r"//\//\//",
]


def landblock(block_id, heights, terrain=None):
    block = Landblock(block_id, terrain or (GRASS,) * 81, tuple(heights))
    add_land_cells(block)
    return block


@pytest.mark.parametrize(
    ("x", "y", "expected", "sw_ne"),
    [
        pytest.param(1352, 1440, 0xC15BD913, True, id="TE1"),
        pytest.param(1353, 1440, 0x73B91436, False, id="TE2"),
        pytest.param(1358, 1440, 0xEF8B3BE5, True, id="TE3"),
        pytest.param(1358, 1441, 0x372D8FF6, False, id="TE4"),
        pytest.param(0, 0, 0xAE6470DB, True, id="TE5"),
        pytest.param(1000, 1000, 0x7540A0AB, False, id="TE6"),
        pytest.param(2039, 2039, 0x3846F0E4, False, id="TE6-corner"),
        pytest.param(1, 0, 0x6C488D1E, False, id="table-1-0"),
        pytest.param(0, 1, 0x1A7F3662, False, id="table-0-1"),
        pytest.param(2032, 2032, 0x1CD1D73B, False, id="table-2032"),
        pytest.param(1, 1, 0xE52E12D8, True, id="mesh-1-1"),
        pytest.param(1355, 1445, 0x7EBDEBD4, False, id="mesh-1355"),
        pytest.param(1359, 1447, 0xF0E404E4, True, id="mesh-1359"),
        pytest.param(2047, 2047, 0xE8FB6F44, True, id="mesh-2047"),
    ],
)
def test_split_hash(x, y, expected, sw_ne):
    assert split_hash(x, y) == expected
    assert cut_sw_ne(x, y) is sw_ne


def test_diagonals_of_holtburg():
    rows = ["".join("/" if cut_sw_ne(1352 + cx, 1440 + cy) else "\\" for cy in range(8)) for cx in range(8)]
    assert rows == HOLTBURG


@pytest.fixture
def slope():
    """Cell A9B40001 with heights SW 0, SE 2, NE 6, NW 1."""
    heights = [0.0] * 81
    heights[1], heights[9], heights[10] = 1.0, 2.0, 6.0
    return landblock(0xA9B40000, heights)


@pytest.mark.parametrize(
    ("p", "index", "normal", "z"),
    [
        pytest.param((6, 2), 0, (-0.081923, -0.163846, 0.983078), 0.833333, id="TE7"),
        pytest.param((2, 6), 1, (-0.203785, -0.040757, 0.978167), 0.666667, id="TE8"),
        pytest.param((12, 12), 0, (-0.081923, -0.163846, 0.983078), 3.0, id="TE9-diagonal"),
        pytest.param((20, 20), 0, (-0.081923, -0.163846, 0.983078), 5.0, id="TE10"),
    ],
)
def test_triangle_under_a_point(*, slope, p, index, normal, z):
    cell = slope.land_cells[0]
    polygon = find_terrain_poly(cell, (*p, 0.0))
    assert polygon is cell.polygons[index]
    assert polygon.normal == pytest.approx(normal, abs=1e-6)
    assert height_on(polygon, *p) == pytest.approx(z, abs=1e-6)


def test_te11_a_point_outside_the_cell_has_no_triangle(slope):
    assert find_terrain_poly(slope.land_cells[0], (24.1, 3.0, 0.0)) is None


def test_both_edges_of_a_cell_belong_to_it(slope):
    for p in [(0, 5), (24, 5), (5, 0), (5, 24), (0, 0), (24, 24)]:
        assert find_terrain_poly(slope.land_cells[0], (*p, 0.0)) is not None


def test_landcells_stand_in_id_order_with_two_triangles_each(slope):
    assert [cell.id for cell in slope.land_cells] == [0xA9B40001 + n for n in range(64)]
    cell = slope.land_cells[0x31 - 1]
    assert [polygon.id for polygon in cell.polygons] == [96, 97]
    corners = {v[:2] for polygon in cell.polygons for v in polygon.vertices}
    assert corners == {(144.0, 0.0), (168.0, 0.0), (168.0, 24.0), (144.0, 24.0)}


def test_triangle_order_of_both_cuts():
    block = landblock(0xA9B40000, [0.0] * 81)
    sw_ne, se_nw = block.land_cells[0], block.land_cells[8]
    assert [[v[:2] for v in p.vertices] for p in sw_ne.polygons] == [
        [(0, 0), (24, 0), (24, 24)],
        [(0, 0), (24, 24), (0, 24)],
    ]
    assert [[v[:2] for v in p.vertices] for p in se_nw.polygons] == [
        [(24, 0), (48, 0), (24, 24)],
        [(48, 24), (24, 24), (48, 0)],
    ]


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    heights=st.lists(st.integers(0, 60), min_size=81, max_size=81),
    gx=st.integers(0, 2039),
    gy=st.integers(0, 2039),
    dx=st.floats(0.01, 23.99),
    dy=st.floats(0.01, 23.99),
)
def test_height_by_the_triangles_equals_the_closed_form(*, heights, gx, gy, dx, dy):
    block = landblock(((gx >> 3) << 24) | ((gy >> 3) << 16), [float(h) for h in heights])
    cx, cy = gx & 7, gy & 7
    at = 9 * cx + cy
    sw, nw, se, ne = heights[at], heights[at + 1], heights[at + 9], heights[at + 10]
    u, v = dx / 24, dy / 24
    if cut_sw_ne(gx, gy):
        z = sw + (se - sw) * u + (ne - se) * v if u > v else sw + (ne - nw) * u + (nw - sw) * v
    elif u + v <= 1:
        z = sw + (se - sw) * u + (nw - sw) * v
    else:
        z = ne + (nw - ne) * (1 - u) + (se - ne) * (1 - v)
    assert terrain_height(block, 24 * cx + dx, 24 * cy + dy) == pytest.approx(z, abs=1e-9)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.floats(0, 24), st.floats(0, 24), st.integers(0, 63))
def test_every_point_of_a_cell_lies_on_one_of_its_triangles(dx, dy, number):
    block = landblock(0xA9B40000, [0.0] * 81)
    cell = block.land_cells[number]
    x, y = 24.0 * (number >> 3) + dx, 24.0 * (number & 7) + dy
    assert find_terrain_poly(cell, (x, y, 0.0)) is not None


def test_height_off_the_block_is_unknown():
    block = landblock(0xA9B40000, [5.0] * 81)
    assert terrain_height(block, -0.1, 5.0) is None
    assert terrain_height(block, 192.0, 192.0) == pytest.approx(5.0)
    assert terrain_height(Landblock(0xA9B40000), 5.0, 5.0) is None


def test_point_in_poly2d_by_side():
    block = landblock(0xA9B40000, [0.0] * 81)
    polygon = block.land_cells[0].polygons[0]
    assert point_in_poly2d(polygon, 20.0, 5.0, positive=True)
    assert not point_in_poly2d(polygon, 20.0, 5.0, positive=False)
    assert not point_in_poly2d(polygon, 5.0, 20.0, positive=True)


# -- water -------------------------------------------------------------------------------------------


def test_water_types_of_cells_and_block():
    dry = landblock(0xA9B40000, [0.0] * 81)
    assert dry.water_type == NOT_WATER
    assert {cell.water_type for cell in dry.land_cells} == {NOT_WATER}
    wet = landblock(0xA9B40000, [0.0] * 81, (SEA,) * 81)
    assert wet.water_type == ENTIRELY_WATER
    one = list((GRASS,) * 81)
    one[0] = SEA
    shore = landblock(0xA9B40000, [0.0] * 81, tuple(one))
    assert shore.water_type == PARTIALLY_WATER
    assert [c.id & 0xFF for c in shore.land_cells if c.water_type == PARTIALLY_WATER] == [1]


@pytest.mark.parametrize("kind", range(32))
def test_terrain_types_10_to_14_are_water(kind):
    block = landblock(0xA9B40000, [0.0] * 81, (kind << 2 | 0xF803,) * 81)
    assert (block.water_type == ENTIRELY_WATER) == (0x10 <= kind <= 0x14)


def test_water_depth_goes_by_the_nearest_vertex():
    words = list((GRASS,) * 81)
    words[0] = SEA
    cell = landblock(0xA9B40000, [0.0] * 81, tuple(words)).land_cells[0]
    assert water_depth(cell, (11.9, 11.9, 0.0)) == 0.45
    assert water_depth(cell, (12.0, 11.9, 0.0)) == 0.1
    assert water_depth(cell, (11.9, 12.0, 0.0)) == 0.1


def test_water_depth_of_dry_and_of_open_water():
    assert water_depth(landblock(0xA9B40000, [0.0] * 81).land_cells[0], (1.0, 1.0, 0.0)) == 0.0
    deep = landblock(0xA9B40000, [0.0] * 81, (SEA,) * 81).land_cells[0]
    assert water_depth(deep, (1.0, 1.0, 0.0)) == pytest.approx(0.9)
