"""Work that is seldom long: nothing is said of it while it is short, and where it is once it isn't."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.world.spawn_rows import instance
from viewer.main import main
from viewer.report.progress import PAUSE, QUIET, PartsTold

PLACE = "0xA9B40171 [155.4 12.6 94] 1 0 0 0"
ROOM = "0x01070100"
LOADING = ("cells of 0xA9B40000", "objects in 0xA9B40000", "objects standing in 0xA9B40000")
SHAPES = ("shapes of the cells of 0xA9B40000", "shapes of the objects in 0xA9B40000")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every work counts as long."""
    for name in ("QUIET", "IN_LINES"):
        monkeypatch.setattr(f"viewer.report.progress.{name}", 0.0)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("words", [["cell"], ["pvs", "--json"], ["pick", "--no-history"]])
def test_a_command_says_which_landblock_it_loads_and_how_far_that_is(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([words[0], "--demo", "--at", PLACE, *words[1:]]) == 0
    told = capsys.readouterr().err
    for part in LOADING:
        assert f"holtwalk: {words[0]}: {part}: 0.0%\n" in told
        assert f"holtwalk: {words[0]}: {part}: 100.0%\n" in told


@pytest.mark.usefixtures("impatient")
def test_a_command_says_how_far_the_spawn_list_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("engine.world.sources.sql_tokens.HEARD", 1)
    for name in "ab":
        row = instance(0x7A9B4000 + ord(name), 412)
        (tmp_path / f"{name}.sql").write_text(f"{row}\n", encoding="utf-8")
    assert main(["cell", "--demo", "--spawns", str(tmp_path), "--at", PLACE]) == 0
    told = [line.partition(",")[0] for line in capsys.readouterr().err.splitlines() if "spawn" in line]
    shares = [float(line.rpartition(" ")[2].rstrip("%")) for line in told]
    assert shares == sorted(shares)
    assert shares[0] == 0.0 and shares[-1] == 100.0 and 50.0 < shares[-2] < 100.0
    assert told[0] == "holtwalk: cell: reading the spawn list: 0.0%"


@pytest.mark.gl
@pytest.mark.usefixtures("impatient")
def test_a_picture_says_how_far_its_shapes_are_and_what_it_lacks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("viewer.commands.render.given_up", lambda _: ["gave up looking into buildings"])
    words = ["render", "--demo", "--at", PLACE, "--size", "64x48", "--out", str(tmp_path / "a.png")]
    assert main(words) == 0
    told = capsys.readouterr().err
    for part in (*LOADING, *SHAPES):
        assert f"holtwalk: render: {part}: 100.0%\n" in told
    assert told.endswith("holtwalk: gave up looking into buildings\n")


def teleports(folder: Path) -> str:
    script = folder / "script.json"
    steps = [{"teleport": place} for place in (ROOM, PLACE, ROOM)]
    script.write_text(json.dumps({"start": PLACE, "steps": steps}), encoding="utf-8")
    return str(script)


@pytest.mark.usefixtures("impatient")
def test_a_script_without_ticks_says_how_far_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sim", teleports(tmp_path), "--demo"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("0 ticks, ends in 0x01070100")
    told = [line.partition(",")[0] for line in err.splitlines() if "the script's steps" in line]
    assert told == [f"holtwalk: sim: the script's steps: {share}%" for share in (0.0, 33.3, 66.7, 100.0)]


def test_every_tick_that_is_printed_ends_the_silence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "script.json"
    steps = [{"move": [0.0, 0.1, 0.0], "ticks": 3}]
    script.write_text(json.dumps({"start": PLACE, "steps": steps}), encoding="utf-8")
    ways: list[str] = []
    monkeypatch.setattr(PartsTold, "make_way", lambda _: ways.append("made"))
    assert main(["sim", str(script), "--demo"]) == 0
    assert len(ways) == 3


@pytest.mark.parametrize("command", ["cell", "sim"])
def test_nothing_is_said_of_short_work(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--at", PLACE] if command == "cell" else [teleports(tmp_path)]
    assert main([command, "--demo", *words]) == 0
    assert capsys.readouterr().err == ""


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_work_is_told_of_after_some_seconds_of_silence(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    told = PartsTold("render", clock=clock)
    for number in range(10):
        told("cells", number / 10)
        clock.now += 1.0
    assert capsys.readouterr().err.splitlines() == [
        "holtwalk: render: cells: 50.0%, 5 s left",
        "holtwalk: render: cells: 70.0%, 3 s left",
        "holtwalk: render: cells: 90.0%, 1 s left",
    ]
    told("cells", 1.0)
    clock.now += 2 * PAUSE  # something else, of which nothing is heard: what comes then may be short
    told("shapes", 0.0)
    clock.now += 0.9 * QUIET
    told("shapes", 1.0)
    told("windows", 0.0)
    clock.now += 0.2 * QUIET
    told("windows", 0.5)
    assert capsys.readouterr().err.splitlines()[-1] == "holtwalk: render: windows: 50.0%, 1 s left"


def test_short_parts_one_after_the_other_are_not_silent(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    told = PartsTold("render", clock=clock)
    for number in range(20):
        told(f"cells of {number}", 0.0)
        clock.now += 0.6
        told(f"cells of {number}", 1.0)
    assert len(capsys.readouterr().err.splitlines()) in (3, 4)


def test_what_is_printed_ends_the_silence(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    told = PartsTold("sim", clock=clock)
    for number in range(100):
        told("steps", number / 100)
        clock.now += 1.0
        told.make_way()
    assert capsys.readouterr().err == ""


def test_a_part_within_another_is_told_of_where_it_alone_takes_long(
    capsys: pytest.CaptureFixture[str],
) -> None:
    clock = Clock()
    told = PartsTold("sim", clock=clock)
    told("steps", 0.0)
    clock.now += 2.0 * QUIET
    for seconds in (0.5, 2.0 * QUIET):
        told("cells", 0.0)
        clock.now += seconds
        told("cells", 0.5)
        told("cells", 1.0)
    told("steps", 0.5)
    assert [line.split(":")[2] for line in capsys.readouterr().err.splitlines()] == [" cells"]
