"""Worlds with very many of one kind: each is asked once, or so many of them and no more."""

from __future__ import annotations

import math
import os
import random
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.physics.simulation.simulation import Simulation
from engine.replay import bench_growth, doorways, town
from engine.replay.doorways import DOOR_REACH, Standing, find_doorways
from engine.replay.scenarios import crowds
from engine.replay.scenarios.scenario import StagingError
from engine.replay.scenarios.stage import Stage
from engine.replay.town import TownSource
from engine.world.loading.world import World
from engine.world.sources.open_source import open_source
from tests.needed import posix
from tests.places import DEMO
from viewer.main import main
from viewer.verify import bench_particles, picture_stage
from viewer.verify.picture_stage import cells_to_stand_in, standing_places

VILLAGE = 0xA9B40000


@pytest.fixture
def stage() -> Stage:
    return Stage(lambda: World(open_source(demo=DEMO)), "0xA9B40031 [1 1 0]", {})


def thing(number: int, x: float, y: float, z: float) -> Any:
    return SimpleNamespace(object_id=number, frame=SimpleNamespace(origin=(x, y, z)))


def test_what_stands_in_an_opening_is_the_first_of_the_nearest() -> None:
    rng = random.Random(3)
    things = [
        thing(n, *(rng.choice((0.0, 0.5, 1.5, rng.uniform(-3, 3))) for _ in range(3))) for n in range(90)
    ]
    standing = Standing(things)
    for sill in [(rng.uniform(-2, 2), rng.uniform(-2, 2), 0.5) for _ in range(200)] + [(0.0, 0.0, 0.0)]:
        offs = [math.dist(t.frame.origin[:2], sill[:2]) + abs(t.frame.origin[2] - sill[2]) for t in things]
        wanted = offs.index(min(offs)) if min(offs) < DOOR_REACH else None
        assert standing.in_opening(sill) == wanted
    assert standing.in_opening((90.0, 0.0, 0.0)) is None
    assert Standing([]).in_opening((0.0, 0.0, 0.0)) is None


def test_exits_don_t_ask_each_of_the_doors(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of exits by thousands of doors took minutes for each scenario."""
    block = stage.block(stage.simulation())
    own = find_doorways(block)
    block.entities = block.entities * 50
    asked: list[object] = []
    counted = SimpleNamespace(**{**vars(math), "dist": lambda *two: asked.append(two) or math.dist(*two)})
    monkeypatch.setattr(doorways, "math", counted)
    assert find_doorways(block) == own
    assert len(asked) <= len(own)


def test_houses_full_of_things_make_no_town(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(town, "MOST_STATICS", 10)
    with pytest.raises(ValueError, match=r"smallest buildings holds \d+ statics, too many$"):
        TownSource(open_source(demo=DEMO), VILLAGE, 1, 0x020019FF)


def test_room_is_looked_for_in_one_of_many_houses_that_are_alike(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nobody fits in, five thousand rooms were tried."""
    tried: list[int] = []

    def put(_: Simulation, cell_id: int, *__: object) -> None:
        tried.append(cell_id)
        raise StagingError("no room")

    monkeypatch.setattr(bench_growth, "put", put)
    with pytest.raises(StagingError, match="no room of the smallest house"):
        bench_growth._in_a_house(stage, 100)
    assert len(tried) == 10


def test_so_many_models_are_tried_for_their_particles(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_particles, "MODELS_AT_MOST", 2)
    made: list[tuple[object, ...]] = []

    class Burning:
        def __init__(self, *of: object) -> None:
            made.append(of)

        def shown(self, _: float) -> int:
            return 500

    monkeypatch.setattr(bench_particles, "Burning", Burning)
    assert bench_particles._fullest(stage)[0] == 2
    assert len(made) == 2
    assert len({id(source) for source, *_ in made}) == 1  # opened once


def test_somebody_stands_in_so_many_cells(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten thousand took half an hour."""
    monkeypatch.setattr(picture_stage, "CELLS_AT_MOST", 5)
    simulation = stage.simulation()
    block = stage.block(simulation)
    count = sum(bool(cell.portals) for cell in block.env_cells.values())
    stood: set[int] = set()

    def stand_in(_: Simulation, cell: Any, __: object) -> Iterator[None] | bool:
        stood.add(cell.id)
        return True

    monkeypatch.setattr(picture_stage, "stand_in", stand_in)
    list(standing_places(simulation, block, random.Random(1)))
    assert 3 <= len(stood) <= 5
    assert cells_to_stand_in(block).note == f"; went to {len(stood)} of {count} cells"


@pytest.mark.parametrize(
    ("limit", "reason"),
    [
        ("DOORS_AT_MOST", "3 doors stand here"),
        ("THINGS_AT_MOST", "11 things stand here"),
        ("SHAPES_AT_MOST", "17 shapes stand in 0xA9B4002A"),
        ("POLYGONS_AT_MOST", "342 polygons stand in 0xA9B4000F"),
    ],
)
def test_nothing_is_staged_in_a_crowd(stage: Stage, limit: str, reason: str) -> None:
    """Scenarios took hours in a heap of twenty thousand statics."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(crowds, limit, 2)
        with pytest.raises(StagingError, match=f"^{reason}, too many to stage scenarios among$"):
            stage.simulation()
    with pytest.raises(StagingError, match=f"^{reason}, "):  # known by now
        stage.simulation()
    assert stage.simulation(0xA8B20000)


@posix("named pipes")
@pytest.mark.parametrize("words", [["verify", "--jobs", "1"], ["bench"]], ids=lambda words: words[0])
def test_a_world_that_is_opened_again_is_read_from_no_pipe(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second opening waited for thirty seconds, figure by figure."""
    scene = tmp_path / "scene.json"
    os.mkfifo(scene)
    assert main([*words, "--demo", "--scene", str(scene)]) == 2
    assert "is a pipe or device, and this work reads it more than once" in capsys.readouterr().err
