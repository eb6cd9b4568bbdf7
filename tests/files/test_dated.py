"""What is saved twice in one second is there twice."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

from engine.files import dated

if TYPE_CHECKING:
    import pytest


def test_a_name_that_is_taken_is_not_given_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moment = datetime(2026, 3, 14, 15, 9, 26)
    monkeypatch.setattr(dated, "datetime", SimpleNamespace(now=lambda: moment))
    first = dated.dated_path(tmp_path, "scene", ".json")
    assert first == tmp_path / "holtwalk-scene-20260314-150926.json"
    first.touch()
    second = dated.dated_path(tmp_path, "scene", ".json")
    assert second == tmp_path / "holtwalk-scene-20260314-150926-2.json"
    second.symlink_to(tmp_path / "nowhere")
    assert dated.dated_path(tmp_path, "scene", ".json").name == "holtwalk-scene-20260314-150926-3.json"
    assert dated.dated_path(tmp_path).name == "holtwalk-20260314-150926"


def test_a_name_that_another_program_takes_meanwhile_is_left_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = iter(("one.png", "one.png", "two.png"))

    def slow_look(folder: Path, what: str, ending: str) -> Path:  # all find the name free at first
        return folder / next(names)

    monkeypatch.setattr(dated, "dated_path", slow_look)
    assert dated.write_dated(tmp_path, b"first") == tmp_path / "one.png"
    assert dated.write_dated(tmp_path, b"second") == tmp_path / "two.png"
    assert (tmp_path / "one.png").read_bytes() == b"first"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.png", "two.png"]
