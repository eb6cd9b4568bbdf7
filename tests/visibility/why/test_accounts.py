"""Why a cell is seen or not: for every cell the account and the visible list are of one mind."""

from __future__ import annotations

import json
import math
import random

import pytest

from engine.visibility.flood_log import OUTSIDE
from engine.visibility.flood_rules import FloodRules, WorkingSet
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import ViewOptions, build_view
from engine.visibility.pview import MAX_VIEWS
from engine.visibility.view import View
from engine.visibility.why.explain import why
from engine.visibility.why.why_answer import OPENING
from engine.world.ids import block_of
from engine.world.location import parse_location
from engine.world.sources.places_file import read_places
from tests.places import DEMO
from tests.visibility.demo_blocks import demo
from tests.visibility.mazes import Maze, random_view
from tests.visibility.recorded_views import names, world_of
from tests.visibility.recorded_views import poses as recorded_poses
from tests.visibility.view_scenes import P, add_outdoors, cid, graph, slits, square
from tests.visibility.why.why_scenes import logged, seen


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


def test_too_many_regions_become_a_box_and_the_chains_go_on_through_it():
    slots = slits(2.0, -1.4, MAX_VIEWS + 2)
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
