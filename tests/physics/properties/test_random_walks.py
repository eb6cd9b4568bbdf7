"""Random walks through random houses: what holds in every tick, and what may not matter (sweep 12.16)."""

import math
from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.collision import bsp_queries
from engine.physics.enums import OK
from engine.physics.simulation.simulation import Simulation
from engine.physics.transition import driver, env_collisions, insertion
from engine.world.polygon import Polygon
from tests.needed import breaks_a_rule
from tests.physics.properties.cell_graphs import about_z, any_turn, build_cells, enter
from tests.physics.properties.house_plans import make_house
from tests.physics.properties.walks import (
    FOOT_Z,
    RADIUS,
    Tick,
    Wanderer,
    block_polygons,
    centre,
    crosses,
    holds,
    meets_two,
    nearest_point,
    penetration,
    upright_polygons,
    walk,
)

SEEDS = st.integers(0, 2**32 - 1)
DEEPEST = 0.001
MOST_PICKS = 40
"""How often a sub-step may look for its cell: probes and confirmations of three attempts."""


class Watch:
    """Looks at the ticks of a walk and counts what should not be."""

    def __init__(self, seed: int) -> None:
        self.house = make_house(seed)
        self.cells = build_cells(self.house, any_turn, seed)
        self.by_id = {cell.id: cell for cell in self.cells}
        self.polygons = {cell.id: block_polygons(cell) for cell in self.cells}
        self.faults: Counter[str] = Counter()
        self.seen: Counter[str] = Counter()

    def simulation(self) -> Simulation:
        return enter(self.house, self.cells)

    def look(self, tick: Tick, simulation: Simulation) -> None:
        """Everything that must hold at the end of a tick."""
        report, before = tick.report, tick.before
        c = centre(report)
        own = self.by_id[report.cell]
        body = simulation.body
        assert report.trace is not None or report.position == before.position
        steps = report.trace.steps if report.trace is not None else []
        moved = report.position != before.position
        numbers = (*report.position, *report.velocity, *(report.normal or ()), report.heading)
        if report.contact_plane is not None:
            numbers += (*report.contact_plane.normal, report.contact_plane.d)
        self.check("finite", all(map(math.isfinite, numbers)))
        self.check("within the cells", any(holds(cell, c) for cell in self.cells))
        self.check("within the current cell", holds(own, c))
        self.check("one current cell", body.cell is own and body.position.cell_id == own.id)
        self.check("current cell leads the array", report.cells[0] == own.id)
        if report.cell != before.cell:
            self.seen["changes"] += 1
            self.check("change only when moved", moved)
            self.check("change only when left", not holds(self.by_id[before.cell], c, -1e-5))
        near = [polygon for cell in report.cells for polygon in self.polygons[cell]]
        self.check("penetration", penetration(near, c) <= DEEPEST)
        length = math.hypot(*(a + b / 30.0 for a, b in zip(tick.move, before.velocity, strict=True)))
        self.check("number of sub-steps", len(steps) <= math.ceil(length / RADIUS) + 1)
        for step in steps:
            self.check("looks in a sub-step", len(step.picks) <= MOST_PICKS)
            if step.advanced:
                self.check("tunnel", not self.tunnels(step.start, step.end))
        self.seen["blocked"] += not moved
        self.seen["ticks"] += 1

    def tunnels(self, start, end) -> bool:
        """Whether a sub-step's centre went through any polygon of the house from its front."""
        a, b = (start[0], start[1], start[2] + FOOT_Z), (end[0], end[1], end[2] + FOOT_Z)
        return any(crosses(p, a, b) for polygons in self.polygons.values() for p in polygons)

    def check(self, what: str, holds_true: bool) -> None:  # noqa: FBT001 -- reads as an assertion
        if not holds_true:
            self.faults[what] += 1


def watched_walk(seed: int, ticks: int, shortest: float = 0.02, longest: float = 2.0) -> Watch:
    watch = Watch(seed)
    simulation = watch.simulation()
    for tick in walk(simulation, Wanderer(watch.house, seed, shortest, longest), ticks):
        watch.look(tick, simulation)
    return watch


@settings(derandomize=True, max_examples=30, deadline=None)
@given(SEEDS)
def test_every_tick_of_a_walk_is_sound(seed):
    watch = watched_walk(seed, 100)
    assert watch.faults == {}


@settings(derandomize=True, max_examples=12, deadline=None)
@given(SEEDS)
def test_every_tick_of_a_flight_is_sound(seed):
    watch = Watch(seed)
    simulation = watch.simulation()
    random = Random(seed)
    for tick in walk(simulation, Wanderer(watch.house, seed), 100):
        watch.look(tick, simulation)
        if tick.report.on_ground and random.random() < 0.1:
            simulation.launch((random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(0.5, 7)))
    assert watch.faults == {}


@settings(derandomize=True, max_examples=15, deadline=None)
@given(SEEDS)
def test_a_straight_walk_never_returns_to_a_cell_within_10cm(seed):
    house = make_house(seed)
    path, entered = 0.0, []
    for tick in walk(enter(house, build_cells(house)), Wanderer(house, seed, 0.01, 0.3), 150):
        path += math.dist(tick.before.position, tick.report.position)
        if tick.report.cell != tick.before.cell:
            entered.append((tick.report.cell, tick.before.cell, path, tick.leg))
    for (_, left, there, leg), (back, _, here, same_leg) in pairwise(entered):
        assert not (back == left and leg == same_leg and here - there < 0.1)


@settings(derandomize=True, max_examples=12, deadline=None)
@given(SEEDS, st.sampled_from((about_z, any_turn)))
def test_cells_under_other_frames_are_the_same_world(seed, frames):
    house = make_house(seed)
    first = list(walk(enter(house, build_cells(house), trace=False), Wanderer(house, seed), 100))
    other = enter(house, build_cells(house, frames, seed), trace=False)
    for tick in first:
        report = other.walk_tick(tick.move)
        assert report.cell == tick.report.cell
        assert math.dist(report.position, tick.report.position) < 1e-5
        assert (report.ok, report.on_ground) == (tick.report.ok, tick.report.on_ground)
        assert report.cells == tick.report.cells


def compared_run(seed: int, ticks: int, **build: bool) -> tuple[int, bool]:
    """How many ticks the house was compared over with one built otherwise, and whether a corner ended it."""
    house = make_house(seed)
    cells = build_cells(house)
    walls = upright_polygons(cells)
    other = enter(house, build_cells(house, any_turn, seed, **build))
    compared = 0
    for tick in walk(enter(house, cells), Wanderer(house, seed), ticks):
        report = other.walk_tick(tick.move)
        if meets_two(tick.report, walls) or meets_two(report, walls):
            return compared, True
        assert report.cell == tick.report.cell
        assert math.dist(report.position, tick.report.position) < 0.01
        compared += 1
    return compared, False


@pytest.mark.parametrize("build", [{"shuffled": True}, {"split": True}], ids=["shuffled", "split trees"])
def test_the_order_of_polygons_and_portals_does_not_matter_where_no_two_are_met_at_once(build):
    runs = [compared_run(seed, 100, **build) for seed in range(40)]
    compared, left_out = (sum(run[i] for run in runs) for i in range(2))
    assert compared > 1000, f"{compared} ticks compared, {left_out} of {len(runs)} runs left at a corner"


def longer_strides(patch):
    patch.setattr(driver, "calc_num_steps", one_step)


def one_step(t):
    offset = driver.get_offset(t.sphere_path.begin_pos, t.sphere_path.end_pos)  # type: ignore[attr-defined]
    return offset, offset, 1


def no_walls(patch):
    patch.setattr(env_collisions, "find_bsp_collisions", lambda *_: OK)


def thin_sphere(patch):
    def thinner(test):
        def thin_test(poly, s, *more):
            thin = s.copy()
            thin.r -= 0.05
            return test(poly, thin, *more)

        return thin_test

    for name in ("pos_hits_sphere", "hits_sphere"):
        patch.setattr(bsp_queries, name, thinner(getattr(bsp_queries, name)))


def latched_cell(patch):
    patch.setattr(insertion, "containing_cell", lambda t: t.sphere_path.curr_cell)


def eager_cell(patch):
    pick = insertion.containing_cell

    def last(t):
        return pick(t) and next(c for c in reversed(t.cell_array.cells) if c is not None)

    patch.setattr(insertion, "containing_cell", last)


@breaks_a_rule
@pytest.mark.parametrize(
    ("break_rule", "fault"),
    [
        (longer_strides, "tunnel"),
        (no_walls, "within the cells"),
        (thin_sphere, "penetration"),
        (latched_cell, "within the current cell"),
        (eager_cell, "change only when left"),
    ],
)
def test_a_broken_rule_is_seen(break_rule, fault, monkeypatch):
    break_rule(monkeypatch)
    assert any(watched_walk(seed, 80, 0.3, 4.0).faults[fault] for seed in range(40))


def test_the_depth_of_a_sphere_in_a_wall():
    wall = Polygon(0, [(0, -1, 0), (0, 1, 0), (0, 1, 2), (0, -1, 2)])
    assert penetration([wall], (0.47, 0.0, 1.0)) == pytest.approx(0.01 - 0.0002)
    assert penetration([wall], (0.3, 1.4, 1.0)) == 0.0
    assert penetration([wall], (-0.1, 0.0, 1.0)) == 0.0
    assert nearest_point(wall, (0.3, 1.4, 1.0)) == (0.0, 1.0, 1.0)
    assert crosses(wall, (0.1, 0.0, 1.0), (-0.1, 0.0, 1.0))
    assert not crosses(wall, (0.1, 1.5, 1.0), (-0.1, 1.5, 1.0))
