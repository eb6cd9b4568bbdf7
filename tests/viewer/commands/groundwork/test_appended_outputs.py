"""What a shell lets a command print into is never what the command reads."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import DEMO

VESTIBULE = "0xA9B40170 [155.4 15.2 94.0]"


@pytest.fixture
def sim(tmp_path: Path) -> list[str]:
    """A command that prints JSON lines, of a script and dats in a folder."""
    shutil.copytree(DEMO, tmp_path / "dats")
    script = tmp_path / "sim.json"
    script.write_text(json.dumps({"start": VESTIBULE, "steps": [{"wait": 0.1}]}), encoding="utf-8")
    return ["sim", str(script), "--dats", str(tmp_path / "dats"), "--json"]


def printed_into(path: Path, how: str, words: list[str]) -> tuple[int, str]:
    """The exit code of a command that prints into a file, and what it complains of."""
    with path.open(how) as file:
        done = subprocess.run(
            [sys.executable, "-m", "viewer", *words], cwd=DEMO.parents[1], check=False, stdout=file,
            stderr=subprocess.PIPE, text=True, timeout=120,
        )  # fmt: skip
    return done.returncode, done.stderr


@pytest.mark.parametrize(("read", "what"), [("sim.json", "script"), ("dats/client_cell_1.dat", "--dats")])
def test_what_is_read_is_not_appended_to(tmp_path: Path, sim: list[str], read: str, what: str) -> None:
    path = tmp_path / read
    before = path.read_bytes()
    said = f"holtwalk: {what}: {path} is where standard output goes; nothing was written\n"
    assert printed_into(path, "a", sim) == (2, said)
    assert path.read_bytes() == before


@pytest.mark.parametrize("both", [False, True])
def test_nor_are_complaints_appended_to_it(tmp_path: Path, sim: list[str], *, both: bool) -> None:
    path = tmp_path / "sim.json"
    before = path.read_bytes()
    with path.open("a") as file:
        done = subprocess.run(
            [sys.executable, "-m", "viewer", *sim], cwd=DEMO.parents[1], check=False, text=True,
            stdout=file if both else subprocess.PIPE, stderr=file, timeout=120,
        )  # fmt: skip
    said = f"holtwalk: script: {path} is where standard error goes; nothing was written\n"
    assert (done.returncode, done.stdout) == (2, None if both else said)
    assert path.read_bytes() == before


def test_what_a_shell_begins_among_what_is_read_is_printed_into(tmp_path: Path, sim: list[str]) -> None:
    path = tmp_path / "dats" / "client_local_English.dat"
    assert printed_into(path, "w", sim)[0] == 0
    assert path.stat().st_size


def test_what_is_not_read_is_appended_to(tmp_path: Path, sim: list[str]) -> None:
    path = tmp_path / "ticks.jsonl"
    path.write_text("an older line\n")
    assert printed_into(path, "a", sim) == (0, "")
    assert path.read_text().startswith('an older line\n{"')
