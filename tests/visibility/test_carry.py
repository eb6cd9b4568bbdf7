"""The carried root: K1-K5, K9-K11b of visibility 11.3."""

from __future__ import annotations

import math
import random

import pytest

from engine.visibility.camera import PIVOT_HEIGHT, Camera, offset_eye
from engine.visibility.carry import PULL_BACK, carry
from engine.visibility.flood_rules import FloodRules, WorkingSet
from engine.visibility.foothold import foothold
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import INTERIOR, OUTDOOR, SEALED, ViewOptions, build_view
from engine.visibility.view import View
from engine.world.cell_graph import CellGraph
from engine.world.ids import is_outdoor
from engine.world.way import DrawnPlace
from tests.needed import interpreted_only
from tests.visibility.view_scenes import (
    BLOCK,
    EXIT,
    P,
    add_building,
    add_outdoors,
    cid,
    graph,
    quad,
)

DOOR = quad(2.0, -0.5, 0.5, z0=0.0, z1=2.6)
HATCH = [(-0.5, -0.5, 0.0), (0.5, -0.5, 0.0), (0.5, 0.5, 0.0), (-0.5, 0.5, 0.0)]  # normal +z
ALL = FloodRules(working_set=WorkingSet.ALL)
FOOT = 0.475


def two_rooms(k=0):
    """Room A (100) at y < 2, room B (101) beyond, a door between."""
    return graph({100: [P(DOOR, 0, 101, k)], 101: [P(DOOR, 1, 100, k)]})


def walk(g, cell, feet, eye, *, pivot=None):
    x, y, z = feet
    foot = (x, y, z + FOOT)
    return carry(g, OpeningIndex(), cid(cell), foot, pivot=pivot or (x, y, z + PIVOT_HEIGHT), eye=eye)


def picture_of(g, cell, feet, eye, *, yaw=0.0, pitch=0.0, options=None):
    x, y, z = feet
    view = View.from_angles(eye, yaw, pitch, fov_y=53.64, width=320.0, height=180.0)
    foot, pivot = (x, y, z + FOOT), (x, y, z + PIVOT_HEIGHT)
    return build_view(
        g, cid(cell), foot=foot, pivot=pivot, eye=eye, view=view, options=options or ViewOptions(ALL)
    )


def seen(picture):
    return {c.cell for c in picture.cells}


def test_K1_the_root_changes_when_the_segment_crosses_and_at_no_other_time():
    g = two_rooms()
    rng = random.Random(1)
    y, cell = 1.0, 100
    roots = []
    for _ in range(1000):
        y += rng.uniform(0.0, 0.01)
        if y > 2.0:
            cell = 101  # what the sweep would have committed
        feet = (0.1, y, 0.0)
        pivot = (0.1, y, PIVOT_HEIGHT)
        eye = Camera(0.0, third_person=True).desired_eye(pivot)
        result = walk(g, cell, feet, eye)
        crossing = cell == 101 and eye[1] < 2.0
        assert (len(result.carried) == 1) == crossing
        assert result == walk(g, cell, feet, eye)
        roots.append(result.root)
    assert roots == [cid(100)] * roots.count(cid(100)) + [cid(101)] * roots.count(cid(101))
    assert cid(101) in roots


@pytest.mark.parametrize("y", [1.95, 2.0, 2.05])
def test_K2_on_the_threshold_the_root_depends_on_the_pose_alone(y):
    g = two_rooms()
    cell = 100 if y <= 2.0 else 101
    pivot = (0.0, y, PIVOT_HEIGHT)
    poses = [offset_eye(pivot, float(yaw), -0.38, 0.12) for yaw in range(360)]
    first = [walk(g, cell, (0.0, y, 0.0), eye) for eye in poses]
    assert {r.root for r in first} == {cid(100), cid(101)}
    for eye, result in zip(poses, first, strict=True):
        if abs(eye[1] - 2.0) > 1e-6:
            assert result.root == (cid(100) if eye[1] < 2.0 else cid(101))
    assert [walk(g, cell, (0.0, y, 0.0), eye) for eye in reversed(poses)] == first[::-1]


def test_K3_first_person_without_a_portal_between_keeps_the_body_cell():
    g = two_rooms()
    for yaw in range(0, 360, 15):
        eye = (0.18 * math.sin(math.radians(yaw)), 0.5 + 0.18 * math.cos(math.radians(yaw)), PIVOT_HEIGHT)
        result = walk(g, 100, (0.0, 0.5, 0.0), eye)
        assert (result.root, result.carried, result.eye) == (cid(100), (), eye)


def trapdoor():
    """Upper room (100) above z = 0, cellar (101) below."""
    return graph({100: [P(HATCH, 0, 101, 0)], 101: [P(HATCH, 1, 100, 0)]})


def test_K5_the_head_above_a_horizontal_portal():
    g = trapdoor()
    feet, eye = (0.0, 0.0, -1.0), (0.0, 0.18, 0.5)
    carried = picture_of(g, 101, feet, eye, pitch=-60.0)
    assert carried.root == cid(100)
    assert carried.carried == ((cid(101), 0),)
    assert seen(carried) == {cid(100), cid(101)}
    strict = picture_of(g, 101, feet, eye, pitch=-60.0, options=ViewOptions(ALL, strict_root=True))
    assert strict.root == cid(101)
    assert seen(strict) == {cid(101)}  # the eye's own room is missing: bug B5


def test_K9_a_missing_neighbour_pulls_the_eye_in():
    g = graph({100: [P(DOOR, 0, 999, 0)]})
    eye = (0.0, 4.0, PIVOT_HEIGHT)
    result = walk(g, 100, (0.0, 1.0, 0.0), eye)
    assert result.blocked
    assert result.root == cid(100)
    assert result.blocked_by == (cid(100), 0)
    assert result.eye == pytest.approx((0.0, 2.0 - PULL_BACK, PIVOT_HEIGHT))


def test_K9_the_eye_is_never_pulled_in_behind_the_portal_before():
    near = quad(2.03, -0.5, 0.5, z0=0.0, z1=2.2)
    g = graph({100: [P(DOOR, 0, 101, 0)], 101: [P(DOOR, 1, 100, 0), P(near, 0, 999, 0)]})
    result = walk(g, 100, (0.0, 1.0, 0.0), (0.0, 4.0, PIVOT_HEIGHT))
    assert (result.root, result.blocked) == (cid(101), True)
    assert result.eye[1] == pytest.approx(2.015)


def house_at(*, building=True, block=BLOCK):
    """Room A (100) at y < 2 with a street door to the north."""
    g = graph({100: [P(DOOR, 0, EXIT)]}, block=block)
    add_outdoors(g, block)
    if building:
        add_building(g, [P(DOOR, 1, 100, 0)], block=block)
    return g


def test_K10_the_eye_outdoors_the_player_inside():
    g = house_at()
    picture = picture_of(g, 100, (0.2, 1.0, 0.0), (0.2, 3.0, PIVOT_HEIGHT), yaw=180.0)
    assert (picture.path, picture.root) == (OUTDOOR, BLOCK | 1)
    assert picture.carried == ((cid(100), 0),)
    assert picture.flood is None
    assert [(c.cell, c.flood) for c in picture.cells] == [(cid(100), (0, 0))]
    assert picture.outside[0].is_full()


def test_an_eye_outdoors_far_away_stands_in_the_landcell_under_it():
    picture = picture_of(house_at(), 100, (0.2, 1.0, 0.0), (0.2, 30.0, PIVOT_HEIGHT))
    assert picture.root == BLOCK | 2
    beyond = picture_of(house_at(), 100, (0.2, 1.0, 0.0), (0.2, 200.0, PIVOT_HEIGHT))
    assert beyond.root == BLOCK | 1  # the next landblock is not loaded: the landcell at the door


def test_the_eye_moves_on_into_the_next_landblock():
    north = (BLOCK & 0xFF000000) | ((BLOCK & 0x00FF0000) + 0x10000)
    g = house_at()
    add_outdoors(g, north)
    picture = picture_of(g, 100, (0.2, 1.0, 0.0), (0.2, 200.0, PIVOT_HEIGHT))
    assert picture.root == north | 1
    assert picture.view.eye == pytest.approx((0.2, 8.0, PIVOT_HEIGHT))


def test_a_walk_from_the_street_enters_through_the_building():
    g = house_at()
    foot, pivot, eye = (0.0, 3.0, FOOT), (0.0, 3.0, PIVOT_HEIGHT), (0.0, 1.0, PIVOT_HEIGHT)
    result = carry(g, OpeningIndex(), BLOCK | 1, foot, pivot=pivot, eye=eye)
    assert (result.root, result.carried) == (cid(100), ((BLOCK | 1, 0),))


def test_without_a_crossing_the_root_is_the_body_cell_even_over_the_next_landcell():
    g = house_at()
    foot, pivot, eye = (0.5, 23.9, 0.5), (0.5, 23.9, 1.5), (0.5, 24.5, 1.5)
    assert carry(g, OpeningIndex(), BLOCK | 1, foot, pivot=pivot, eye=eye).root == BLOCK | 1


def test_an_exit_to_land_that_is_not_loaded_blocks():
    g = graph({100: [P(DOOR, 0, EXIT)]})
    result = walk(g, 100, (0.0, 1.0, 0.0), (0.0, 3.0, PIVOT_HEIGHT))
    assert (result.root, result.blocked) == (cid(100), True)


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


@pytest.mark.parametrize("building", [True, False])
def test_K11b_a_leaning_portal_crossed_outward_and_back(building):
    # The opening leans inward: 2.0 at the floor, 1.9 at 2.5 m.
    lean = [(-0.5, 2.0, 0.0), (0.5, 2.0, 0.0), (0.5, 1.9, 2.5), (-0.5, 1.9, 2.5)]
    g = graph({100: [P(lean, 0, EXIT)]})
    add_outdoors(g)
    if building:
        add_building(g, [P(lean, 1, 100, 0)])
    pivot = (0.0, 1.945, PIVOT_HEIGHT)  # 5 mm outside
    eye = (0.0, 1.945, 1.3)
    result = carry(g, OpeningIndex(), cid(100), (0.0, 1.945, FOOT), pivot=pivot, eye=eye)
    assert result.root == cid(100)
    assert [is_outdoor(c) for c, _ in result.carried] == [False, True]


def test_more_than_16_crossings_give_up():
    cells = {}
    for i in range(30):
        y = 2.0 + 0.1 * i
        portals = [P(quad(y, -0.5, 0.5, z0=0, z1=2.2), 0, i + 1, 0)]
        if i:
            portals.insert(0, P(quad(y - 0.1, -0.5, 0.5, z0=0, z1=2.2), 1, i - 1, 1 if i > 1 else 0))
        cells[i] = portals
    g = graph(cells)
    result = walk(g, 0, (0.0, 1.0, 0.0), (0.0, 4.9, PIVOT_HEIGHT))
    assert (result.root, result.blocked, result.carried) == (cid(0), True, ())
    assert result.eye == (0.0, 1.0, PIVOT_HEIGHT)
    few = walk(g, 0, (0.0, 1.0, 0.0), (0.0, 3.55, PIVOT_HEIGHT))
    assert (few.root, len(few.carried)) == (cid(16), 16)


@pytest.mark.parametrize("block", [0x00010000, 0xFDFD0000])
def test_the_same_answer_at_the_corners_of_the_map(block):
    g = house_at(block=block)
    foot, pivot, eye = (0.2, 1.0, FOOT), (0.2, 1.0, PIVOT_HEIGHT), (0.2, 3.0, PIVOT_HEIGHT)
    result = carry(g, OpeningIndex(), block | 0x164, foot, pivot=pivot, eye=eye)
    assert (result.root, result.carried) == (block | 1, ((block | 0x164, 0),))


def test_frame_paths():
    assert picture_of(two_rooms(), 100, (0.0, 0.0, 0.0), (0.0, 0.0, 1.5)).path == SEALED
    interior = picture_of(house_at(), 100, (0.0, 0.0, 0.0), (0.0, 0.0, 1.5))
    assert (interior.path, interior.outside_visible) == (INTERIOR, True)
    away = picture_of(house_at(), 100, (0.0, 0.0, 0.0), (0.0, 0.0, 1.5), yaw=180.0)
    assert (away.path, away.outside_visible, away.look_ins) == (SEALED, False, ())


def test_the_own_door_makes_no_look_in_from_inside():
    picture = picture_of(house_at(), 100, (0.0, 0.0, 0.0), (0.0, 0.0, 1.5))
    assert picture.look_ins == ()
    assert [c.cell for c in picture.cells] == [cid(100)]


def test_another_house_is_looked_into_through_the_window():
    street = quad(20.0, -1.0, 1.0, z0=0.0, z1=2.2)
    g = graph({100: [P(DOOR, 0, EXIT)], 200: [P(street, 1, EXIT)]})
    add_outdoors(g)
    add_building(g, [P(DOOR, 1, 100, 0)])
    add_building(g, [P(street, 0, 200, 0)])
    picture = picture_of(g, 100, (0.0, 0.0, 0.0), (0.0, 0.0, 1.5))
    assert [(c.order, c.cell, c.flood) for c in picture.cells] == [(0, cid(100), None), (1, cid(200), (1, 0))]
    assert picture.cells[1].area < sum(v.area() for v in picture.outside) / 4.0
    off = picture_of(g, 100, (0.0, 0.0, 0.0), (0.0, 0.0, 1.5), options=ViewOptions(ALL, look_ins=False))
    assert [c.cell for c in off.cells] == [cid(100)]


def test_buildings_of_other_landblocks_are_looked_into():
    north = (BLOCK & 0xFF000000) | ((BLOCK & 0x00FF0000) + 0x10000)
    street = quad(6.0, -1.0, 1.0, z0=0.0, z1=2.2)
    other = graph({200: [P(street, 1, EXIT)]}, block=north)
    g = house_at(building=False)
    g.blocks[north] = other.blocks[north]
    add_outdoors(g, north)
    add_building(g, [P(street, 0, 200, 0)], block=north)
    view = View.from_angles((0.0, 0.0, 0.0), 0.0, 0.0, fov_y=53.64, width=320.0, height=180.0)
    foot, eye = (0.0, 190.0, 0.5), (0.0, 190.0, 1.5)
    picture = build_view(g, BLOCK | 8, foot=foot, pivot=eye, eye=eye, view=view, options=ViewOptions(ALL))
    assert [c.cell for c in picture.cells] == [north | 0x1C8]
    assert picture.look_ins[0].view.eye == pytest.approx((0.0, -2.0, 1.5))


@interpreted_only("a world of its own that keeps what it is asked")
def test_no_cell_is_looked_up_by_position_indoors():
    asked = []

    class Asked(CellGraph):
        def get_visible(self, cell_id):
            asked.append(cell_id)
            return super().get_visible(cell_id)

    g = Asked()
    g.blocks = two_rooms().blocks
    picture_of(g, 100, (0.0, 1.0, 0.0), (0.0, 3.0, 1.5))
    assert set(asked) == {cid(100), cid(101)}
