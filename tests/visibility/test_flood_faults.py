"""Known faults of a portal traversal, each a small graph by hand and what the rules say about it."""

from __future__ import annotations

import pytest

from engine.visibility.cell_view import CellView, FloodCell
from engine.visibility.draw_order import near_to_far
from engine.visibility.flood import Counters, Flood
from engine.visibility.flood_log import FloodLog
from engine.visibility.flood_rules import (
    CLIPPED_AWAY,
    ENTERED,
    EXIT_IGNORED,
    FACES_AWAY,
    NOTHING_NEW,
    PASSED,
    FloodRules,
    WorkingSet,
)
from engine.visibility.pview import PView
from engine.visibility.view_polygon import full_view
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
    order,
    quad,
    short,
    slits,
    square,
)

FAR_DOOR = quad(3.0, -0.5, 0.5, z0=-0.5, z1=0.5)


def diamond():
    """Two ways from 1 to 4; 4's portals back are turned the wrong way, as some records have them.

    So each of them can be looked out of, and only having come in through it closes it.
    """
    to_4 = {2: quad(4, -3, -1, z0=-1, z1=1), 3: quad(4, 1, 3, z0=-1, z1=1)}
    return graph({
        1: [P(LEFT, 0, 2, 0), P(RIGHT, 0, 3, 0)],
        2: [P(LEFT, 1, 1, 0), P(to_4[2], 0, 4, 0)],
        3: [P(RIGHT, 1, 1, 1), P(to_4[3], 0, 4, 1)],
        4: [P(to_4[2], 0, 2, 1), P(to_4[3], 0, 3, 1)],
    })  # fmt: skip


def test_a_dead_end_that_is_looked_into_twice_is_gone_through_once():
    """What is seen of it by the second way it shows already, and nothing lies behind it."""
    behind, out = quad(3.0, 0.9, 1.2, z0=-0.3, z1=0.3), quad(4.0, 1.2, 2.4, z0=-0.5, z1=0.5)
    f = flood(
        graph({
            1: [P(square(2.0, 1.5), 0, 2, 0), P(RIGHT, 0, 3, 0)],
            2: [P(square(2.0, 1.5), 1, 1, 0), P(behind, 1, 3, 1)],
            3: [P(RIGHT, 1, 1, 1), P(behind, 0, 2, 1), P(out, 0, EXIT), P(square(9, 1), 1, EXIT)],
        }),
        root=1,
    )  # fmt: skip
    assert order(f) == [1, 2, 3]
    assert f.cells[cid(3)].reasons[1] == NOTHING_NEW
    assert f.counters.pops == 3


def test_a_portal_entered_from_two_sides_is_closed_on_both():
    """Else the flood walks back, and a room counts as drawn before the one that it is seen from."""
    f = flood(diamond(), root=1)
    end = f.cells[cid(4)]
    assert end.open == (False, False)
    assert end.reasons == (ENTERED, ENTERED)
    assert {(short(a), short(b)) for a, b in f.edges()} == {(1, 2), (1, 3), (2, 4), (3, 4)}
    assert [short(c) for c in f.draw_order()] == [1, 2, 3, 4]
    assert len(f.cells[cid(3)].views) == 1


def test_the_portal_that_one_looks_in_through_is_never_looked_out_of():
    """The cell's own record of it may be turned the wrong way."""
    g = graph({100: [P(DOOR, 0, EXIT), P(square(6, 2), 0, EXIT)]})
    f = flood(g, views=(full_view(),), entry=0)
    assert f.cells[cid(100)].open == (False, True)
    assert f.cells[cid(100)].reasons[0] == ENTERED
    assert list(f.exit_portals()) == [(cid(100), 1)]
    both = flood(g)
    assert both.cells[cid(100)].open == (True, True)


def test_regions_that_become_one_box_after_their_cell_was_expanded_go_on_all_the_same():
    """40 slits lead straight into 2; 30 more, by way of 3 and 4, come when 2 has handed on what it had.

    4 waits for 2, since an opening of its lies far behind the eye.
    """
    direct = slits(2, -1.9, 40)
    late = slits(3, 1.0, 30)
    to_3, to_4 = quad(2, 0.4, 1.9, z0=-0.6, z1=0.6), quad(2.5, 0.5, 2.4, z0=-0.7, z1=0.7)
    beyond = quad(6, -6, 6, z0=-3, z1=3)
    g = graph({
        1: [*(P(s, 0, 2, i) for i, s in enumerate(direct)), P(to_3, 0, 3, 0)],
        2: [
            *(P(s, 1, 1, i) for i, s in enumerate(direct)),
            *(P(s, 1, 4, 1 + i) for i, s in enumerate(late)),
            P(beyond, 0, 5, 0),
        ],
        3: [P(to_3, 1, 1, 40), P(to_4, 0, 4, 0)],
        4: [P(to_4, 1, 3, 1), *(P(s, 0, 2, 40 + i) for i, s in enumerate(late)), P(square(-9, 1), 0, EXIT)],
        5: [P(beyond, 1, 2, 70)],
    })  # fmt: skip
    f = flood(g, root=1)
    assert order(f).index(2) < order(f).index(4), "the late ones are late"
    assert f.counters.merged_views == 1
    for s in (*direct, *late):
        x = (s[0][0] + s[1][0]) / 2 / s[0][1]
        assert any(v.contains_point(x, 0.0) for v in f.cells[cid(5)].views), f"what a slit at {x:.3f} shows"


def test_a_portal_back_into_the_root_does_not_make_the_root_wait():
    """A corridor that comes back into its hall: the hall, drawn first, has a far portal behind one's back."""
    assert near_to_far([100.0, 4.0, 9.0], [(1,), (2,), (0,)]) == [0, 1, 2]


def test_cells_that_do_not_hide_each_other_go_by_distance():
    assert near_to_far([9.0, 4.0, 1.0], [(), (), ()]) == [2, 1, 0]
    assert near_to_far([0.0, 9.0, 4.0, 5.0], [(1, 2, 3), (), (), ()]) == [0, 2, 3, 1]


def visited(dist, leads_to, *, pops):
    """A flood that is over, of cells in the order of their visits."""
    cell = flood(graph({100: []})).cells[cid(100)].cell
    counters = Counters()
    counters.pops = pops
    cells = {}
    for n, (d, to) in enumerate(zip(dist, leads_to, strict=True)):
        cv = CellView(cell)
        cv.dist, cv.done = d, True
        cells[n] = FloodCell(cv, to)
    return Flood(
        0, c0(), rules=FloodRules(), allowed=None, order=tuple(cells), cells=cells, outside=(),
        counters=counters,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("dist", "leads_to", "pops", "drawn"),
    [
        ([9.0, 4.0, 7.0, 1.0], [(1, 2), (3,), (3,), ()], 4, [0, 1, 2, 3]),
        ([9.0, 4.0, 7.0, 1.0], [(1, 2), (3,), (1, 3), ()], 4, [0, 2, 1, 3]),
        ([9.0, 4.0, 2.0], [(1, 2), (0, 1), ()], 4, [0, 2, 1]),
        ([9.0, 2.0, 4.0], [(1, 2), (0, 1), ()], 3, [0, 1, 2]),
    ],
    ids=["leads on", "leads back", "one expanded twice", "back to the root or itself"],
)
def test_the_visits_are_drawn_as_they_were_made_only_where_that_is_near_to_far(
    dist, leads_to, *, pops, drawn
):
    """With a cell that was expanded twice a near one may have come to wait too late."""
    f = visited(dist, leads_to, pops=pops)
    found = f.drawn_cells()
    assert [next(n for n, c in f.cells.items() if c is one) for one in found] == drawn
    assert near_to_far(dist, leads_to) == drawn


def test_no_flood_leaves_its_landblock_where_that_is_the_working_set():
    g = graph({100: [P(DOOR, 0, 101, 0)], 101: [P(DOOR, 1, 100, 0), P(FAR_DOOR, 0, 102, 0)], 102: []})
    other = graph({7: []}, block=BLOCK + 0x10000)
    g.blocks.update(other.blocks)
    g.blocks[BLOCK].env_cells[cid(101)].portals[1].other_cell_id = BLOCK + 0x10000 | 0x107
    rules = FloodRules(working_set=WorkingSet.RESIDENT)
    assert order(flood(g, rules=rules)) == [100, 101]
    assert len(flood(g).order) == 3


def test_an_exit_seen_again_within_what_is_seen_already_is_still_an_exit_with_its_depth():
    """Two exits in a line: the farther one's region lies in the nearer one's, and both have a depth there."""
    g = graph({100: [P(DOOR, 0, EXIT), P(quad(4.0, -0.5, 0.5, z0=-0.5, z1=0.5), 0, EXIT)]})
    f = flood(g)
    assert len(f.outside) == 1
    assert [(short(cell), index) for _, cell, index in f.exits] == [(100, 0), (100, 1)]


def test_exactly_64_views_of_a_cell_stay_as_they_are():
    def through(number):
        windows = slits(2, -1.5, number)
        rooms = {
            100: [P(s, 0, 101, i) for i, s in enumerate(windows)],
            101: [P(s, 1, 100, i) for i, s in enumerate(windows)],
        }
        f = flood(graph(rooms))
        return f.counters.merged_views, len(areas(f, 101))

    assert through(64) == (0, 64)
    assert through(65) == (1, 1)


def test_a_portal_that_faces_away_is_told_from_one_that_was_entered():
    f = flood(graph({100: [P(DOOR, 0, 101, 0)], 101: [P(DOOR, 1, 100, 0), P(square(-4, 1), 0, EXIT)]}))
    assert f.cells[cid(101)].reasons == (ENTERED, FACES_AWAY)


def test_a_flood_that_goes_round_and_round_gives_up_and_says_so():
    """Two rooms that hand their whole view to and fro; a third waits behind them and is not visited."""
    far = square(9.0, 9.0)
    g = graph({
        100: [P(square(2, 2), 0, 101), P(square(4, 4), 0, 102, 0)],
        101: [P(square(3, 3), 0, 100)],
        102: [P(square(4, 4), 1, 100, 1), P(far, 1, 101)],
    })  # fmt: skip
    rules = FloodRules(containment=False)
    f = flood(g, allowed=[100, 101, 102], rules=rules)
    assert f.counters.caps == ["pops"]
    assert f.counters.pops == 12  # four for each cell that may be entered
    assert order(f) == [100, 101]
    waiting = f.cells[cid(102)]
    assert (waiting.visited, waiting.leads_to) == (False, ())
    assert {(short(a), short(b)) for a, b in f.edges()} == {(100, 101), (101, 100)}
    assert f.cells[cid(100)].leads_to == (1,), "the root leads to the cell visited second, once"


def test_a_portal_through_which_nothing_is_seen_puts_no_cell_before_another():
    aside = quad(3.0, 3.0, 4.0, z0=-0.5, z1=0.5)  # beside what is seen through the left door
    g = graph({
        100: [P(LEFT, 0, 101, 0), P(RIGHT, 0, 102, 0)],
        101: [P(LEFT, 1, 100, 0), P(aside, 0, 102, 1)],
        102: [P(RIGHT, 1, 100, 1), P(aside, 1, 101, 1)],
    })  # fmt: skip
    f = flood(g)
    assert f.cells[cid(101)].reasons == (ENTERED, CLIPPED_AWAY)
    assert {(short(a), short(b)) for a, b in f.edges()} == {(100, 101), (100, 102)}


def test_what_became_of_a_portal_stays_known_when_one_comes_in_by_it_later():
    """3 looked out by it in vain before 2 came in by it, which tells more than that it was entered."""
    between = quad(4, -3, -1, z0=-1, z1=1)  # seen through the left door alone, and open to both sides
    g = graph({
        1: [P(LEFT, 0, 2, 0), P(RIGHT, 0, 3, 0)],
        2: [P(LEFT, 1, 1, 0), P(between, 0, 3, 1), P(square(-9, 1), 0, EXIT)],
        3: [P(RIGHT, 1, 1, 1), P(between, 0, 2, 1)],
    })  # fmt: skip
    f = flood(g, root=1)
    assert order(f) == [1, 3, 2]
    assert f.cells[cid(2)].reasons == (ENTERED, PASSED, FACES_AWAY)
    assert f.cells[cid(3)].reasons == (ENTERED, CLIPPED_AWAY)
    assert f.cells[cid(3)].open == (False, False)


def test_the_exits_of_a_look_in_are_told_as_such():
    f = flood(graph({100: [P(DOOR, 0, EXIT)]}), landscape=False)
    assert f.cells[cid(100)].reasons == (EXIT_IGNORED,)


def test_a_way_back_that_an_exit_names_means_nothing():
    for named in (-1, 0, 7):
        f = flood(graph({100: [P(DOOR, 0, EXIT, named)]}))
        assert len(f.outside) == 1
        assert f.bad_reciprocals == ()


def test_a_flood_counts_its_portals_and_clips():
    """One door out of the root, one exit behind it; the way back and what faces away are not tried."""
    rooms = {
        100: [P(DOOR, 0, 101, 0), P(square(-4, 1), 0, EXIT)],
        101: [P(DOOR, 1, 100, 0), P(square(4, 0.5), 0, EXIT)],
    }
    counters = flood(graph(rooms)).counters
    assert (counters.portals_tested, counters.appends, counters.pops) == (2, 2, 2)
    assert counters.clips == 3  # the door by its far side as well


def test_the_account_of_a_box_goes_back_by_the_look_that_made_it():
    """65 slits become one box: what is seen through it came by the last of them."""
    windows = slits(2, -1.5, 65)
    log = FloodLog()
    rooms = {
        100: [P(s, 0, 101, i) for i, s in enumerate(windows)],
        101: [*(P(s, 1, 100, i) for i, s in enumerate(windows)), P(square(4, 4), 0, EXIT)],
    }
    PView(graph(rooms), c0(), rules=FloodRules(working_set=WorkingSet.ALL), log=log).construct(cid(100))
    chain = log.chain(log.looks[-1])
    assert [(short(look.cell), look.portal) for look in chain] == [(100, 64), (101, 65)]


def test_the_exits_of_every_visited_cell_are_named():
    rooms = {
        100: [P(DOOR, 0, 101, 0), P(LEFT, 0, EXIT)],
        101: [P(DOOR, 1, 100, 0), P(square(4, 0.5), 0, EXIT), P(square(-4, 1), 0, EXIT)],
    }
    assert list(flood(graph(rooms)).exit_portals()) == [(cid(100), 1), (cid(101), 1)]
