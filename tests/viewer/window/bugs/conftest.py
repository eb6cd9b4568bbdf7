"""A walk that has gone a few steps, whose bug folders come into the test's own folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.physics.enums import TICK
from engine.physics.simulation.movement import MovementInput
from tests.viewer.goings import walking
from viewer.window.sharing import bug_report
from viewer.window.walking.walk import Walk


@pytest.fixture
def walk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Walk:
    monkeypatch.setattr(bug_report, "pictures_folder", lambda: tmp_path)
    walk = walking()
    for _ in range(5):
        walk.advance(TICK, MovementInput(forward=1))
    return walk
