"""Why a cell is not seen: the check that failed is named."""

from __future__ import annotations

import pytest

from engine.visibility.aperture import BEHIND, BESIDE, LOOKS_AWAY, TINY
from engine.visibility.flood_rules import FloodRules, WorkingSet
from engine.visibility.look_in import NOT_TESTED
from engine.visibility.picture_view import NotTested, ViewOptions, build_view
from engine.visibility.why.explain import why
from engine.visibility.why.gates import FAR_SIDE, LIMIT
from engine.visibility.why.why_answer import EXIT, OPENING, PORTAL
from tests.needed import interpreted_only
from tests.visibility.view_scenes import (
    BLOCK,
    DOOR,
    LEFT,
    P,
    add_building,
    add_outdoors,
    c0,
    cid,
    graph,
    looking,
    quad,
    square,
)
from tests.visibility.view_scenes import EXIT as OUT
from tests.visibility.why.why_scenes import ORIGIN, logged, seen, three_rooms


def stop_of(g, root, target, view=None, *, options=None):
    answer = why(g, seen(g, root, view, options), target)
    assert not answer.visible
    (chain,) = answer.chains
    return answer, chain, chain.stopped_at


def test_a_cell_that_is_seen_has_every_chain_that_reaches_it():
    g = graph({
        100: [P(DOOR, 0, 101, 0), P(LEFT, 0, 101, 1)],
        101: [P(DOOR, 1, 100, 0), P(LEFT, 1, 100, 1)],
    })  # fmt: skip
    answer = why(g, seen(g, cid(100)), cid(101))
    assert [[(x.kind, x.owner, x.index) for x in chain.gates] for chain in answer.chains] == [
        [(PORTAL, cid(100), 0)], [(PORTAL, cid(100), 1)],
    ]  # fmt: skip
    assert answer.verdict == "0x12340165 is visible: it is seen through 2 chains of portals"


def test_a_region_within_another_reaches_it_and_adds_nothing():
    inner = square(2.0, 0.25)
    g = graph({
        100: [P(DOOR, 0, 101, 0), P(inner, 0, 101, 1)],
        101: [P(DOOR, 1, 100, 0), P(inner, 1, 100, 1)],
    })  # fmt: skip
    answer = why(g, seen(g, cid(100)), cid(101))
    assert [(chain.adds, chain.gates[0].verdict) for chain in answer.chains] == [
        (True, "passed"), (False, "nothing new"),
    ]  # fmt: skip


def test_the_root_is_seen_through_no_opening():
    answer = why(three_rooms(), seen(three_rooms(), cid(100)), cid(100))
    assert answer.words == ["0x12340164 is visible: it is the view root"]


def test_an_opening_behind_the_eye():
    back = looking(ORIGIN, (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0))
    _, chain, stop = stop_of(three_rooms(), cid(100), cid(102), back)
    assert (stop.owner, stop.index, stop.verdict, stop.detail) == (cid(100), 0, "clipped away", BEHIND)
    assert [gate.verdict for gate in chain.gates] == ["clipped away", "not tried"]
    assert stop.outline == () and len(stop.before) == 1 and len(stop.corners) == 4


def test_an_opening_beside_the_region():
    g = three_rooms()
    aside = quad(4.0, 5.0, 6.0, z0=-0.5, z1=0.5)
    g = graph({
        100: [P(DOOR, 0, 101, 0)],
        101: [P(DOOR, 1, 100, 0), P(aside, 0, 102, 0)],
        102: [P(aside, 1, 101, 1)],
    })  # fmt: skip
    _, chain, stop = stop_of(g, cid(100), cid(102))
    assert (stop.owner, stop.verdict, stop.detail) == (cid(101), "clipped away", BESIDE)
    assert stop.before == chain.gates[0].after and len(stop.outline) == 4
    assert chain.words[0] == "chain of 2 portals comes farthest"


def test_an_opening_that_covers_no_pixel():
    speck = square(4.0, 0.001)
    g = graph({100: [P(speck, 0, 101, 0)], 101: [P(speck, 1, 100, 0)]})
    assert stop_of(g, cid(100), cid(101))[2].detail == TINY


def test_an_opening_that_the_neighbour_has_elsewhere():
    g = graph({100: [P(DOOR, 0, 101, 0)], 101: [P(quad(2.0, 3.0, 4.0, z0=-0.5, z1=0.5), 1, 100, 0)]})
    assert stop_of(g, cid(100), cid(101))[2].detail == FAR_SIDE


def test_an_eye_in_the_opening_that_looks_the_other_way():
    back = looking((0.0, 2.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0))
    assert stop_of(three_rooms(), cid(100), cid(101), back)[2].detail == LOOKS_AWAY


def test_an_opening_that_faces_away():
    g = graph({100: [P(DOOR, 1, 101, 0)], 101: [P(DOOR, 0, 100, 0)]})
    _, _, stop = stop_of(g, cid(100), cid(101))
    assert (stop.verdict, stop.detail) == ("faces away", "the eye is 2.00 m behind it")


def test_a_cell_that_the_stab_list_lacks():
    answer, _, stop = stop_of(
        three_rooms(stab={100: (101,)}), cid(100), cid(102), options=logged(WorkingSet.STAB)
    )
    assert (stop.owner, stop.index, stop.verdict) == (cid(101), 1, "not in the stab list")
    assert answer.in_stab_list is False
    assert "the stab list of 0x12340164 lacks it: only a look-in could show it" in answer.words


def test_a_cell_that_is_not_loaded():
    g = three_rooms(stab={100: (101, 102)})
    del g.blocks[BLOCK].env_cells[cid(102)]
    answer, _, stop = stop_of(g, cid(100), cid(102), options=logged(WorkingSet.STAB))
    assert (stop.verdict, stop.detail) == ("missing", "0x12340166 is not loaded")
    assert "it is not loaded" in answer.words


def test_a_way_that_ends_before_a_missing_cell():
    g = three_rooms()
    del g.blocks[BLOCK].env_cells[cid(101)]
    answer = why(g, seen(g, cid(100)), cid(102))
    assert not answer.chains
    assert answer.reason == "no portals of loaded cells lead from the view root to it"


@interpreted_only("replaces a constant that is compiled in")
def test_a_flood_that_gives_up_says_so(monkeypatch):
    monkeypatch.setattr("engine.visibility.pview.POPS_PER_CELL", 0)
    monkeypatch.setattr("engine.visibility.pview.UNBOUNDED_CELLS", 1)
    g = three_rooms()
    picture = seen(g, cid(100))
    assert picture.cells == ()
    assert not why(g, picture, cid(101)).visible


def two_houses():
    """Two rooms with an exit each, the second behind the first one's window; each is a building."""
    far = square(10.0, 1.0)
    g = graph({
        100: [P(DOOR, 0, OUT)],
        200: [P(far, 1, OUT), P(square(12.0, 1.0), 0, 201, 0)],
        201: [P(square(12.0, 1.0), 1, 200, 1)],
    })  # fmt: skip
    add_outdoors(g)
    add_building(g, [P(DOOR, 1, 100, 0)])
    add_building(g, [P(far, 0, 200, 0)])
    return g


def test_a_room_of_another_house_is_seen_out_of_the_window_and_into_its_door():
    g = two_houses()
    answer = why(g, seen(g, cid(100)), cid(201))
    (chain,) = answer.chains
    assert [gate.kind for gate in chain.gates] == [EXIT, OPENING, PORTAL]
    assert chain.gates[1].name == "building 1 of 0x12340000, portal 0 to 0x123401C8"


def test_a_room_of_another_house_is_not_seen_where_the_outdoors_are_not():
    back = looking(ORIGIN, (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0))
    _, chain, stop = stop_of(two_houses(), cid(100), cid(201), back)
    assert (stop.kind, stop.detail) == (EXIT, BEHIND)
    assert [gate.kind for gate in chain.gates] == [EXIT, OPENING, PORTAL]


def test_a_buildings_opening_that_faces_away_stops_a_look_in():
    _, _, stop = stop_of(two_houses(), BLOCK | 1, cid(100), c0((0.0, 1.0, 0.0)))
    assert (stop.kind, stop.verdict, stop.detail) == (OPENING, "faces away", "the eye is 1.00 m behind it")


def test_a_building_out_of_sight_is_not_tested():
    back = looking(ORIGIN, (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0))
    _, _, stop = stop_of(two_houses(), BLOCK | 1, cid(201), back)
    assert (stop.verdict, stop.detail) == (NOT_TESTED, NotTested.OUT_OF_SIGHT.value)


def test_a_building_smaller_than_a_pixel_is_not_tested():
    _, _, stop = stop_of(two_houses(), BLOCK | 1, cid(201), c0((0.0, -9000.0, 0.0)))
    assert (stop.verdict, stop.detail) == (NOT_TESTED, NotTested.TOO_SMALL.value)


def test_who_looks_into_a_house_does_not_look_out_of_its_back_door():
    through = graph({200: [P(square(10.0, 1.0), 1, OUT), P(square(12.0, 1.0), 0, OUT)]})
    add_outdoors(through)
    add_building(through, [P(square(10.0, 1.0), 0, 200, 0)])
    picture = seen(through, BLOCK | 1)
    assert why(through, picture, BLOCK | 1).words == ["0x12340001 is visible: the view root is outdoors"]
    assert why(through, picture, cid(200)).visible


def test_without_look_ins_a_house_is_not_tested():
    options = logged()._replace(look_ins=False)
    _, _, stop = stop_of(two_houses(), BLOCK | 1, cid(201), options=options)
    assert (stop.verdict, stop.detail) == (NOT_TESTED, "look-ins are switched off")


@interpreted_only("replaces a constant that is compiled in")
def test_a_limit_that_was_reached_is_told(monkeypatch):
    monkeypatch.setattr("engine.visibility.pview.MAX_APPENDS", 1)
    _, _, stop = stop_of(three_rooms(), cid(100), cid(102))
    assert (stop.owner, stop.verdict) == (cid(101), LIMIT)
    assert "appends" in stop.detail


def test_a_frame_without_an_account_cannot_be_asked():
    g = three_rooms()
    picture = build_view(
        g,
        cid(100),
        foot=ORIGIN,
        pivot=ORIGIN,
        eye=ORIGIN,
        view=c0(),
        options=ViewOptions(FloodRules(working_set=WorkingSet.ALL)),
    )
    with pytest.raises(ValueError, match="no account"):
        why(g, picture, cid(101))
