"""A command that is told or copied runs as it is pasted in the folder where the program was started."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import viewer.how_started
from tests.places import ROOT
from viewer.how_started import NAME, runs_here

COMMAND = f"{NAME} dat show 0x01000001 --demo"


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with an environment in it, started from there by its Python; nothing is on the path."""
    binaries = tmp_path / ".venv" / "bin"
    binaries.mkdir(parents=True)
    (binaries / "python").write_text("")
    (binaries / "python").chmod(0o755)
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "run.py").write_text("")
    monkeypatch.setattr(sys, "executable", str(binaries / "python"))
    monkeypatch.setattr(viewer.how_started, "CHECKOUT", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_in_a_checkout_without_the_script_it_is_its_python(machine: Path) -> None:
    assert runs_here(COMMAND) == ".venv/bin/python -m viewer dat show 0x01000001 --demo"


def test_in_another_folder_it_is_the_checkouts_own_script(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = machine / "other folder"
    other.mkdir()
    monkeypatch.chdir(other)
    first, run, *rest = shlex.split(runs_here(COMMAND))
    assert first == (machine / ".venv" / "bin" / "python").as_posix()
    assert run == (machine / "scripts" / "run.py").as_posix()
    assert rest == COMMAND.split()[1:]


def test_where_it_is_installed_it_is_the_script_by_its_path_and_on_the_path_by_its_name(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = machine / ".venv" / "bin" / NAME
    script.write_text("")
    script.chmod(0o755)
    assert runs_here(COMMAND) == f".venv/bin/{COMMAND}"
    monkeypatch.setenv("PATH", str(script.parent))
    assert runs_here(COMMAND) == COMMAND


def test_another_environments_script_of_that_name_is_not_told(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = machine / "others"
    others.mkdir()
    for name in (NAME, "python"):
        (others / name).write_text("")
        (others / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(others))
    assert runs_here(COMMAND).startswith(".venv/bin/python -m viewer ")


def test_what_is_told_here_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    done = subprocess.run(
        shlex.split(runs_here(f"{NAME} --version")), capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.startswith("holtwalk ")


@pytest.mark.parametrize("words", [["viewer"], [str(Path("viewer", "__main__.py"))], ["-m", "viewer"]])
def test_a_checkout_is_started_by_its_folder_and_by_the_file_in_it_as_well(words: list[str]) -> None:
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, *words, "--version"],
        cwd=ROOT, env=variables, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("holtwalk ")
