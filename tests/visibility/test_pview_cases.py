"""The traversal cases V1-V22 and V26-V30, V33 of visibility 11.2."""

from __future__ import annotations

import math
import random

import pytest

from engine.visibility.aperture import LocalView
from engine.visibility.cell_view import CellView
from engine.visibility.flood_rules import REASONS, FloodRules
from engine.visibility.pview import PView
from engine.visibility.tidy import ORIGINAL_TIDY
from engine.world.frame import Frame, quat_of_heading
from tests.visibility.view_scenes import (
    BLOCK,
    DOOR,
    EXIT,
    LEFT,
    RIGHT,
    P,
    areas,
    c0,
    cid,
    flood,
    graph,
    looking,
    order,
    outside,
    quad,
    short,
    snapshot,
    square,
    turned,
)


def two_rooms(**kwargs):
    return graph({100: [P(DOOR, 0, 101, 0, **kwargs)], 101: [P(DOOR, 1, 100, 0, **kwargs)]})


def approx(value):
    return pytest.approx(value, rel=0.005)


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


def v8():
    near, far, last = quad(4, -3, -1, z0=-1, z1=1), quad(4, 1, 3, z0=-1, z1=1), quad(8, -6, 6, z0=-2, z1=2)
    return {
        100: [P(LEFT, 0, 101, 0), P(RIGHT, 0, 102, 0)],
        101: [P(LEFT, 1, 100, 0), P(near, 0, 103, 0)],
        102: [P(RIGHT, 1, 100, 1), P(far, 0, 103, 1)],
        103: [P(near, 1, 101, 1), P(far, 1, 102, 1), P(last, 0, 104, 0)],
        104: [P(last, 1, 103, 2)],
    }


def test_V8_a_cell_seen_through_two_doors_keeps_both_views():
    f = flood(graph(v8()))
    assert order(f) == [100, 101, 102, 103, 104]
    assert areas(f, 103) == [approx(2500), approx(2500)]
    assert areas(f, 104) == [approx(2500), approx(2500)]
    assert f.counters.appends == 6


def test_V9_a_cycle_without_reciprocals_ends():
    g = graph({
        100: [P(DOOR, 0, 101)], 101: [P(square(4, 0.5), 0, 102)], 102: [P(square(6, 0.5), 0, 100)]
    })  # fmt: skip
    f = flood(g)
    assert order(f) == [100, 101, 102]
    assert f.counters.appends == 2


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
    rules = FloodRules(working_set="all", straddle=0.0)
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
    rules = FloodRules(working_set="all", tidy=ORIGINAL_TIDY)
    assert order(flood(graph({100: [P(square(y, 0.5), 0, 101)], 101: []}), rules=rules)) == [100]


def test_V15b_a_door_at_30_m():
    f = flood(graph({100: [P(square(30, 0.5), 0, 101)], 101: []}))
    assert areas(f, 101) == [approx(11.1)]


def v16():
    return graph({
        100: [P(LEFT, 0, 101, 0), P(RIGHT, 0, 101, 1)],
        101: [P(LEFT, 1, 100, 0), P(RIGHT, 1, 100, 1), P(quad(4, -4, 4, z0=-1, z1=1), 0, EXIT)],
    })  # fmt: skip


def test_V16_two_doors_into_one_cell():
    f = flood(v16())
    assert order(f) == [100, 101]
    assert areas(f, 101) == [approx(2500), approx(2500)]
    assert outside(f) == [approx(2500), approx(2500)]


def test_V17_the_working_set_bounds_the_flood():
    f = flood(v16(), allowed=[100])
    assert order(f) == [100]
    assert f.outside == ()
    assert REASONS[f.cells[cid(100)].reasons[0]] == "not in the stab list"
    assert f.missing == ()


def test_V18_the_same_door_listed_twice():
    g = graph({
        100: [P(DOOR, 0, 101, 0), P(DOOR, 0, 101, 0)],
        101: [P(DOOR, 1, 100, 0), P(square(4, 0.5), 0, EXIT)],
    })  # fmt: skip
    f = flood(g)
    assert areas(f, 101) == [approx(2500)]
    assert outside(f) == [approx(625)]
    assert f.counters.appends == 2


def doubled_chain(n):
    """Room i lists its door to room i + 1 twice; every door fills the screen."""
    cells = {}
    for i in range(n + 1):
        y = 2.0 * (i + 1)
        cells[i] = [P(square(y, y), 0, i + 1), P(square(y, y), 0, i + 1)] if i < n else []
    return graph(cells)


@pytest.mark.parametrize("n", [4, 8, 12])
def test_V19_duplicate_doors_do_not_multiply(n):
    assert flood(doubled_chain(n), root=0).counters.appends == n


@pytest.mark.parametrize(("n", "expected"), [(4, 30), (8, 510)])
def test_V19_without_the_containment_test_they_do(n, expected):
    rules = FloodRules(working_set="all", containment=False)
    assert flood(doubled_chain(n), root=0, rules=rules).counters.appends == expected


def test_the_limit_of_appends_ends_a_flood_that_would_not():
    rules = FloodRules(working_set="all", containment=False)
    f = flood(doubled_chain(12), root=0, rules=rules)
    assert f.counters.appends == 4096
    assert f.counters.caps == ["appends"]


def many_slits(count):
    """Two rooms with so many slits between them, and an exit in the second's far wall."""
    slits = [quad(2, -1.5 + 0.04 * i, -1.48 + 0.04 * i, z0=-0.5, z1=0.5) for i in range(count)]
    return slits, graph({
        100: [P(s, 0, 101, i) for i, s in enumerate(slits)],
        101: [*(P(s, 1, 100, i) for i, s in enumerate(slits)), P(square(4, 4), 0, EXIT)],
    })  # fmt: skip


def test_64_views_of_a_cell_stay_what_they_are():
    f = flood(many_slits(64)[1])
    assert f.counters.merged_views == 0
    assert len(f.cells[cid(101)].views) == len(f.outside) == f.counters.max_views == 64


def test_the_65th_view_of_a_cell_makes_one_box_of_them_all():
    f = flood(many_slits(65)[1])
    assert f.counters.merged_views == 1
    (box,) = f.cells[cid(101)].views
    assert (box.x0, box.x1, box.y0, box.y1) == approx((-0.75, -0.75 + 0.04 * 64 / 2 + 0.01, -0.25, 0.25))


def test_more_than_64_views_of_a_cell_become_one_box():
    slits, g = many_slits(70)
    f = flood(g)
    assert f.counters.merged_views == 1
    assert 1 <= len(f.cells[cid(101)].views) <= 64
    assert outside(f)[0] == approx(f.cells[cid(101)].views[0].area() * 10000)
    for i, s in enumerate(slits):
        x = (s[0][0] + s[1][0]) / 4
        assert any(v.contains_point(x, 0.0) for v in f.cells[cid(101)].views), f"slit {i}"


def test_a_cycle_in_the_draw_order_takes_the_nearest_first():
    f = flood(graph(v29()), root=1)
    assert (cid(2), cid(3)) in f.edges
    f.edges.add((cid(4), cid(2)))  # no cell is ready now: 2 waits for 4
    assert [short(c) for c in f.draw_order()] == [1, 2, 3, 4]


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


def v21():
    beyond = quad(2.5, 0.625, 1.875, z0=-0.625, z1=0.625)
    return graph({
        1: [P(LEFT, 0, 2, 0), P(RIGHT, 0, 3, 0)],
        2: [P(LEFT, 1, 1, 0), P(quad(8, -6, 6, z0=-2, z1=2), 0, EXIT)],
        3: [P(RIGHT, 1, 1, 1), P(beyond, 0, 2)],
    })  # fmt: skip


def test_V21_a_late_view_is_carried_on():
    f = flood(v21(), root=1)
    assert order(f) == [1, 2, 3]
    assert areas(f, 2) == [approx(2500), approx(2500)]
    assert outside(f) == [approx(2500), approx(2500)]
    assert [short(c) for c in f.draw_order()] == [1, 3, 2]
    assert f.via_chain(cid(2)) == ((cid(1), 0),)
    assert f.via_chain(cid(3)) == ((cid(1), 1),)


def test_V21_only_the_new_view_is_pushed_on():
    """1's view through L and R, each view of 2 once through its exit, 3's view through its opening.

    L and R have a reciprocal, which is one more clip.
    """
    f = flood(v21(), root=1)
    assert f.counters.pops == 4
    assert f.counters.clips == 2 * 2 + 2 + 1


def test_V21_visiting_once_loses_the_late_view():
    f = flood(v21(), root=1, rules=FloodRules(working_set="all", late_views=False))
    assert len(f.outside) == 1


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


def v29():
    return {
        1: [P(DOOR, 0, 2)],
        2: [P(square(4, 0.5), 0, 3)],
        3: [P(square(6, 0.5), 0, 2), P(square(6, 0.5), 0, 4)],
        4: [P(square(8, 0.5), 0, 3)],
    }


def test_V29_cycles_between_cells_end():
    f = flood(graph(v29()), root=1)
    assert order(f) == [1, 2, 3, 4]
    assert [areas(f, n) for n in (2, 3, 4)] == [[approx(2500)], [approx(625)], [approx(277.8)]]
    assert f.counters.appends == 3


@pytest.mark.parametrize(("cells", "root"), [(v8(), 100), (v29(), 1)])
def test_V30_runs_and_insertion_orders_agree(cells, root):
    g = graph(cells)
    expected = snapshot(flood(g, root=root))
    assert snapshot(flood(g, root=root)) == expected
    rng = random.Random(30)
    for _ in range(10):
        block = g.blocks[BLOCK]
        keys = list(block.env_cells)
        rng.shuffle(keys)
        block.env_cells = {k: block.env_cells[k] for k in keys}
        assert snapshot(flood(g, root=root)) == expected


def test_V33_a_landcell_is_refused():
    g = graph({100: []})
    with pytest.raises(ValueError, match="landcell"):
        PView(g.get_visible, c0()).construct(BLOCK | 0x21)
    with pytest.raises(LookupError, match="not resident"):
        PView(g.get_visible, c0()).construct(cid(999))


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
