"""A bug folder is whole or not there, and a second one does not write over the first."""

from __future__ import annotations

import errno
import os
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from PIL import Image

from engine.files import dated
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.simulation import TICK
from tests.viewer.goings import walking
from viewer.window.sharing import bug_report
from viewer.window.walking.walk import Walk

SIZE = (64, 48)


@pytest.fixture
def walk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Walk:
    monkeypatch.setattr(bug_report, "pictures_folder", lambda: tmp_path)
    walk = walking()
    for _ in range(5):
        walk.advance(TICK, MovementInput(forward=1))
    return walk


def write(walk: Walk) -> str:
    return bug_report.write_bug(walk, lambda: Image.new("RGBA", SIZE), size=SIZE, driver="a driver")


def test_two_bugs_of_one_second_are_two_folders(
    walk: Walk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = datetime.now()
    monkeypatch.setattr(dated, "datetime", SimpleNamespace(now=lambda: moment))
    assert write(walk).startswith("saved ")
    assert write(walk).startswith("saved ")
    assert len([folder for folder in tmp_path.iterdir() if (folder / "bug.json").is_file()]) == 2


def test_a_full_disk_leaves_no_bug_folder_in_part(
    walk: Walk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, text: str) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(bug_report, "write_text", full)
    said = write(walk)
    assert said.endswith("not written: No space left on device")
    assert "report.json" in said
    assert not list(tmp_path.iterdir())
