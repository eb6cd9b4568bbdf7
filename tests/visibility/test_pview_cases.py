"""Traversal cases of visibility 11.2: what one opening shows, and one behind the other."""

from __future__ import annotations

import math

import pytest

from engine.visibility.aperture import LocalView
from engine.visibility.cell_view import CellView
from engine.visibility.flood_rules import REASONS, FloodRules, WorkingSet
from engine.visibility.pview import PView
from engine.visibility.tidy import ORIGINAL_TIDY
from engine.world.frame import Frame, quat_of_heading
from tests.visibility.view_scenes import (
    BLOCK,
    DOOR,
    EXIT,
    P,
    approx,
    areas,
    c0,
    cid,
    flood,
    graph,
    looking,
    order,
    outside,
    quad,
    square,
    turned,
    v29,
)


def two_rooms(**kwargs):
    return graph({100: [P(DOOR, 0, 101, 0, **kwargs)], 101: [P(DOOR, 1, 100, 0, **kwargs)]})


def test_V1_a_cell_without_portals():
    f = flood(graph({100: []}))
    assert order(f) == [100]
    assert f.outside == ()


def test_V2_one_door():
    f = flood(two_rooms())
    assert order(f) == [100, 101]
    assert areas(f, 101) == [approx(2500)]
    assert f.cells[cid(101)].dist == pytest.approx(4.5)
    assert len(f.cells[cid(100)].views) == 1


def test_V3_a_portal_that_faces_away_is_closed():
    f = flood(graph({100: [P(DOOR, 1, 101, 0)], 101: [P(DOOR, 0, 100, 0)]}))
    assert order(f) == [100]
    assert f.cells[cid(100)].dist == pytest.approx(4.5)


def test_V3b_reversed_polygon_with_swapped_sides():
    back = DOOR[::-1]
    f = flood(graph({100: [P(back, 1, 101, 0)], 101: [P(back, 0, 100, 0)]}))
    assert order(f) == [100, 101]
    assert areas(f, 101) == [approx(2500)]
    assert f.cells[cid(101)].dist == pytest.approx(4.5)


def test_V4_exit_portal():
    f = flood(graph({100: [P(DOOR, 0, EXIT)]}))
    assert outside(f) == [approx(2500)]
    assert order(f) == [100]


def test_V4b_exit_portal_of_a_look_in_is_ignored():
    f = flood(graph({100: [P(DOOR, 0, EXIT)]}), landscape=False)
    assert f.outside == ()
    assert order(f) == [100]


def with_more(rooms):
    """V2 with more portals after the reciprocal of cell 101 and more cells."""
    base = {100: [P(DOOR, 0, 101, 0)], 101: [P(DOOR, 1, 100, 0)]}
    for n, portals in rooms.items():
        base.setdefault(n, []).extend(portals)
    return graph(base)


def test_V5_chain_of_three_with_an_exit():
    g = with_more({
        101: [P(square(4, 0.5), 0, 102, 0)],
        102: [P(square(4, 0.5), 1, 101, 1), P(square(6, 3), 0, EXIT)],
    })  # fmt: skip
    f = flood(g)
    assert order(f) == [100, 101, 102]
    assert areas(f, 101) == [approx(2500)]
    assert areas(f, 102) == [approx(625)]
    assert outside(f) == [approx(625)]
    assert f.cells[cid(101)].dist == pytest.approx(4.5)
    assert f.cells[cid(102)].dist == pytest.approx(16.5)


def test_V6_a_portal_that_only_touches_the_window_is_not_passed():
    far = quad(4, 1, 2, z0=-0.5, z1=0.5)
    f = flood(with_more({101: [P(far, 0, 102, 0)], 102: [P(far, 1, 101, 1)]}))
    assert order(f) == [100, 101]
    assert REASONS[f.cells[cid(101)].reasons[1]] == "clipped away"


def test_V7_a_portal_half_in_the_window():
    far = quad(4, 0, 2, z0=-0.5, z1=0.5)
    f = flood(with_more({101: [P(far, 0, 102, 0)], 102: [P(far, 1, 101, 1)]}))
    assert areas(f, 102) == [approx(625)]
    assert f.cells[cid(102)].dist == pytest.approx(20.25)


def test_V10_a_missing_neighbour_is_reported_and_closed():
    f = flood(graph({100: [P(DOOR, 0, 999)]}))
    assert order(f) == [100]
    assert f.missing == ((cid(100), 0, cid(999)),)
    assert REASONS[f.cells[cid(100)].reasons[0]] == "missing"
    assert cid(999) not in f.cells


@pytest.mark.parametrize("y", [1.95, 1.9999, 2.0, 2.00005])
def test_V11_near_and_in_the_plane_the_neighbour_fills_the_screen(y):
    f = flood(two_rooms(), view=c0((0.0, y, 0.0)))
    assert areas(f, 101) == [approx(40000)]


@pytest.mark.parametrize("y", [1.9999, 2.0, 2.00005])
def test_V11_without_the_straddle_rule_the_neighbour_is_lost(y):
    rules = FloodRules(working_set=WorkingSet.ALL, straddle=0.0)
    assert order(flood(two_rooms(), view=c0((0.0, y, 0.0)), rules=rules)) == [100]


def test_V11b_straddling_shows_the_half_beyond_the_plane():
    eye = (0.0, 1.999, 0.0)
    away = looking(eye, (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0))
    assert order(flood(two_rooms(), view=away)) == [100]
    along = looking(eye, (0.0, -1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0))
    assert areas(flood(two_rooms(), view=along), 101) == [approx(20000)]


@pytest.mark.parametrize("flip", [False, True])
def test_V12_a_portal_beside_the_eye_is_clipped_not_dropped(flip):
    side = [(1, -5, -1), (1, 5, -1), (1, 5, 1), (1, -5, 1)]  # normal +x: the eye is on its negative side
    vertices, ps = (side[::-1], 0) if flip else (side, 1)
    f = flood(graph({100: [P(vertices, ps, 101, 0)], 101: [P(vertices, 1 - ps, 100, 0)]}))
    assert areas(f, 101) == [approx(9600)]


def test_V13_a_portal_behind_the_eye():
    behind = square(-2, 0.5)[::-1]  # normal +y: faces the eye
    f = flood(graph({100: [P(behind, 0, 101, 0)], 101: [P(behind, 1, 100, 0)]}))
    assert order(f) == [100]


@pytest.mark.parametrize(
    ("exact", "k", "expected"),
    [(False, 0, 1250), (True, 0, 2500), (False, -1, 2500)],
    ids=["V14", "V14b", "V14c"],
)
def test_V14_the_reciprocal_polygon_cuts_the_region(exact, k, expected):
    narrow = quad(2, -0.25, 0.25, z0=-0.5, z1=0.5)
    g = graph(
        {
            100: [P(vertices=DOOR, ps=0, to=101, k=k, exact=exact)],
            101: [P(vertices=narrow, ps=1, to=100, k=0, exact=exact)],
        }
    )
    assert areas(flood(g), 101) == [approx(expected)]


def test_V14_a_reciprocal_index_out_of_range_counts_as_none():
    f = flood(graph({100: [P(DOOR, 0, 101, 7)], 101: []}))
    assert areas(f, 101) == [approx(2500)]
    assert f.bad_reciprocals == ((cid(100), 0),)


@pytest.mark.parametrize(("y", "area"), [(100, 1.0), (190, 0.277), (210, None), (250, None)])
def test_V15_the_size_below_which_a_door_is_not_passed(y, area):
    f = flood(graph({100: [P(square(y, 0.5), 0, 101)], 101: []}))
    if area is None:
        assert order(f) == [100]
    else:
        assert areas(f, 101) == [approx(area)]


@pytest.mark.parametrize("y", [190, 210, 250])
def test_V15_the_original_rule_stops_earlier(y):
    rules = FloodRules(working_set=WorkingSet.ALL, tidy=ORIGINAL_TIDY)
    assert order(flood(graph({100: [P(square(y, 0.5), 0, 101)], 101: []}), rules=rules)) == [100]


def test_V15b_a_door_at_30_m():
    f = flood(graph({100: [P(square(30, 0.5), 0, 101)], 101: []}))
    assert areas(f, 101) == [approx(11.1)]


TRAPDOOR = [(-0.5, -0.5, 0.0), (0.5, -0.5, 0.0), (0.5, 0.5, 0.0), (-0.5, 0.5, 0.0)]


def trapdoor_rooms():
    return graph({100: [P(TRAPDOOR, 0, 101, 0)], 101: [P(TRAPDOOR, 1, 100, 0)]})


def test_V20_looking_down_through_a_trapdoor():
    down = looking((0.0, 0.0, 1.5), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, -1.0))
    assert areas(flood(trapdoor_rooms(), view=down), 101) == [approx(4444.4)]


def test_V20_looking_up_from_below_depends_on_the_root():
    up = looking((0.0, 0.0, -1.5), (1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0))
    assert order(flood(trapdoor_rooms(), view=up)) == [100]
    assert areas(flood(trapdoor_rooms(), root=101, view=up), 100) == [approx(4444.4)]


def test_V22_a_coincident_onward_portal_is_passed():
    g = graph({
        100: [P(DOOR, 0, 101, 0)],
        101: [P(DOOR, 1, 100, 0), P(DOOR, 0, 102, 0)],
        102: [P(DOOR, 1, 101, 1)],
    })  # fmt: skip
    assert areas(flood(g), 102) == [approx(2500)]


def test_V26_an_arch_keeps_its_seven_vertices():
    arc = [
        (0.5 * math.cos(math.radians(a)), 2.0, 0.25 + 0.5 * math.sin(math.radians(a))) for a in (45, 90, 135)
    ]
    arch = [(0.5, 2, -0.5), (0.5, 2, 0.25), *arc, (-0.5, 2, 0.25), (-0.5, 2, -0.5)]
    f = flood(graph({100: [P(arch, 0, 101, 0)], 101: [P(arch, 1, 100, 0)]}))
    assert len(f.cells[cid(101)].views[0].points) == 7
    assert areas(f, 101) == [approx(2758.9)]


def test_V27_a_portal_half_off_the_screen():
    f = flood(graph({100: [P(quad(2, 1, 3, z0=-0.5, z1=0.5), 0, 101)], 101: []}))
    assert areas(f, 101) == [approx(2500)]


def test_V28_moved_and_turned():
    shift = (10.0, 20.0, 3.0)
    door = turned(DOOR, 90.0, shift)
    frames = {
        100: Frame((1.0, 2.0, 3.0), quat_of_heading(37.0)),
        101: Frame((-4.0, 2.0, 1.0), quat_of_heading(200.0)),
    }
    g = graph({100: [P(door, 0, 101, 0)], 101: [P(door, 1, 100, 0)]}, frames)
    f = flood(g, view=looking(shift, (0.0, -1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)))
    assert order(f) == [100, 101]
    assert areas(f, 101) == [approx(2500)]
    assert f.cells[cid(101)].dist == pytest.approx(4.5)


def test_V33_a_landcell_is_refused():
    g = graph({100: []})
    with pytest.raises(ValueError, match="landcell"):
        PView(g, c0()).construct(BLOCK | 0x21)
    with pytest.raises(LookupError, match="not resident"):
        PView(g, c0()).construct(cid(999))


def test_cells_that_are_turned_alike_share_the_turned_view_to_the_bit():
    quarter = Frame((3.0, -2.0, 0.5), (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5)))
    spaces = {1: Frame((0.1, 0.2, 0.3)), 2: quarter, 3: Frame((7.0, 0.0, 0.0), quarter.quat)}
    f = flood(graph(v29(), frames=spaces), root=1)
    turned = {}
    for n in (1, 2, 3):
        cell = f.cells[cid(n)].cell
        shared, own = CellView(cell).local(f.view, turned), LocalView(f.view, cell.frame)
        for name in ("eye", "forward", "right", "scale_x", "scale_y", "up"):
            assert getattr(shared, name) == getattr(own, name)
    assert list(turned) == [(1.0, 0.0, 0.0, 0.0), quarter.quat]
