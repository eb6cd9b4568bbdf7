"""Why a cell is seen or not: the account agrees with the visible list, and names the check that failed."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace

import pytest

from engine.visibility.aperture import BEHIND, BESIDE, LOOKS_AWAY, TINY
from engine.visibility.flood_log import OUTSIDE
from engine.visibility.flood_rules import FloodRules, WorkingSet
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import NotTested, ViewOptions, build_view
from engine.visibility.view import View
from engine.visibility.why.explain import why
from engine.visibility.why.gates import FAR_SIDE, LIMIT, NOT_TESTED
from engine.visibility.why.why_answer import EXIT, OPENING, PORTAL
from engine.world.ids import block_of
from engine.world.location import parse_location
from engine.world.sources.places_file import read_places
from tests.needed import interpreted_only
from tests.places import DEMO
from tests.visibility.demo_blocks import demo
from tests.visibility.mazes import Maze, random_view
from tests.visibility.recorded_views import names, world_of
from tests.visibility.recorded_views import poses as recorded_poses
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
from tests.visibility.view_scenes import (
    EXIT as OUT,
)

ORIGIN = (0.0, 0.0, 0.0)


def logged(working_set=WorkingSet.ALL, **rules):
    return ViewOptions(FloodRules(working_set=working_set, **rules), strict_root=True, logged=True)


def seen(g, root, view=None, options=None):
    view = view or c0()
    return build_view(
        g, root, foot=view.eye, pivot=view.eye, eye=view.eye, view=view, options=options or logged()
    )


# --- the account and the list are of one mind


def check(g, picture, plain, index=None):
    """Ask for every cell of the graph; how many answers of each kind there were."""
    assert [(c.cell, [r.points for r in c.regions]) for c in picture.cells] == [
        (c.cell, [r.points for r in c.regions]) for c in plain.cells
    ]
    assert all(flood.log is None for flood in plain.floods)
    shown = {c.cell for c in picture.cells}
    counts = {"seen": 0, "stopped": 0, "no way": 0}
    for cell_id in [c for block in g.blocks.values() for c in block.env_cells]:
        answer = why(g, picture, cell_id, index)
        assert answer.visible == (cell_id in shown)
        assert answer.visible == any(chain.arrives for chain in answer.chains)
        for chain in answer.chains:
            check_chain(picture, answer, chain)
        kind = "seen" if answer.visible else "stopped" if answer.chains else "no way"
        counts[kind] += 1
        json.dumps(answer.to_json())
        assert len(answer.words) > (cell_id != picture.root and kind != "no way")
    outdoors = why(g, picture, block_of(picture.root) | 1)
    assert outdoors.visible == picture.outside_visible
    for chain in outdoors.chains:
        check_chain(picture, outdoors, chain)
    return counts


def check_chain(picture, answer, chain):
    """The openings follow one another from the root to the cell; what one lets through reaches the next."""
    boxed = any(flood.counters.merged_views for flood in picture.floods)
    at = OUTSIDE if picture.flood is None else picture.root
    for gate in chain.gates:
        assert (OUTSIDE if gate.kind == OPENING else gate.owner) == at
        at = gate.to
    assert at == (answer.cell if answer.cell & 0xFFFF >= 0x100 else OUTSIDE)
    if chain.arrives:
        assert answer.visible
        assert all(gate.passed and len(gate.before) == len(gate.after) == 1 for gate in chain.gates)
        for earlier, later in zip(chain.gates, chain.gates[1:], strict=False):
            assert later.before == earlier.after or boxed
        return
    stop = chain.stopped_at
    assert stop is not None and not stop.after and stop.verdict not in ("passed", "not tried")
    behind = chain.gates[chain.gates.index(stop) + 1 :]
    assert all(not gate.passed and not gate.before for gate in behind)
    assert all(gate.after for gate in chain.gates[: chain.gates.index(stop)])


@pytest.mark.parametrize("seed", range(24))
def test_in_random_mazes_every_cell_is_accounted_for(seed):
    maze = Maze(seed)
    g = maze.graph()
    add_outdoors(g)
    rng = random.Random(seed)
    total = {}
    for at in rng.sample(list(maze.number), 4):
        _, _, view = random_view(maze, at, rng)
        root = cid(maze.number[at])
        picture, plain = (
            seen(g, root, view),
            seen(g, root, view, ViewOptions(logged().rules, strict_root=True)),
        )
        for kind, count in check(g, picture, plain).items():
            total[kind] = total.get(kind, 0) + count
    assert total["seen"] > 4 and total["stopped"] > 0


def demo_poses():
    for number, (name, place) in enumerate(read_places(DEMO).items()):
        yield pytest.param(place, number, id=name.replace(" ", "-"))


@pytest.mark.parametrize(("place", "number"), list(demo_poses()))
def test_in_the_demo_every_cell_is_accounted_for(place, number):
    world, index = demo(), OpeningIndex()
    at = parse_location(place)
    x, y, z = at.frame.origin
    eye = (x, y, z + 1.5)
    view = View.from_angles(eye, 67.0 * number, 5.0 * (number % 5 - 2), fov_y=60.0, width=640, height=400)
    pictures = []
    for keep in (True, False):
        options = ViewOptions(FloodRules(), logged=keep)
        pictures.append(
            build_view(
                world,
                at.cell_id,
                foot=(x, y, z + 0.475),
                pivot=eye,
                eye=eye,
                view=view,
                options=options,
                index=index,
            )
        )
    counts = check(world, *pictures, index)  # type: ignore[call-arg]
    assert sum(counts.values()) == sum(len(b.env_cells) for b in world.blocks.values())


@pytest.mark.shared
@pytest.mark.parametrize(("name", "pose"), list(recorded_poses()))
def test_in_the_recorded_worlds_every_cell_is_accounted_for(name, pose):
    world = world_of(name)
    at = parse_location(pose["at"])
    world.load_around(at.cell_id, 0)
    eye, (width, height) = tuple(pose["eye"]), pose["size"]
    view = View.from_angles(eye, *pose["look"], fov_y=pose["fov"], width=width, height=height)
    for working_set in (WorkingSet.STAB, WorkingSet.RESIDENT):
        rules = FloodRules(working_set=working_set)
        picture, plain = (
            build_view(world, at.cell_id, foot=eye, pivot=eye, eye=eye, view=view, options=options)
            for options in (
                ViewOptions(rules, strict_root=True, look_ins=True, logged=keep) for keep in (True, False)
            )
        )
        assert check(world, picture, plain)["seen"] >= bool(picture.flood)
    assert name in names()


# --- the check that failed is named


def three_rooms(**more):
    return graph({
        100: [P(DOOR, 0, 101, 0)],
        101: [P(DOOR, 1, 100, 0), P(square(4, 0.5), 0, 102, 0)],
        102: [P(square(4, 0.5), 1, 101, 1)],
    }, **more)  # fmt: skip


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
    assert answer.verdict == "0x12340165 is visible: it is seen through 2 chains of openings"


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
    assert chain.words[0] == "chain of 2 openings comes farthest"


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
    assert answer.reason == "no openings of loaded cells lead from the view root to it"


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
    assert chain.gates[1].name == "building 1 of 0x12340000, opening 0 to 0x123401C8"


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
    options = replace(logged(), look_ins=False)
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


@interpreted_only("replaces a constant that is compiled in")
def test_too_many_regions_become_a_box_and_the_chains_go_on_through_it(monkeypatch):
    monkeypatch.setattr("engine.visibility.pview.MAX_VIEWS", 3)
    slots = [quad(2.0, -1.4 + 0.4 * i, -1.2 + 0.4 * i, z0=-0.5, z1=0.5) for i in range(6)]
    back = [P(slot, 1, 100, i) for i, slot in enumerate(slots)]
    g = graph({
        100: [P(slot, 0, 101, i) for i, slot in enumerate(slots)],
        101: [*back, P(square(4.0, 2.0), 0, 102, 0)],
        102: [P(square(4.0, 2.0), 1, 101, len(slots))],
    })  # fmt: skip
    picture = seen(g, cid(100))
    plain = seen(g, cid(100), None, ViewOptions(FloodRules(working_set=WorkingSet.ALL), strict_root=True))
    assert check(g, picture, plain)["seen"] == 3
    assert math.isclose(sum(c.area for c in picture.cells), sum(c.area for c in plain.cells))
