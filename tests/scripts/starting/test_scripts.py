"""What single scripts are asked, and what is there to be asked."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path
from runpy import run_path
from types import ModuleType

import pytest

from tests.places import ROOT
from viewer.tables.arguments import parse

SCRIPTS = ROOT / "scripts"


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return import_module("scripts.environment")


@pytest.mark.parametrize(
    ("given", "command"),
    [
        ([], "walk"),
        (["--dumps", "folder"], "walk"),
        (["0xA9B40170", "[1", "2", "3]"], "walk"),
        (["42.1N", "33.6E"], "walk"),
        (["walk", "--view", "third"], "walk"),
        (["verify", "--json"], "verify"),
        (["--dats", "folder", "verify"], "verify"),
        (["dat", "ls"], "dat ls"),
    ],
)
def test_only_the_walk_may_turn_into_the_tour(
    environment: ModuleType, given: list[str], command: str
) -> None:
    found, args = parse(import_module("scripts.launch").arguments(given))
    assert found.name == command
    assert getattr(args, "or_tour", False) == (command == "walk")


def test_checks_run_beside_one_another_and_all_are_told_in_their_order(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The first waits for what the last one makes."""
    there = tmp_path / "there"
    waits = (
        "import os, time\n"
        "for _ in range(2000):\n"
        f"    if os.path.exists({str(there)!r}):\n"
        "        raise SystemExit(0)\n"
        "    time.sleep(0.01)\n"
        "raise SystemExit(1)"
    )
    steps = {
        "first": ["-c", waits],
        "wrong": ["-c", "print('x' * 200_000 + ' is wrong'); raise SystemExit(3)"],
        "last": ["-c", f"open({str(there)!r}, 'w')"],
    }
    checks = import_module("scripts.checks")
    monkeypatch.setattr(checks, "STEPS", steps)
    monkeypatch.setattr(checks, "prepare", lambda _: Path(sys.executable))
    monkeypatch.setattr(checks, "_run_tests", lambda *_: 0)
    assert checks.main([]) == 1
    lines = capsys.readouterr().out.splitlines()
    told = [re.sub(r" \(.*", "", line) for line in lines if line and "x" not in line]
    assert told == ["first: ok", "wrong: FAILED", "last: ok", "failed before the tests: wrong"]
    assert [line for line in lines if line.endswith(" is wrong")]


BEGINNING = {"checks", "environment", "interrupts", "launch", "start"}
"""What a script begins with, before there is an environment."""


def test_whatever_stands_beside_the_scripts_can_be_run() -> None:
    """All else is in a folder: run directly it would end with a traceback, for want of the project's path."""
    modules = {path.stem for path in SCRIPTS.glob("*.py") if "finish(main)" not in path.read_text("utf-8")}
    assert modules <= BEGINNING


@pytest.mark.parametrize("words", [["-h"], ["tests/physics", "--help"]])
def test_the_help_of_the_checks_runs_none(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    checks = import_module("scripts.checks")
    monkeypatch.setattr(checks, "prepare", None)
    assert checks.main(words) == 0
    assert "scripts/test.py [--no-skips] [--compiled] [arguments of pytest]" in capsys.readouterr().out


def test_the_wheel_takes_every_package_and_every_file_of_the_data(monkeypatch: pytest.MonkeyPatch) -> None:
    from setuptools import Distribution

    root = SCRIPTS.parent
    monkeypatch.chdir(root)
    made = {"script_name": "setup.py", **run_path("setup.py")["found"](root)}
    build = Distribution(made).get_command_obj("build_py")
    build.ensure_finalized()
    taken = {Path(source).as_posix() for _, _, source in build.find_all_modules()}
    taken |= {
        f"{source}/{name}" for package, source, _, names in build.data_files if "_data" in package
        for name in names
    }  # fmt: skip
    wanted = {
        path.relative_to(root).as_posix()
        for top, kind in (("engine", "*.py"), ("viewer", "*.py"), ("shaders", "*"), ("assets", "*"))
        for path in (root / top).rglob(kind)
        if path.is_file() and "_compiled" not in path.parts
    }
    assert taken == wanted
    assert {"engine/files/write.py", "viewer/window/app.py", "assets/demo/scene.json"} <= taken


PROGRAMS = sorted(
    path
    for path in SCRIPTS.glob("*.py")
    if 'if __name__ == "__main__"' in path.read_text(encoding="utf-8") and path.stem not in BEGINNING
)


def test_frames_are_not_written_over_somebodys_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    animation, environment = import_module("scripts.make_animation"), import_module("scripts.environment")
    monkeypatch.setattr(animation, "Film", None)  # nothing is drawn before
    mine = tmp_path / "042.png"
    mine.write_text("my holiday", encoding="utf-8")
    with pytest.raises(environment.SetupError, match="is there already and stays as it is"):
        animation.main(["--frames", str(tmp_path)])
    assert mine.read_text(encoding="utf-8") == "my holiday"


def test_every_path_that_a_script_takes_is_read_by_the_same_rule() -> None:
    """They are of the type Path, of the parser that all scripts share."""
    for script in SCRIPTS.glob("*.py"):
        text = script.read_text(encoding="utf-8")
        assert script.name == "start.py" or "ArgumentParser(" not in text, script.name
        assert not re.search(r'metavar="(DIR|FILE|F\.\w+)"(?!, type=Path)', text), script.name


@pytest.mark.parametrize(
    ("name", "words", "reason"),
    [
        ("fuzz_dats", ["--records", "-1"], "is not a number from 0 on"),
        ("fuzz_dats", ["--part", "0/0"], "is not K/N"),
        ("fuzz_dats", ["--part", "3/2"], "is not K/N"),
        ("fuzz_inputs", ["--part", "1/0"], "is not K/N"),
        ("fuzz_inputs", ["--inputs", "9" * 5000], "is not a number from 0 on"),
    ],
)
def test_a_fuzzer_refuses_numbers_that_make_no_sense(
    name: str, words: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        import_module(f"scripts.{name}").main(words)
    assert left.value.code == 2
    said = capsys.readouterr().err
    assert reason in said
    assert len(said) < 600
