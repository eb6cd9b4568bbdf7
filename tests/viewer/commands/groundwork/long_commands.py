"""Runs commands with much to do, and reads what they say."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from viewer.main import main

if TYPE_CHECKING:
    import pytest


def run(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(list(words)) == code
    out, err = capsys.readouterr()
    assert err == ""
    return out


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def error(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(list(words)) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    return err
