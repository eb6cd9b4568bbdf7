"""Traversal cases of visibility 11.2: a cell seen through several openings, at once or one by one."""

from __future__ import annotations

import random

import pytest

from engine.visibility import pview
from engine.visibility.draw_order import near_to_far
from engine.visibility.flood_rules import REASONS, FloodRules, WorkingSet
from tests.needed import interpreted_only
from tests.visibility.view_scenes import (
    BLOCK,
    DOOR,
    EXIT,
    LEFT,
    RIGHT,
    P,
    approx,
    areas,
    cid,
    flood,
    graph,
    order,
    outside,
    quad,
    short,
    snapshot,
    square,
    v29,
)


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
    rules = FloodRules(working_set=WorkingSet.ALL, containment=False)
    assert flood(doubled_chain(n), root=0, rules=rules).counters.appends == expected


def test_the_limit_of_appends_ends_a_flood_that_would_not():
    rules = FloodRules(working_set=WorkingSet.ALL, containment=False)
    f = flood(doubled_chain(12), root=0, rules=rules)
    assert f.counters.appends == 4096
    assert f.counters.caps == ["appends"]


def test_exits_beyond_the_limit_show_nothing():
    """Each may fill the picture, and what draws them takes as long for one that shows nothing new."""
    f = flood(graph({100: [P(square(2, 1), 0, EXIT)] * 1030}))
    assert (len(f.exits), len(f.outside), f.counters.caps) == (1024, 1, ["exits"])


@interpreted_only("sets a limit that is compiled in")
def test_corners_beyond_the_limit_end_a_flood_with_what_it_has(monkeypatch):
    """Two hundred cells with 255 portals of 250 corners each took ten minutes for one picture."""
    cells = {i: [P(square(2.0 * (i + 1), 2.0 * (i + 1)), 0, i + 1)] * 6 for i in range(9)} | {9: []}
    rules = FloodRules(working_set=WorkingSet.ALL)
    whole = flood(graph(cells), root=0, rules=rules)
    assert (len(whole.order), whole.counters.caps) == (10, [])
    monkeypatch.setattr(pview, "MAX_CORNERS", 5 * 6 * 4 * 4)  # of five cells
    some = flood(graph(cells), root=0, rules=rules)
    assert (len(some.order), some.counters.caps) == (5, ["corners"])
    assert some.order == whole.order[:5]


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
    assert outside(f)[0] == approx(f.cells[cid(101)].views[0].area * 10000)
    for i, s in enumerate(slits):
        x = (s[0][0] + s[1][0]) / 4
        assert any(v.contains_point(x, 0.0) for v in f.cells[cid(101)].views), f"slit {i}"


def test_a_cycle_in_the_draw_order_takes_the_nearest_first():
    f = flood(graph(v29()), root=1)
    assert (cid(2), cid(3)) in f.edges()
    second, fourth = f.order.index(cid(2)), f.order.index(cid(4))
    leads_to = [f.cells[c].leads_to for c in f.order]
    leads_to[fourth] += (second,)  # no cell is ready now: 2 waits for 4
    places = near_to_far([f.cells[c].dist for c in f.order], leads_to)
    assert [short(f.order[i]) for i in places] == [1, 2, 3, 4]


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
    f = flood(v21(), root=1, rules=FloodRules(working_set=WorkingSet.ALL, late_views=False))
    assert len(f.outside) == 1


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
