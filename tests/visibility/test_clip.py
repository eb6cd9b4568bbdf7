"""View polygons: tidy (V31, V32), clips, halves, edge planes, dilation (visibility 2.7-2.10, passes 3.3)."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.visibility.aperture import Aperture, LocalView
from engine.visibility.clip import clip_edges, clip_half, clip_w
from engine.visibility.tidy import EXACT_TIDY, MAX_VERTICES, ORIGINAL_TIDY, TidyLimits, covers_centre, tidy
from engine.visibility.view import View, basis, vertical_fov
from engine.visibility.view_polygon import (
    CONTAINED,
    ViewPolygon,
    contains,
    dilate,
    edge_terms,
    full_view,
)
from engine.world.cells import Opening
from engine.world.frame import Frame
from engine.world.polygon import Polygon
from engine.world.tolerance import EPS

EXACT = TidyLimits(EXACT_TIDY, 200.0, 200.0)
ORIGINAL = TidyLimits(ORIGINAL_TIDY, 200.0, 200.0)
PX = 0.01  # one pixel of 200 in NDC


def box(x0, y0, x1, y1):
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def test_V31_original_tidy_drops_a_collinear_vertex():
    points = [(-0.5, -0.5), (0.0, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
    assert len(tidy(points, ORIGINAL).points) == 4
    assert len(tidy(points, EXACT).points) == 5


def test_V31_original_tidy_merges_within_a_pixel():
    points = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (0.5 - 0.9 * PX, 0.5 + 0.9 * PX)]
    assert len(tidy(points, ORIGINAL).points) == 3
    assert len(tidy(points, EXACT).points) == 4


def test_V31_default_tidy_merges_within_a_fiftieth_of_a_pixel():
    near = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (0.5 - 0.019 * PX, 0.5 + 0.019 * PX)]
    assert len(tidy(near, EXACT).points) == 3
    apart = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (0.5 - 0.021 * PX, 0.5)]
    assert len(tidy(apart, EXACT).points) == 4
    around_the_end = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5 + 0.01 * PX, -0.5 + 0.01 * PX)]
    assert len(tidy(around_the_end, EXACT).points) == 3


def test_V31_points_are_divided_by_w():
    square = [(-1.0, -1.0, 2.0), (1.0, -1.0, 2.0), (1.0, 1.0, 2.0), (-1.0, 1.0, 2.0)]
    assert clip_w(square) == box(-0.5, -0.5, 0.5, 0.5)


@pytest.mark.parametrize(
    "points",
    [
        [(-0.5, 0.0), (0.5, 0.0)],
        box(0.0, 0.0, 0.49 * PX, 0.49 * PX),
        [(-0.5, 0.0), (0.5, 0.0), (0.0, 1e-10)],
    ],
    ids=["two points", "under half a pixel both ways", "without area"],
)
def test_V32_what_tidy_rejects(points):
    assert tidy(points, EXACT) is None


@pytest.mark.parametrize(("x", "kept"), [(0.01, False), (0.05, True), (0.45, True), (0.54, False)])
def test_a_speck_on_a_pixels_centre_is_kept_and_one_beside_it_is_not(x, kept):
    """Dropped, the one pixel that it covers would stay unpainted: nothing else lies behind an opening."""
    speck = box(x * PX, 0.4 * PX, (x + 0.46) * PX, 0.6 * PX)
    assert (tidy(speck, EXACT) is not None) == kept
    assert tidy([(y, x) for x, y in reversed(speck)], EXACT) is None or kept


@pytest.mark.parametrize(("y", "kept"), [(0.5, True), (0.52, False)])
def test_a_sliver_whose_corners_merge_is_kept_where_it_covers_a_pixels_centre(y, kept):
    """Four pixels long, it widens to a hundredth of one: what is seen past the edge of a wall."""
    sliver = [(0.1 * PX, y * PX), (4.1 * PX, (y - 0.006) * PX), (4.1 * PX, (y + 0.006) * PX)]
    assert (tidy(sliver, EXACT) is not None) == kept
    assert tidy(sliver, ORIGINAL) is None


@given(
    st.lists(st.tuples(st.floats(-0.03, 0.03), st.floats(-0.03, 0.03)), min_size=3, max_size=3),
    st.floats(0.0, 1.0),
)
@settings(max_examples=300)
def test_a_pixels_centre_is_covered_where_the_edges_say_so(corners, squeeze):
    """Against the inside test of every centre near by; within rounding of an edge both answers will do."""
    flat = [(x, y * squeeze) for x, y in corners]
    triangle = flat if ViewPolygon(flat).area > 0.0 else flat[::-1]
    assume(ViewPolygon(triangle).area > 1e-9)
    centres = [((i + 0.5) * PX, (j + 0.5) * PX) for i in range(-5, 5) for j in range(-5, 5)]
    depth = max(min(ex * y - ey * x + c for ex, ey, c in edge_terms(triangle)) for x, y in centres)
    assume(abs(depth) > 0.01 * PX)
    assert covers_centre(triangle, EXACT) == (depth > 0.0)


def test_V32_a_sliver_that_is_long_enough_is_kept():
    """Half a pixel one way will do, also where no centre is covered."""
    for long in (0.5, 0.26 * PX):
        lying, standing = box(-long, 0.0, long, 0.4 * PX), box(0.0, -long, 0.4 * PX, long)
        assert not covers_centre(lying, EXACT) and not covers_centre(standing, EXACT)
        assert tidy(lying, EXACT) is not None
        assert tidy(standing, EXACT) is not None


@pytest.mark.parametrize(("width", "height"), [(200.0, 200.0), (400.0, 100.0), (100.0, 400.0)])
def test_V32_a_millionth_of_a_pixels_area_is_too_little(width, height):
    """Even along a row of pixels' centres."""
    limits = TidyLimits(EXACT_TIDY, width, height)
    y, millionth = 1.0 / height, 4e-6 / (width * height)
    assert tidy(box(-0.5, y, 0.5, y + 0.9 * millionth), limits) is None
    assert tidy(box(-0.5, y, 0.5, y + 1.1 * millionth), limits) is not None


@pytest.mark.parametrize("turn", [0.0, 30.0, 45.0, 120.0, 135.0])
def test_V31_a_corner_is_straight_by_its_distance_from_the_longer_span(turn):
    """Half a pixel from the end of a span of 20 pixels to the line of one of 60, however they lie."""
    a = math.radians(turn)
    s, c = math.sin(a) * PX, math.cos(a) * PX
    for off, corners in ((-0.36, 4), (-0.39, 5)):
        for x in (-20, 20):
            shape = [(-40, -20), (x, -20 + off), (40, -20), (40, 20), (-40, 20)]
            points = [(x * c - y * s, x * s + y * c) for x, y in shape]
            assert len(tidy(points, ORIGINAL).points) == corners


def test_more_than_31_vertices_lose_their_straight_corners():
    points = [(-0.5 + i / 40.0, -0.5) for i in range(40)] + [(0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
    assert len(points) > MAX_VERTICES
    kept = tidy(points, EXACT)
    assert len(kept.points) == 4
    assert kept.area == pytest.approx(1.0)


def test_the_w_cut_is_at_eps_and_not_at_the_near_plane():
    # A wall beside the eye, from 5 m behind to 5 m ahead, 1 m to the right.
    wall = [(1.0, -1.0, 5.0), (1.0, -1.0, -5.0), (1.0, 1.0, -5.0), (1.0, 1.0, 5.0)]
    flat = clip_w(wall)
    assert max(p[0] for p in flat) == pytest.approx(1.0 / EPS)
    aslant = clip_w([(0.0, -1.0, 1.0), (1.0, -1.0, -1.0), (0.0, 1.0, 1.0)])
    assert max(p[0] for p in aslant) == pytest.approx((1.0 - EPS) / 2 / EPS, rel=1e-9)
    assert clip_w([(x, y, -1.0) for x, y, _ in wall]) == []


def test_clip_returns_the_same_list_where_nothing_is_cut():
    inner = box(-0.5, -0.5, 0.5, 0.5)
    assert clip_edges(inner, full_view().edges) is inner
    assert clip_edges(box(2.0, 2.0, 3.0, 3.0), full_view().edges) == []


angles = st.lists(st.floats(0.0, 359.0), min_size=3, max_size=8, unique=True)


def convex(center, radius, degrees):
    return [
        (center[0] + radius * math.cos(math.radians(a)), center[1] + radius * math.sin(math.radians(a)))
        for a in sorted(degrees)
    ]


centers = st.tuples(st.floats(-0.8, 0.8), st.floats(-0.8, 0.8))


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    c1=centers,
    r1=st.floats(0.1, 1.0),
    a1=angles,
    c2=centers,
    r2=st.floats(0.1, 1.0),
    a2=angles,
    data=st.data(),
)
def test_a_clip_holds_exactly_the_points_of_both(*, c1, r1, a1, c2, r2, a2, data):
    one, two = convex(c1, r1, a1), convex(c2, r2, a2)
    if ViewPolygon(one).area < 1e-4 or ViewPolygon(two).area < 1e-4:
        return
    a, b = ViewPolygon(one), ViewPolygon(two)
    flat = clip_edges(clip_w([(x, y, 1.0) for x, y in one]), b.edges)
    cut = tidy(flat, EXACT) if flat else None
    for _ in range(20):
        x, y = data.draw(centers)
        depth = min(ex * y - ey * x + c for ex, ey, c in a.edges + b.edges)
        if abs(depth) > 2e-3:
            assert (cut is not None and cut.contains_point(x, y)) == (depth > 0.0)
    if cut is not None:
        assert contains(a, cut)
        assert contains(b, cut)
        assert cut.area > 0.0


def test_containment_tolerance():
    outer = ViewPolygon(box(-0.5, -0.5, 0.5, 0.5))
    assert contains(outer, ViewPolygon(box(-0.5, -0.5, 0.5 + 0.9 * CONTAINED, 0.5)))
    assert not contains(outer, ViewPolygon(box(-0.5, -0.5, 0.5 + 1.1 * CONTAINED, 0.5)))


def test_a_half_of_a_view():
    assert clip_half(full_view(), 1.0, 0.0, 0.0, limits=EXACT).area == pytest.approx(2.0)
    assert clip_half(full_view(), 0.0, 0.0, -1.0, limits=EXACT) is None
    assert clip_half(full_view(), 0.0, 0.0, 1.0, limits=EXACT).is_full()
    assert clip_half(full_view(), 1.0, 0.0, -2.0, limits=EXACT) is None


def test_edge_planes_are_the_products_of_the_corner_rays():
    view = View.from_angles((3.0, -2.0, 7.0), 130.0, -20.0, fov_y=53.64, width=1600.0, height=900.0)
    polygon = ViewPolygon([(-0.2, -0.3), (0.6, -0.1), (0.5, 0.7), (-0.4, 0.2)])
    planes = view.edge_planes(polygon)
    for k, (nx, ny, nz, d) in enumerate(planes):
        start, end = polygon.points[k - 1], polygon.points[k]
        a, b = view.ray(*end), view.ray(*start)  # ray[k + 1] x ray[k]
        cross = (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
        length = math.hypot(*cross)
        assert (nx, ny, nz) == pytest.approx([v / length for v in cross])
        assert nx * 3.0 - ny * 2.0 + nz * 7.0 + d == pytest.approx(0.0, abs=1e-9)
        inside = view.ray(0.1, 0.1)
        assert nx * inside[0] + ny * inside[1] + nz * inside[2] > 0.0


def test_rays_and_projection_agree():
    view = View.from_angles((3.0, -2.0, 7.0), 130.0, -20.0, fov_y=53.64, width=1600.0, height=900.0)
    ray = view.ray(0.3, -0.6)
    x, y, w = view.project(tuple(e + 4.0 * r for e, r in zip(view.eye, ray, strict=True)))
    assert (x / w, y / w, w) == pytest.approx((0.3, -0.6, 4.0))


def test_a_cell_that_lies_aslant_sees_its_points_where_the_rays_go_through_them():
    view = View.from_angles((3.0, -2.0, 7.0), 130.0, -20.0, fov_y=53.64, width=1600.0, height=400.0)
    frame = Frame((5.0, 1.0, -3.0), (0.8, 0.36, 0.48, 0.0))
    local = LocalView(view, frame)
    wanted = [(0.3, -0.6), (0.5, 0.2), (-0.7, 0.9)]
    points = []
    for (x, y), far in zip(wanted, (4.0, 5.0, 0.7), strict=True):
        ray = view.ray(x, y)
        points.append(frame.to_local(tuple(e + far * r for e, r in zip(view.eye, ray, strict=True))))
    opening = seen(Opening(Polygon(0, points), 0), local, 0.0)
    assert sum(opening.flat(), ()) == pytest.approx(sum(wanted, ()))
    for (x, y), p in zip(wanted, points, strict=True):
        px, py, pw = local.project_point(p)
        assert (px / pw, py / pw) == pytest.approx((x, y))


def seen(opening, local, straddle):
    """An opening as an eye sees it."""
    return Aperture(opening, local, straddle, local.facing(opening))


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    where=st.tuples(st.floats(-6.0, 6.0), st.floats(-2.0, 6.0), st.floats(-2.0, 2.0)),
    turn=st.floats(0.0, 180.0),
    corners=angles,
    side=st.sampled_from([0, 1]),
    center=centers,
    radius=st.floats(0.1, 0.6),
    degrees=angles,
)
def test_an_opening_beside_a_region_or_behind_the_eye_shows_what_its_cut_picture_would(
    *, where, turn, corners, side, center, radius, degrees
):
    """Some of them are found out before they are cut or projected."""
    ahead = View((0.0, 0.0, 0.0), right=(1.0, 0.0, 0.0), up=(0.0, 0.0, 1.0), forward=(0.0, 1.0, 0.0),
                 tan_x=1.0, tan_y=1.0, width=200.0, height=200.0)  # fmt: skip
    local = LocalView(ahead, Frame((0.0, 0.0, 0.0)))
    along, across = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    x, y, z = where
    flat = convex((0.0, 0.0), 1.0, corners)
    polygon = Polygon(0, [(x + along * a, y + across * a, z + b) for a, b in flat])
    opening = seen(Opening(polygon, side), local, 0.0)
    points = clip_w([ahead.project(p) for p in polygon.vertices])
    if polygon.distance((0.0, 0.0, 0.0)) <= 0.0:
        points = clip_w([ahead.project(p) for p in reversed(polygon.vertices)])
    region = ViewPolygon(convex(center, radius, degrees))
    cut = clip_edges(points, region.edges) if points else points
    whole = tidy(cut, EXACT) if cut else None
    shown = opening.clip(region, EXACT)
    assert (shown and shown.points) == (whole and whole.points)


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(
    ("y", "out"), [(-3.0, True), (-EPS, True), (0.0, True), (EPS, True), (1.01 * EPS, False)]
)
def test_one_looks_out_of_an_opening_from_its_owners_side_and_from_in_its_plane(y, out, side):
    corners = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 0.0, 1.0), (0.0, 0.0, 1.0)]
    polygon = Polygon(0, corners if side == 0 else corners[::-1])
    assert polygon.normal[1] == (-1.0 if side == 0 else 1.0)  # the owner lies at negative y
    view = View.from_angles((0.5, y, 0.5), 0.0, 0.0, fov_y=60.0, width=200.0, height=200.0)
    opening = seen(Opening(polygon, side), LocalView(view, Frame((0.0, 0.0, 0.0))), 0.0)
    assert opening.looks_out == out
    assert opening.facing == pytest.approx(-y)
    assert opening.d == pytest.approx(polygon.distance(view.eye))


@pytest.mark.parametrize(("x", "z"), [(1.98, 0.0), (-1.98, 0.0), (0.0, 1.98), (0.0, -1.98)])
def test_an_opening_of_which_a_corner_is_in_a_narrow_view_is_not_taken_for_outside_it(x, z):
    """Seen through a glass a metre counts for more of the picture."""
    view = View((0.0, 0.0, 0.0), right=(1.0, 0.0, 0.0), up=(0.0, 0.0, 1.0), forward=(0.0, 1.0, 0.0),
                tan_x=0.2, tan_y=0.2, width=200.0, height=200.0)  # fmt: skip
    local = LocalView(view, Frame((0.0, 0.0, 0.0)))
    for corners in (box(x - 1, z - 1, x + 1, z + 1), [(x - 1, z), (x, z - 1), (x + 1, z), (x, z + 1)]):
        polygon = Polygon(0, [(cx, 5.0, cz) for cx, cz in corners])
        opening = seen(Opening(polygon, 0), local, 0.0)
        assert opening.clip(full_view(), EXACT) is not None


@pytest.mark.parametrize(("roll", "pitch"), [(0.0, -30.0), (30.0, 0.0), (-50.0, 20.0), (160.0, -10.0)])
@pytest.mark.parametrize("side", [0, 1])
def test_an_eye_in_a_trapdoor_sees_what_its_rays_come_to_however_the_head_leans(roll, pitch, side):
    """From above (side 0) what lies below the horizon, from below what lies above it."""
    a, b = math.radians(roll), math.radians(pitch)
    ahead, top = (0.0, math.cos(b), math.sin(b)), (0.0, -math.sin(b), math.cos(b))
    right = (math.cos(a), *(math.sin(a) * v for v in top[1:]))
    up = (-math.sin(a), *(math.cos(a) * v for v in top[1:]))
    view = View((0.1, 0.2, 0.0), right=right, up=up, forward=ahead, tan_x=0.9, tan_y=0.6,
                width=300.0, height=200.0)  # fmt: skip
    hatch = Polygon(0, [(-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (1.0, 1.0, 0.0), (-1.0, 1.0, 0.0)])
    local = LocalView(view, Frame((0.0, 0.0, 0.0)))
    opening = seen(Opening(hatch, side), local, 0.002)
    assert opening.straddling
    half = opening.clip(full_view(), EXACT)
    for x in (-0.9, -0.4, 0.1, 0.5, 0.8):
        for y in (-0.8, -0.3, 0.2, 0.6, 0.9):
            down = -view.ray(x, y)[2]
            if abs(down) > 0.02:
                assert half.contains_point(x, y) == ((down > 0.0) == (side == 0))


@pytest.mark.parametrize("pitch", [-90.0, 0.0, 90.0])
def test_the_basis_is_right_handed_and_up_follows_the_yaw(pitch):
    right, up, forward = basis(90.0, pitch)
    assert right == pytest.approx((0.0, -1.0, 0.0), abs=1e-12)
    cross = (
        right[1] * forward[2] - right[2] * forward[1],
        right[2] * forward[0] - right[0] * forward[2],
        right[0] * forward[1] - right[1] * forward[0],
    )
    assert up == pytest.approx(cross, abs=1e-12)


def test_the_game_fov_at_16_to_9():
    assert vertical_fov(16.0 / 9.0) == pytest.approx(53.64, abs=0.01)
    assert vertical_fov(0.5) == 100.0
    assert vertical_fov(4.0) == 30.0


def test_dilation_moves_every_edge_by_a_quarter_pixel():
    wide = ViewPolygon(dilate(ViewPolygon(box(-0.5, -0.5, 0.5, 0.5)), 200, 200))
    assert len(wide.points) == 4
    assert (wide.x0, wide.y0, wide.x1, wide.y1) == pytest.approx((-0.5025, -0.5025, 0.5025, 0.5025))


def test_dilation_bevels_a_needle_and_leaves_the_full_screen():
    needle = ViewPolygon([(-0.9, 0.0), (0.9, -0.01), (0.9, 0.01)])
    assert len(dilate(needle, 200, 200)) == 4
    assert dilate(full_view(), 200, 200) == full_view().points


@settings(max_examples=60, deadline=None, derandomize=True)
@given(centers, st.floats(0.1, 1.0), angles)
def test_a_dilated_polygon_reaches_a_quarter_pixel_beyond_every_edge(center, radius, degrees):
    polygon = tidy(convex(center, radius, degrees), EXACT)
    if polygon is None:
        return
    grown = ViewPolygon(dilate(polygon, 200.0, 200.0))
    assert contains(grown, polygon)
    for k, (bx, by) in enumerate(polygon.points):
        ax, ay = polygon.points[k - 1]
        ex, ey, _ = polygon.edges[k]
        for out, inside in ((0.2499, True), (0.2501, False)):
            x, y = (ax + bx) / 2 + out * PX * ey, (ay + by) / 2 - out * PX * ex
            assert grown.contains_point(x, y) is inside
