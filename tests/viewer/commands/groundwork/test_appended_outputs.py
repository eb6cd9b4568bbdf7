"""What a shell lets a command print into is never what the command reads."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import IO

import pytest

from tests.places import DEMO
from viewer.commands.groundwork.outputs import check_outputs
from viewer.tables.arguments import parse
from viewer.tables.options import COMMANDS
from viewer.user_error import UserError

VESTIBULE = "0xA9B40170 [155.4 15.2 94.0]"


@pytest.fixture
def sim(tmp_path: Path) -> list[str]:
    """A command that prints JSON lines, of a script and dats in a folder."""
    shutil.copytree(DEMO, tmp_path / "dats")
    script = tmp_path / "sim.json"
    script.write_text(json.dumps({"start": VESTIBULE, "steps": [{"wait": 0.1}]}), encoding="utf-8")
    return ["sim", str(script), "--dats", str(tmp_path / "dats"), "--json"]


def run(words: list[str], stdout: IO[str] | int, stderr: IO[str] | int) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "viewer", *words], cwd=DEMO.parents[1], check=False, stdout=stdout,
        stderr=stderr, text=True, timeout=120,
    )  # fmt: skip


def printed_into(path: Path, how: str, words: list[str]) -> tuple[int, str]:
    """The exit code of a command that prints into a file, and what it complains of."""
    with path.open(how) as file:
        done = run(words, file, subprocess.PIPE)
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
        done = run(sim, file if both else subprocess.PIPE, file)
    said = f"holtwalk: script: {path} is where standard error goes; nothing was written\n"
    assert (done.returncode, done.stdout) == (2, None if both else said)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("more", "told"),
    [(["--bogus"], "--bogus"), (["--jobs", "2"], "--cases"), (["--dats", "dats"], "standard error")],
)
def test_nor_is_what_is_wrong_with_the_command_line(
    tmp_path: Path, sim: list[str], more: list[str], told: str
) -> None:
    path = tmp_path / "sim.json"
    before = path.read_bytes()
    with path.open("a") as file:
        done = run([*sim, *more], subprocess.PIPE, file)
    assert (done.returncode, told in done.stdout, path.read_bytes()) == (2, True, before)


def test_what_is_wrong_with_an_output_is_not_appended_to_it(tmp_path: Path, sim: list[str]) -> None:
    path = tmp_path / "older.jsonl"
    path.write_text("an older line\n")
    with path.open("a") as file:
        done = run([*sim[:-1], "--record", str(path)], subprocess.PIPE, file)
    said = f"holtwalk: --record: {path} is where standard error goes; nothing was written\n"
    assert (done.returncode, done.stdout, path.read_text()) == (2, said, "an older line\n")


def test_commands_that_write_no_file_append_to_none_that_they_read_either(tmp_path: Path) -> None:
    scene = tmp_path / "scene.json"
    shutil.copy(DEMO / "scene.json", scene)
    said = f"holtwalk: --scene: {scene} is where standard output goes; nothing was written\n"
    words = ["cell", "--at", VESTIBULE, "--demo", "--scene", str(scene), "--json"]
    assert printed_into(scene, "a", words) == (2, said)
    assert scene.read_bytes() == (DEMO / "scene.json").read_bytes()


def test_a_log_among_the_settings_is_appended_to(
    tmp_path: Path, sim: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "settings"
    folder.mkdir()
    monkeypatch.setattr("viewer.commands.groundwork.outputs.config_folder", lambda: folder)
    command = next(command for command in COMMANDS if command.name == "sim")
    args = parse(sim)[1]
    for name, is_refused in (("cron.log", False), ("settings.toml", True)):
        path = folder / name
        path.write_text("an older line\n")
        monkeypatch.setattr("viewer.commands.groundwork.outputs.appended", lambda at=path: {1: at.stat()})
        monkeypatch.setattr("viewer.commands.groundwork.outputs.streams_into", lambda _: ["standard output"])
        with pytest.raises(UserError, match="a settings file") if is_refused else nullcontext():
            check_outputs(command, args)


def test_what_a_shell_begins_among_what_is_read_is_printed_into(tmp_path: Path, sim: list[str]) -> None:
    path = tmp_path / "dats" / "client_local_English.dat"
    assert printed_into(path, "w", sim)[0] == 0
    assert path.stat().st_size


def test_what_is_not_read_is_appended_to(tmp_path: Path, sim: list[str]) -> None:
    path = tmp_path / "ticks.jsonl"
    path.write_text("an older line\n")
    assert printed_into(path, "a", sim) == (0, "")
    assert path.read_text().startswith('an older line\n{"')
