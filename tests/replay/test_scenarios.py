"""Every scenario of numbers holds on the demo world, and fails when the rule it names is broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.replay.scenarios.scenario import StagingError, run_scenario
from engine.replay.scenarios.stage import Stage
from engine.world.sources import open_source
from engine.world.world import World
from tests.replay.mutations import MUTATIONS
from viewer.verification import NUMBER_SCENARIOS, make_stage

DEMO = Path(__file__).resolve().parents[2] / "assets" / "demo"
BY_NAME = {scenario.name: scenario for scenario in NUMBER_SCENARIOS}


@pytest.fixture
def stage() -> Stage:
    return make_stage(lambda: World(open_source(demo=DEMO)), DEMO)


@pytest.mark.parametrize("name", BY_NAME)
def test_scenario_holds_on_the_demo(stage: Stage, name: str) -> None:
    result = run_scenario(BY_NAME[name], stage)
    assert result.ok, f"{result.detail} {result.figures}"


@pytest.mark.parametrize("name", BY_NAME)
def test_scenario_goes_red_when_its_rule_is_broken(
    stage: Stage, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    MUTATIONS[name](monkeypatch)
    result = run_scenario(BY_NAME[name], stage)
    assert result.ok is False, f"{result.detail} {result.figures}"


def test_every_scenario_has_its_mutation() -> None:
    assert set(MUTATIONS) == set(BY_NAME)


def test_what_cannot_be_staged_is_neither_held_nor_failed(stage: Stage) -> None:
    bare = Stage(stage.open_world, "0xA9B30001 [12 12 94]", {})
    result = run_scenario(BY_NAME["door-closed-centre"], bare)
    assert result.ok is None
    assert "door" in result.detail


def test_unknown_place_cannot_be_staged(stage: Stage) -> None:
    with pytest.raises(StagingError, match="nowhere"):
        stage.place("nowhere")
