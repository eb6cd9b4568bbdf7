"""The scenarios of pictures take work by the cell, also in large landblocks."""

from __future__ import annotations

import cProfile
import json
import pstats
from pathlib import Path

import pytest

from engine.replay.scenarios.scenario import ScenarioResult
from engine.replay.scenarios.stage import Stage
from engine.world.loading.world import World
from engine.world.sources.open_source import SourceArguments, open_source
from scripts import make_world
from tests.places import DEMO
from viewer.main import main
from viewer.places import put
from viewer.verify import verification
from viewer.verify.picture_stage import PictureStage
from viewer.verify.verification import NAMES, make_stage, run_named

pytestmark = pytest.mark.gl
SMALL, LARGE = 30, 120


def calls(folder: Path, count: int) -> tuple[int, dict[str, object]]:
    """How many calls the scenario takes in a dungeon of so many cells, and its figures."""
    make_world.main([str(folder), "--size", "1x1", "--dungeons", "1", "--cells", f"{count}-{count}"])
    stage = make_stage(lambda: World(open_source(dats=folder)), None)
    profile = cProfile.Profile()
    result = profile.runcall(run_named, "hidden-cell-not-drawn", stage, PictureStage(stage))
    assert result.ok, result
    return int(pstats.Stats(profile).total_calls), result.figures  # type: ignore[attr-defined]


def test_what_is_hidden_is_looked_for_with_work_by_the_cell(tmp_path: Path) -> None:
    calls(tmp_path / "warm", SMALL)  # imports and shaders
    small, few = calls(tmp_path / "a", SMALL)
    large, many = calls(tmp_path / "b", LARGE)
    assert large < 1.4 * LARGE / SMALL * small
    assert many["poses"] > 3 * few["poses"]  # type: ignore[operator]


def test_verify_by_several_processes_gives_the_same_document(capsys: pytest.CaptureFixture[str]) -> None:
    chosen = ("landscape-through-door", "door-closed-centre", "cellar-down-and-up")
    words = [word for name in chosen for word in ("--only", name)]
    documents = []
    for jobs in ("1", "2"):
        assert main(["verify", "--demo", "--json", "--jobs", jobs, *words]) == 0
        documents.append(capsys.readouterr().out)
    assert documents[0] == documents[1]
    names = [line["name"] for line in json.loads(documents[0])["results"]]
    assert names == [name for name in NAMES if name in chosen]


def test_how_far_a_scenario_is_is_told_with_each_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """It stood at 0.0% for minutes where a scene has a thousand doors in a room."""

    def looks(name: str, _: Stage, pictures: PictureStage) -> ScenarioResult:
        for _ in range(300):
            pictures.looked()
        return ScenarioResult(name, ok=True, figures={}, detail="")

    monkeypatch.setattr(verification, "run_named", looks)
    work = verification.VerifyTask(SourceArguments(demo=DEMO), DEMO).begin()
    told: list[float] = []
    work("hidden-cell-not-drawn", told.append)
    assert len(told) == 300
    assert told == sorted(told)
    assert told[0] == 1 / verification.LOOKS["hidden-cell-not-drawn"]
    assert told[-1] == 0.99


def test_an_onlooker_says_that_it_looked() -> None:
    looked = list[object]()
    stage = make_stage(lambda: World(open_source(demo=DEMO)), DEMO)
    pictures = PictureStage(stage)
    pictures.looked = lambda: looked.append(None)
    simulation = stage.simulation()
    put(simulation, stage.home)
    with pictures.onlooker(simulation, (16, 16)) as onlooker:
        onlooker.view(0.0)
        onlooker.view(90.0)
    assert len(looked) == 2
