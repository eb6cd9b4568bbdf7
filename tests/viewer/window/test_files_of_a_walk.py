"""A file that gets a line a tick and ends early, on a full disk: one line, and not one tick is lost by it."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING

from engine.physics.enums import TICK
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.simulation import Simulation
from engine.replay.recorder import CaptureRecorder
from engine.world.loading.world import World
from engine.world.sources.open_source import open_source
from tests.places import DEMO
from tests.viewer.walks import VESTIBULE
from viewer.window.walking.walk import Walk

if TYPE_CHECKING:
    import pytest


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
