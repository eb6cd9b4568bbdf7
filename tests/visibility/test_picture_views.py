"""What a picture does around its floods: the eye off the openings' planes, which houses one looks into."""

from __future__ import annotations

import math

import pytest

from engine.visibility.flood_rules import FloodRules, WorkingSet
from engine.visibility.picture_view import NotTested, ViewOptions, build_view
from engine.visibility.view import View
from engine.world.frame import Frame, quat_of_heading
from engine.world.tolerance import EPS
from tests.visibility.view_scenes import (
    BLOCK,
    EXIT,
    P,
    add_building,
    add_outdoors,
    c0,
    cid,
    graph,
    quad,
    square,
    turned,
)

ALL = FloodRules(working_set=WorkingSet.ALL)
HERE = BLOCK | (4 * 8 + 4 + 1)  # the landcell from 96 m to 120 m
EYE = (100.0, 97.0, 1.5)


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("off", [0.0, 0.00015, -0.00015, 0.00025, -0.00025])
@pytest.mark.parametrize("degrees", [0.0, 50.0, 200.0])
def test_an_eye_in_an_openings_plane_is_moved_into_the_root(degrees, off, side):
    """Within 0.2 mm of the plane, straight along its normal; the root's frame is turned and lifted."""
    a = math.radians(degrees)
    normal = (
        -math.sin(a),
        -math.cos(a),
        0.0,
    )  # of quad(), turned; the positive side is the room's for side 0
    shift = (50.0, 60.0, 7.0)
    door = turned(square(0.0, 1.0), degrees, shift)
    frame = Frame((48.0, 61.0, 6.0), quat_of_heading(30.0))
    g = graph({100: [P(door, side, 101, 0)], 101: [P(door, 1 - side, 100, 0)]}, frames={100: frame})
    eye = tuple(s + n * off for s, n in zip(shift, normal, strict=True))
    options = ViewOptions(ALL, strict_root=True)
    found = build_view(g, cid(100), foot=eye, pivot=eye, eye=eye, view=c0(), options=options).view.eye
    inward = EPS if side == 0 else -EPS
    expected = inward if abs(off) < EPS else off
    assert found == pytest.approx([s + n * expected for s, n in zip(shift, normal, strict=True)], abs=1e-7)


def street(*distances, half=0.5, x=EYE[0], z=EYE[2]):
    """Houses of one room each, before the eye, with a square window so far away in the middle."""
    cells = {}
    windows = []
    for k, d in enumerate(distances):
        window = quad(EYE[1] + d, x - half, x + half, z0=z - half, z1=z + half)
        cells[200 + k] = [P(window, 1, EXIT)]
        windows.append(P(window, 0, 200 + k, 0))
    g = graph(cells)
    add_outdoors(g)
    for window in windows:
        add_building(g, [window])
    return g


def picture_of(g, view=None):
    options = ViewOptions(ALL, logged=True)
    return build_view(g, HERE, foot=EYE, pivot=EYE, eye=EYE, view=view or c0(), options=options)


@pytest.mark.parametrize("distances", [(10.0, 20.0, 30.0), (30.0, 10.0, 20.0)])
def test_houses_are_looked_into_from_the_far_one_to_the_near_one(distances):
    picture = picture_of(street(*distances))
    seen = [look_in.portal.other_cell_id - cid(200) for look_in in picture.look_ins]
    assert [distances[k] for k in seen] == sorted(distances, reverse=True)
    assert [row.cell for row in picture.cells] == [cid(200 + k) for k in reversed(seen)]
    assert (picture.buildings_tested, picture.not_tested) == (3, ())


def test_a_house_behind_the_eye_is_not_tried():
    picture = picture_of(street(10.0, -10.0))
    assert (picture.buildings_tested, picture.not_tested) == (1, ((BLOCK, 1, NotTested.OUT_OF_SIGHT),))


@pytest.mark.parametrize("tan", [(1.0, 1.0), (2.0, 0.5), (0.5, 2.0)])
@pytest.mark.parametrize("size", [(200.0, 200.0), (400.0, 100.0)])
@pytest.mark.parametrize(("times", "tried"), [(0.97, True), (1.03, False)])
def test_a_house_is_not_tried_where_no_opening_can_be_half_a_pixel(times, tried, size, tan):
    """Pixels are densest along one axis, and spheres seem longest in the picture's corners."""
    half = 0.01
    radius = half * math.sqrt(2.0)
    per_metre = max(size[0] / tan[0], size[1] / tan[1])  # pixels of a metre's sphere at a distance of 1 m
    stretch = math.sqrt(1.0 + tan[0] ** 2 + tan[1] ** 2)
    nearest = 2.0 * radius * stretch * per_metre * times
    view = View(
        EYE,
        right=(1.0, 0.0, 0.0),
        up=(0.0, 0.0, 1.0),
        forward=(0.0, 1.0, 0.0),
        tan_x=tan[0],
        tan_y=tan[1],
        width=size[0],
        height=size[1],
    )
    picture = picture_of(street(nearest + radius, half=half), view)
    assert picture.buildings_tested == tried
    assert picture.not_tested == (() if tried else ((BLOCK, 0, NotTested.TOO_SMALL),))
