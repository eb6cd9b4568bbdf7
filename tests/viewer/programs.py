"""Command lines that run in the process of the test, and programs that run in their own."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

from engine.files.json_form import Json
from tests.places import ROOT
from viewer.main import main

if TYPE_CHECKING:
    import pytest


class Program:
    """Runs command lines in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def run(self, *words: str, code: int = 0) -> str:
        """Standard output of a run with that exit code; nothing on standard error when it went well."""
        found = main(list(words))
        out, err = self._capsys.readouterr()
        assert found == code, err
        assert err == ""
        return out

    def json(self, *words: str, code: int = 0) -> Json:
        document: Json = json.loads(self.run(*words, "--json", code=code))
        return document

    def complaint(self, *words: str) -> str:
        """The one line on standard error of a run with bad input."""
        assert main(list(words)) == 2
        out, err = self._capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1
        return err


def ended(program: str, seconds: float) -> tuple[int, str]:
    """How a program ends, within so many seconds, and what it says."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        start_new_session=True,
        capture_output=True,
        text=True,
        check=False,
        timeout=seconds,
    )
    return done.returncode, done.stderr
