"""The way of a tick behind the carried root: where the foot is drawn between two cells (K11, K11b)."""

from __future__ import annotations

import pytest

from engine.visibility.camera import PIVOT_HEIGHT
from engine.visibility.carry import carry
from engine.visibility.foothold import foothold
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import ViewOptions
from engine.world.ids import is_outdoor
from engine.world.way import DrawnPlace
from tests.visibility.carry.carry_scenes import ALL, DOOR, FOOT, picture_of, seen, two_rooms, walk
from tests.visibility.view_scenes import BLOCK, EXIT, P, add_building, add_outdoors, cid, graph, quad


def came(g, cell, before, feet, *, end_cell=None, along=1.0):
    """Where a foot is that came in a straight line: the way's piece from ``before`` on, and its foothold."""
    end = cid(cell if end_cell is None else end_cell)
    place = tuple(a + along * (b - a) for a, b in zip(before, feet, strict=True))
    drawn = DrawnPlace(
        home=end, feet=place, begin_cell=cid(cell), begin=before, end_cell=end, end=feet, along=along
    )
    return place, foothold(g, OpeningIndex(), drawn, (0.0, 0.0, FOOT))


def carried_from(g, cell, before, feet, *, eye, end_cell=None, along=1.0):
    (x, y, z), start = came(g, cell, before, feet, end_cell=end_cell, along=along)
    foot, pivot = (x, y, z + FOOT), (x, y, z + PIVOT_HEIGHT)
    home = cid(cell if end_cell is None else end_cell)
    return carry(g, OpeningIndex(), home, foot, pivot=pivot, eye=eye, start=start)


def test_K11_a_body_kept_in_the_cell_behind_it_is_seen_from_where_its_way_led():
    """Blocked push-backs can leave the foot's centre beyond the opening, in no other cell."""
    g = two_rooms()
    before, feet, eye = (0.0, 1.9, 0.0), (0.0, 2.08, 0.0), (0.0, 2.26, PIVOT_HEIGHT)
    result = carried_from(g, 100, before, feet, eye=eye)
    assert (result.root, result.drawn_cell, result.carried) == (cid(101), cid(100), ((cid(100), 0),))
    standing = carried_from(g, 100, feet, feet, eye=eye)
    assert (standing.root, standing.carried) == (cid(100), ())  # nothing tells that it passed the opening
    strict = picture_of(g, 100, feet, eye, yaw=180.0, options=ViewOptions(ALL, strict_root=True))
    assert seen(strict) == {cid(100)}


@pytest.mark.parametrize("far", [2.08, 2.31, 3.0, 5.0])
def test_K11_no_distance_ends_a_way_but_the_opening_must_be_passed(far):
    g = two_rooms()
    before, feet = (0.0, 1.9, 0.0), (0.0, far, 0.0)
    assert carried_from(g, 100, before, feet, eye=(0.0, far, PIVOT_HEIGHT)).root == cid(101)
    aside = (0.7, 1.9, 0.0), (0.7, far, 0.0)
    assert carried_from(g, 100, *aside, eye=(0.7, far, PIVOT_HEIGHT)).root == cid(100)
    assert walk(g, 100, feet, (0.0, far, PIVOT_HEIGHT)).root == cid(100)  # nothing reaches for a portal


@pytest.mark.parametrize("first", [0, 1])
def test_K11_of_two_portals_the_first_on_the_way_is_crossed(first):
    """Whichever of the two the cell lists first."""
    near = quad(2.05, -0.5, 0.5, z0=0.0, z1=2.2)
    ways = [P(near, 0, 102, 0), P(DOOR, 0, 101, 0)]
    back = {102: [P(near, 1, 100, first)], 101: [P(DOOR, 1, 100, 1 - first)]}
    g = graph({100: ways if first == 0 else ways[::-1], **back})
    result = carried_from(g, 100, (0.0, 1.9, 0.0), (0.0, 2.08, 0.0), eye=(0.0, 2.09, PIVOT_HEIGHT))
    assert (result.root, result.carried) == (cid(101), ((cid(100), 1 - first),))


@pytest.mark.parametrize(
    ("along", "cell"), [(0.0, 100), (0.3, 100), (0.49, 100), (0.51, 101), (0.75, 101), (1.0, 101)]
)
def test_between_two_cells_the_opening_tells_where_the_foot_is_drawn(along, cell):
    g = two_rooms()
    piece = (0.1, 1.7, 0.0), (0.1, 2.3, 0.0)
    _, start = came(g, 100, *piece, end_cell=101, along=along)
    assert start.cell == cid(cell)
    y = 1.7 + along * 0.6
    result = carried_from(g, 100, *piece, eye=(0.1, y - 2.4, 2.0), end_cell=101, along=along)
    assert (result.drawn_cell, result.root) == (cid(cell), cid(100))  # the camera behind is in the first room
    assert result.carried == (((cid(101), 0),) if cell == 101 else ())


def test_a_thin_cell_between_two_knots_is_found():
    near, far = quad(2.0, -0.5, 0.5, z0=0.0, z1=2.2), quad(2.2, -0.5, 0.5, z0=0.0, z1=2.2)
    g = graph({100: [P(near, 0, 101, 0)], 101: [P(near, 1, 100, 0), P(far, 0, 102, 0)],
               102: [P(far, 1, 101, 1)]})  # fmt: skip
    cells = [came(g, 100, (0, 1.9, 0), (0, 2.3, 0), end_cell=102, along=t / 7)[1].cell for t in range(8)]
    assert cells == [cid(c) for c in (100, 100, 101, 101, 101, 101, 102, 102)]


def test_where_the_straight_piece_misses_the_opening_each_half_belongs_to_its_end():
    g = two_rooms()
    piece = (0.7, 1.9, 0.0), (0.7, 2.1, 0.0)
    halves = [came(g, 100, *piece, end_cell=101, along=t)[1].cell for t in (0.1, 0.4, 0.6, 0.9)]
    assert halves == [cid(100), cid(100), cid(101), cid(101)]


def test_a_foot_rounded_to_beyond_its_cells_portal_by_a_hair_is_carried_on():
    """A commit rounds to single precision, and a cell holds what is 0.2 mm behind its planes."""
    g = two_rooms()
    ahead = walk(g, 100, (0.0, 2.00001, 0.0), (0.0, 2.18, PIVOT_HEIGHT))
    assert (ahead.root, ahead.carried) == (cid(101), ((cid(100), 0),))
    behind = walk(g, 100, (0.0, 2.00001, 0.0), (0.0, 1.8, PIVOT_HEIGHT))
    assert behind.root == cid(100)


@pytest.mark.parametrize(("beside", "crossed"), [(0.005, True), (0.015, False)])
def test_a_crossing_up_to_1_cm_beside_the_opening_counts(beside, crossed):
    """Points on the edge of two openings must not fall between them (visibility 1.4)."""
    x = 0.5 + beside
    result = walk(two_rooms(), 100, (x, 1.9, 0.0), (x, 2.1, PIVOT_HEIGHT))
    assert (result.root, len(result.carried)) == ((cid(101), 1) if crossed else (cid(100), 0))


def test_K11b_a_camera_behind_goes_back_through_the_same_door():
    g = two_rooms()
    feet = (0.0, 2.08, 0.0)
    eye = (0.0, 2.08 - 2.4, 2.0)
    result = carried_from(g, 100, (0.0, 1.9, 0.0), feet, eye=eye)
    assert result.root == cid(100)
    assert result.carried == ((cid(100), 0), (cid(101), 0))


def drawn_in(g, begin, end, along, *, cells, center=(0.0, 0.0, 0.5)):
    """The cell in which feet are drawn so far along a piece of the way, and the place of the foot sphere."""
    feet = tuple(p + along * (q - p) for p, q in zip(begin, end, strict=True))
    a, b = cells
    drawn = DrawnPlace(home=b, feet=feet, begin_cell=a, begin=begin, end_cell=b, end=end, along=along)
    return foothold(g, OpeningIndex(), drawn, center)


def by_the_border(x=5.0):
    """A house whose street door stands 8 cm before the border of two landcells."""
    door = quad(23.92, x - 0.5, x + 0.5, z0=0.0, z1=2.6)
    g = graph({100: [P(door, 0, EXIT)]})
    add_outdoors(g)
    add_building(g, [P(door, 1, 100, 0)])
    return g


@pytest.mark.parametrize(
    ("along", "is_out"), [(0.0, False), (0.09, False), (0.11, True), (0.4, True), (1, True)]
)
def test_feet_that_leave_a_house_are_outdoors_beyond_its_door_whichever_landcell_they_come_to(along, is_out):
    begin, end = (5.1, 23.9, 0.0), (5.1, 24.1, 0.0)
    out = drawn_in(by_the_border(), begin, end, along, cells=(cid(100), BLOCK | 2))
    assert out.cell == ((BLOCK | 2 if along == 1.0 else BLOCK | 1) if is_out else cid(100))
    back = drawn_in(by_the_border(), end, begin, 1.0 - along, cells=(BLOCK | 2, cid(100)))
    assert is_outdoor(back.cell) == is_out


@pytest.mark.parametrize("along", [0.1, 0.45, 0.55, 0.9])
def test_between_a_house_and_the_street_a_piece_that_misses_the_door_is_halved(along):
    begin, end = (5.7, 23.9, 0.0), (5.7, 24.1, 0.0)
    for cells in ((cid(100), BLOCK | 2), (BLOCK | 2, cid(100))):
        found = drawn_in(by_the_border(), begin, end, along, cells=cells)
        at = 0 if along < 0.5 else 1
        assert (found.cell, found.place[:2]) == (cells[at], (begin, end)[at][:2])


@pytest.mark.parametrize(("along", "cell"), [(0.0, 1), (0.5, 1), (0.9, 1), (1.0, 2)])
def test_between_two_landcells_no_opening_is_looked_for(along, cell):
    """No portal leads from one to the other: the feet are in the first until they have come to the second."""
    rooms = quad(23.95, 4.5, 5.5, z0=0.0, z1=2.6), quad(24.02, 4.5, 5.5, z0=0.0, z1=2.6)
    g = graph({100: [P(rooms[0], 1, EXIT), P(rooms[1], 0, EXIT)]})
    add_outdoors(g)
    add_building(g, [P(rooms[0], 0, 100, 0), P(rooms[1], 1, 100, 1)])
    found = drawn_in(g, (5.1, 23.9, 0.0), (5.1, 24.1, 0.0), along, cells=(BLOCK | 1, BLOCK | 2))
    assert (found.cell, found.place) == (BLOCK | cell, pytest.approx((5.1, 23.9 + along * 0.2, 0.5)))


def test_a_foot_sphere_that_is_not_above_the_feet_is_followed_itself():
    g = by_the_border()
    begin, end = (4.0, 23.5, 0.0), (4.0, 23.7, 0.0)  # the sphere's centre passes the door, the feet don't
    for along, cell in ((0.5, cid(100)), (0.7, BLOCK | 1)):
        found = drawn_in(g, begin, end, along, cells=(cid(100), BLOCK | 1), center=(1.1, 0.3, 0.5))
        assert (found.cell, found.place) == (cell, pytest.approx((5.1, 23.8 + along * 0.2, 0.5)))
