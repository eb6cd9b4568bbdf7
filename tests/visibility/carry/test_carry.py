"""The carried root: K1-K5, K9-K11b of visibility 11.3."""

from __future__ import annotations

import math
import random

import pytest

from engine.visibility.camera import PIVOT_HEIGHT, Camera, offset_eye
from engine.visibility.carry import PULL_BACK, carry
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import INTERIOR, OUTDOOR, SEALED, ViewOptions, build_view
from engine.visibility.view import View
from engine.world.cell_graph import CellGraph
from engine.world.ids import is_outdoor
from tests.needed import interpreted_only
from tests.visibility.carry.carry_scenes import (
    ALL,
    DOOR,
    FOOT,
    house_at,
    picture_of,
    seen,
    trapdoor,
    two_rooms,
    walk,
)
from tests.visibility.view_scenes import BLOCK, EXIT, P, add_building, add_outdoors, cid, graph, quad


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
    assert picture.cells[1].area < sum(v.area for v in picture.outside) / 4.0
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
