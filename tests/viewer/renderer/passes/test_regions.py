"""Marks: the dilation of regions and the boxes around them (passes 3.3)."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyglm import glm

from engine.visibility.view import View
from engine.visibility.view_polygon import ViewPolygon, dilate, full_view
from viewer.renderer.passes.regions import pixel_box
from viewer.renderer.scene.matrices import EyeSpace

SQUARE = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]


def test_a_square_grows_by_a_quarter_of_a_pixel_on_each_side():
    grown = dilate(ViewPolygon(SQUARE), 200, 200)
    step = 0.25 / 100
    end = round(0.5 + step, 9)
    assert {(round(x, 9), round(y, 9)) for x, y in grown} == {
        (a, b) for a in (-end, end) for b in (-end, end)
    }


def test_the_full_screen_stays_as_it_is():
    assert dilate(full_view(), 200, 200) == full_view().points


def test_a_needle_gets_a_bevel_where_its_mitre_would_be_long():
    needle = [(0.0, 0.0), (0.9, -0.001), (0.9, 0.001)]
    grown = dilate(ViewPolygon(needle), 200, 200)
    assert len(grown) == 4
    assert min(x for x, _ in grown) > -4 * 0.25 / 100 - 1e-9


@settings(max_examples=60, derandomize=True, deadline=None)
@given(
    st.lists(st.floats(0, 2 * math.pi), min_size=3, max_size=9, unique=True),
    st.floats(0.05, 0.9),
    st.integers(50, 900),
    st.integers(50, 900),
)
def test_every_edge_moves_outward_by_the_amount(angles, radius, width, height):
    angles = sorted(angles)
    points = [(radius * math.cos(a), radius * math.sin(a)) for a in angles]
    if ViewPolygon(points).area < 1e-3:
        return
    grown = [(x * width / 2, y * height / 2) for x, y in dilate(ViewPolygon(points), width, height)]
    assert ViewPolygon(grown).area > 0
    pixels = [(x * width / 2, y * height / 2) for x, y in points]
    for k, (bx, by) in enumerate(pixels):
        ax, ay = pixels[k - 1]
        ex, ey = bx - ax, by - ay
        length = math.hypot(ex, ey)
        if length < 1e-3:
            continue
        off = [((x - ax) * ey - (y - ay) * ex) / length for x, y in grown]
        assert max(off) == pytest.approx(0.25, abs=1e-6)


def test_pixel_box_has_a_margin_and_stays_on_the_screen():
    assert pixel_box([ViewPolygon(SQUARE)], 200, 100) == (48, 23, 104, 54)
    assert pixel_box([full_view()], 200, 100) == (0, 0, 200, 100)
    assert pixel_box([], 200, 100) is None
    assert pixel_box([ViewPolygon([(2.0, 2.0), (3.0, 2.0), (2.0, 3.0)])], 200, 100) is None


def test_the_projection_agrees_with_the_traversal():
    view = View.from_angles((10.0, 20.0, 3.0), 33.0, -12.0, fov_y=60.0, width=640, height=360)
    eye = EyeSpace(view, 0xA9B40000)
    for p in ((14.0, 29.0, 1.0), (12.5, 60.0, 8.0), (10.5, 20.8, 2.9)):
        x, y, w = view.project(p)
        clip = eye.clip(0xA9B40001, p)
        assert clip[0] == pytest.approx(x, abs=1e-9)
        assert clip[1] == pytest.approx(y, abs=1e-9)
        assert clip[3] == pytest.approx(w, abs=1e-9)
    x, y, z = (c * 0.1 for c in view.forward)
    near = eye.matrix * glm.dvec4(x, y, z, 1.0)
    assert near[2] / near[3] == pytest.approx(-1.0)


def test_places_of_another_block_are_moved_to_the_eye():
    eye = EyeSpace(
        View.from_angles((190.0, 5.0, 0.0), 0.0, 0.0, fov_y=60.0, width=100, height=100), 0x01010000
    )
    assert eye.relative(0x02010001, (2.0, 5.0, 0.0)) == (4.0, 0.0, 0.0)


def test_spheres_beside_the_picture_are_not_seen():
    eye = EyeSpace(
        View(
            (0.0, 0.0, 0.0),
            right=(1, 0, 0),
            up=(0, 0, 1),
            forward=(0, 1, 0),
            tan_x=1.0,
            tan_y=1.0,
            width=200,
            height=200,
        ),
        0x01010000,
    )
    assert eye.sees_sphere(0x01010001, (0.0, 10.0, 0.0), 1.0)
    assert eye.sees_sphere(0x01010001, (11.0, 10.0, 0.0), 1.0)
    assert not eye.sees_sphere(0x01010001, (12.0, 10.0, 0.0), 1.0)
    assert not eye.sees_sphere(0x01010001, (0.0, -5.0, 0.0), 1.0)
    assert eye.sees_sphere(0x01010001, (0.0, -0.5, 0.0), 1.0)
