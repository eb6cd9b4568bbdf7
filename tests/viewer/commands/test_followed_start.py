"""A capture that is followed before anything is in it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from viewer.commands import replay_window
from viewer.main import main

if TYPE_CHECKING:
    import pytest


def test_who_waits_for_a_first_record_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    capture = tmp_path / "capture.jsonl"
    capture.write_text("", encoding="utf-8")
    monkeypatch.setattr(replay_window, "QUIET", 0.0)
    monkeypatch.setattr(replay_window, "PATIENCE", 0.5)
    assert main(["replay", str(capture), "--window", "--follow"]) == 2
    waiting, ended = capsys.readouterr().err.splitlines()
    assert waiting.startswith(f"holtwalk: {capture}: waiting for its first record, for ")
    assert ended.startswith(f"holtwalk: {capture}: no record came in ")
