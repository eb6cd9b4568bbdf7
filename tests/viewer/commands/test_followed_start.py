"""How a capture begins that is played: with the window's options, and followed before anything is in it."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from tests.places import ROOT
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


def test_the_windows_options_go_on_to_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Namespace] = []
    monkeypatch.setattr("viewer.commands.walk.run", lambda args, _: asked.append(args) or 0)
    options = ("--radius", "1", "--objects", "0", "--samples", "1", "--ui-scale", "1.5")
    capture = str(ROOT / "tests" / "captures" / "threshold" / "capture.jsonl")
    assert main(["replay", capture, "--window", "--demo", *options]) == 0
    (args,) = asked
    assert (args.radius, args.objects, args.samples, args.ui_scale, args.fov) == (1, 0, 1, 1.5, None)
