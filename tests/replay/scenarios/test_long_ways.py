"""Damaged worlds: what lies absurdly far off, or takes absurdly long, is passed over, and said so."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from engine.physics.simulation.simulation import Simulation
from engine.replay.doorways import Doorway
from engine.replay.probe.probe_answer import ProbeAnswer
from engine.replay.probe.sweeps import probe
from engine.replay.scenarios import doorway_gaps
from engine.replay.scenarios.exterior import FARTHEST, _footprint
from engine.replay.scenarios.portal_pairs import THRESHOLDS_AT_MOST, thresholds, way_through
from engine.replay.scenarios.scenario import StagingError, run_scenario
from engine.replay.scenarios.stage import TICKS_AT_MOST, Stage, open_door, walk
from engine.world.cells import Portal
from engine.world.loading.world import World
from engine.world.polygon import Polygon
from engine.world.source import DoorFacts
from engine.world.sources.open_source import open_source
from tests.places import DEMO
from viewer.verify.picture_scenarios import OPENS_WITHIN
from viewer.verify.verification import NUMBER_SCENARIOS, make_stage

BY_NAME = {scenario.name: scenario for scenario in NUMBER_SCENARIOS}
WAITING = {
    "door-use-opens": "open", "door-autoclose-30s": "close", "door-held-while-occupied": "close",
}  # fmt: skip


@pytest.fixture
def stage() -> Stage:
    return make_stage(lambda: World(open_source(demo=DEMO)), DEMO)


@pytest.mark.parametrize("name", WAITING)
def test_a_clip_that_takes_too_long_is_not_waited_for(
    stage: Stage, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An animation at a millionth of its speed took hours."""
    real = Stage.simulation

    def slow(self: Stage) -> Simulation:
        simulation = real(self)
        for door in simulation.doors.values():
            clips: dict[str, Any] = {"opening": door.motion.opening, "closing": door.motion.closing}
            door.motion = door.motion._replace(**{k: clip._replace(length=61.0) for k, clip in clips.items()})
        return simulation

    monkeypatch.setattr(Stage, "simulation", slow)
    result = run_scenario(BY_NAME[name], stage)
    assert result.ok is None
    assert result.detail == f"door 0x7A9B4017 takes 61 s to {WAITING[name]}, too long to wait for"


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        (DoorFacts(locked=True), "is locked"),
        (DoorFacts(default_open=True), "opens by itself"),
        (DoorFacts(reset_interval=1e9), "closes by itself after 1e+09 s, others after 30"),
    ],
)
def test_doors_that_their_scene_locks_or_closes_otherwise_are_passed_over(
    stage: Stage, facts: DoorFacts, reason: str
) -> None:
    """Of three doors the last two, then all: none is wrong."""
    changed = [with_doors(stage, count, door=facts) for count in (2, 3)]
    results = [run_scenario(BY_NAME["door-autoclose-30s"], one) for one in changed]
    assert [result.ok for result in results] == [True, None]
    assert results[1].detail == f"door 0x7A9B4017 {reason}"


@pytest.mark.parametrize("name", ["door-closed-centre", "membership-blocked-keeps-cell"])
def test_doors_that_stand_open_are_shut_first(stage: Stage, name: str) -> None:
    result = run_scenario(BY_NAME[name], with_doors(stage, 3, state=0x1000C))
    assert result.ok, result


def test_a_door_of_more_polygons_than_there_is_time_for_is_asked_at_some_of_its_sweeps(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doorway_gaps, "probe", ethereal_probe)
    monkeypatch.setattr(doorway_gaps, "ASKED_AT_MOST", 5000)
    result = run_scenario(BY_NAME["door-closed-across"], stage)
    assert result.ok is False and "; went to " in result.detail and "sweeps that passed" in result.detail
    monkeypatch.setattr(doorway_gaps, "ASKED_AT_MOST", 100)
    result = run_scenario(BY_NAME["door-closed-across"], stage)
    assert result.ok is None and result.detail.startswith("a sweep through door 0x7A9B4017 asks ")


def ethereal_probe(simulation: Simulation, door: int) -> ProbeAnswer:
    """A probe of the door as it is when it stands open."""
    open_door(simulation, door)
    return probe(simulation, door)


def with_doors(stage: Stage, count: int, **change: object) -> Stage:
    """The demo with something else told of its first doors."""

    def changed() -> World:
        source = open_source(demo=DEMO)
        scene = source.scene()
        doors = [o for o in scene.objects if o.model_id == 0x020019FF][-count:]
        objects = tuple(o._replace(**change) if o in doors else o for o in scene.objects)  # type: ignore[arg-type]
        source.scene = lambda: scene._replace(objects=objects)  # type: ignore[method-assign]
        return World(source)

    return Stage(changed, stage.home, stage.places)


def test_a_picture_of_an_open_door_waits_until_it_is_open(stage: Stage) -> None:
    with pytest.raises(StagingError, match="door 0x7A9B4017 takes 2 s to open, too long to wait for"):
        stage.swinging_door(stage.simulation(), within=1.0)
    assert stage.swinging_door(stage.simulation(), OPENS_WITHIN)


def test_a_walk_that_is_too_long_is_not_begun() -> None:
    simulation: Any = None
    with pytest.raises(StagingError, match=f"a walk here takes {TICKS_AT_MOST + 1} ticks, too long"):
        walk(simulation, (1.0, 0.0, 0.0), TICKS_AT_MOST + 1)


def test_thresholds_that_lie_absurdly_far_off_or_are_too_many_are_passed_over(stage: Stage) -> None:
    simulation = stage.simulation()
    doorway, _ = stage.front_door(simulation)
    own = thresholds(simulation, doorway)
    assert (len(own.things), own.note) == (2, "")
    add_openings(simulation, doorway, own.things[1], [20.0, 40.0, 900_000.0])
    some = thresholds(simulation, doorway)
    assert some.things[:2] == own.things
    assert len(some.things) == 3 and max(map(abs, some.things)) < 30.0
    assert some.note == "; passed over 2 of 5 thresholds: over 30 m off"
    add_openings(simulation, doorway, own.things[1], [0.1 * n for n in range(THRESHOLDS_AT_MOST)])
    many = thresholds(simulation, doorway)
    assert len(many.things) <= THRESHOLDS_AT_MOST and "thresholds; passed over 2" in many.note


def add_openings(simulation: Simulation, doorway: Doorway, at: float, metres: list[float]) -> None:
    """The way on from a doorway's cell, ``at`` metres outside, leads through more openings behind it."""
    cell = simulation.world.env_cell(doorway.cell_id)
    assert cell is not None
    x, y, z = cell.frame.to_local_vec(doorway.inward(1.0))
    ways = {portal: doorway.offset_out(way_through(cell, portal)[1]) for portal in cell.portals}
    inner = min(ways, key=lambda portal: abs(ways[portal] - at))
    for off in metres:
        corners = [(a + x * off, b + y * off, c + z * off) for a, b, c in inner.polygon.vertices]
        more = Portal(
            len(cell.portals), inner.flags, Polygon(900, corners),
            other_cell_id=inner.other_cell_id, other_portal_id=-1,
        )  # fmt: skip
        cell.portals = [*cell.portals, more]


def test_nobody_walks_from_corners_that_lie_absurdly_far_from_their_building(stage: Stage) -> None:
    block = stage.block(stage.simulation())
    building = block.buildings[0]
    own = _footprint(building, block.env_cells)
    assert own.left_out == 0
    cell = block.env_cells[building.portals[0].other_cell_id]
    x, y, z = cell.frame.origin
    far: Any = SimpleNamespace(frame=cell.frame.with_origin((x + 600.0, y, z)), structure=cell.structure)
    spiked = _footprint(building, block.env_cells | {cell.id: far})
    assert spiked.left_out > 0 and spiked.reach <= FARTHEST
