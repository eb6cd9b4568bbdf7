"""A file that gets a line a tick and ends early, on a full disk: one line, and not one tick is lost by it."""

from __future__ import annotations

import errno
import json
import os
from contextlib import suppress
from pathlib import Path

import pytest

from engine.physics.enums import TICK
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.simulation import Simulation
from engine.replay.probe.sweeps import SPACING, probe
from engine.replay.recorder import CaptureRecorder
from engine.world.loading.world import World
from engine.world.sources.open_source import open_source
from tests.places import DEMO
from tests.viewer.walks import VESTIBULE
from viewer.commands.open import _are_here
from viewer.report.picture_report import plain
from viewer.report.probe_table import shown_of
from viewer.terminal import say
from viewer.user_folders import pictures_folder
from viewer.window.user_files.key_file import settings_folder
from viewer.window.walking.walk import Walk


def test_a_full_disk_ends_capture_and_report_and_the_walk_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    simulation = Simulation(World(open_source(demo=DEMO)))
    simulation.teleport(simulation.world.locate(VESTIBULE))
    ends: list[str] = []
    recorder = CaptureRecorder(simulation, tmp_path / "record.jsonl", ends.append)
    walk = Walk(simulation, report_file=tmp_path / "report.jsonl")
    write, after = os.write, [3]

    def full(fd: int, data: bytes) -> int:
        after[0] -= 1
        if after[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(fd, data)

    monkeypatch.setattr(os, "write", full)
    assert [walk.advance(TICK, MovementInput(forward=1)) for _ in range(6)] == [1] * 6
    monkeypatch.undo()
    recorder.close()
    walk.close()
    assert walk.history.last - walk.history.first == 6
    for path, told, lines in (
        (tmp_path / "record.jsonl", ends, 2),
        (tmp_path / "report.jsonl", capsys.readouterr().err.splitlines(), 1),
    ):
        (line,) = told
        assert line.removeprefix("holtwalk: ") == (
            f"{path}: No space left on device; its lines end with number {lines}"
        )
        assert len(path.read_text().splitlines()) == lines
    assert walk.notice.startswith(f"{tmp_path / 'report.jsonl'}: ")


@pytest.mark.parametrize(
    ("ticks", "how", "lines"),
    [(0, "by error", ["older"]), (0, "", ["older"]), (2, "by error", [0, 1]), (2, "", [0, 1])],
)
def test_a_walk_that_ends_before_its_first_tick_leaves_older_files_as_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *, ticks: int, how: str, lines: list[object]
) -> None:
    """Ctrl+C while the window opened emptied the file that --report names, and so did its closing."""
    report, record = tmp_path / "report.jsonl", tmp_path / "record.jsonl"
    for file in (report, record):
        file.write_text('{"tick": "older"}\n')
    simulation = Simulation(World(open_source(demo=DEMO)))
    simulation.teleport(simulation.world.locate(VESTIBULE))
    with suppress(KeyboardInterrupt), CaptureRecorder(simulation, record, say):
        walk = Walk(simulation, report_file=report)
        for _ in range(ticks):
            walk.advance(TICK, MovementInput())
        walk.close(by_error=bool(how))
        if how:
            raise KeyboardInterrupt
    for file in (report, record):
        assert [json.loads(line)["tick"] for line in file.read_text().splitlines()] == lines
    assert sorted(tmp_path.iterdir()) == [record, report]
    told = [line.split(": ")[2:] for line in capsys.readouterr().err.splitlines()]
    says = ["there was nothing to report", "there was no tick to record"]
    assert told == [["not written", words] for words in says if not ticks and not how]


def test_a_report_tells_a_probes_pins_once_and_its_verdict_in_every_line(tmp_path: Path) -> None:
    simulation = Simulation(World(open_source(demo=DEMO)))
    simulation.teleport(simulation.world.locate(VESTIBULE))
    walk = Walk(simulation, report_file=tmp_path / "report.jsonl")
    tick = walk.advance
    tick(TICK, MovementInput())
    for _ in range(2):
        walk.questions.probe(0x7A9B4015)
        for _ in range(3):
            tick(TICK, MovementInput())
    walk.toggle_pause()
    walk.look_out((64, 48), 0.0)
    walk.end_frame()
    walk.close()
    lines = [json.loads(line) for line in (tmp_path / "report.jsonl").read_text().splitlines()]
    probes = [line["asked"]["probe"] for line in lines]
    assert probes[0] is None
    assert [bool(told["pins"]) for told in probes[1:7]] == [True, False, False] * 2
    assert [line["asked"]["probe_number"] for line in lines[:7]] == [0, 1, 1, 1, 2, 2, 2]
    assert not any(told["pins"] for told in probes[7:])  # what stands still is told without them, too
    whole = shown_of(probe(simulation, 0x7A9B4015, SPACING)).to_json()
    for told in probes[1:]:
        assert told is not None and told.keys() == whole.keys()
        assert {**told, "pins": []} == {**json.loads(json.dumps(plain(whole))), "pins": []}


@pytest.mark.parametrize("called", ["settings_folder", "pictures_folder", "_are_here"])
def test_a_folder_that_can_not_be_looked_for_is_none(
    called: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = tmp_path / ("a" * 300)  # as one whose parents may not be entered, of which root knows none
    monkeypatch.setattr("platformdirs.user_config_path", lambda *_, **__: nowhere)
    monkeypatch.setattr("platformdirs.user_pictures_path", lambda: nowhere)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OSError, match="File name too long"):
        nowhere.is_dir()
    found: object = {
        "settings_folder": settings_folder,
        "pictures_folder": pictures_folder,
        "_are_here": lambda: _are_here(["--dats", str(nowhere)]),
    }[called]()
    assert found == {"settings_folder": None, "pictures_folder": tmp_path, "_are_here": False}[called]
