"""How far a script's long work is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scripts.long_work.telling import telling
from viewer.report import progress

if TYPE_CHECKING:
    import pytest


def test_long_work_is_told_on_a_terminal_and_gives_every_item(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "is_terminal", lambda: True)
    monkeypatch.setattr("scripts.long_work.telling.QUIET", 1e-9)
    assert list(telling("records", "abc", 3)) == ["a", "b", "c"]
    assert "records: " in capsys.readouterr().err


def test_nothing_is_told_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(telling("records", range(3), 3)) == [0, 1, 2]
    assert capsys.readouterr().err == ""
