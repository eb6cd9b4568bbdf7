"""One version in one place, and locks that pin every dependency with the hashes of its files."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from runpy import run_path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from engine import VERSION
from scripts import lock as lock_script
from scripts.lock import LOCKS, command
from tests.places import ROOT
from viewer.main import main

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
HASHES = r"((?:\n    --hash=sha256:[0-9a-f]{64}(?: \\)?$)+)"
ENTRY = re.compile(r"^([\w.-]+)==([^ ;]+)(?: ; ([^\\]+))? \\$" + HASHES, re.MULTILINE)


def pinned(lock: str) -> dict[str, list[Version]]:
    found: dict[str, list[Version]] = {}
    for name, version, _, _ in ENTRY.findall((ROOT / lock).read_text(encoding="utf-8")):
        found.setdefault(canonicalize_name(name), []).append(Version(version))
    return found


def test_the_version_stands_in_one_place(capsys: pytest.CaptureFixture[str]) -> None:
    assert "version" not in PROJECT["project"]
    assert PROJECT["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "engine.VERSION"}
    assert str(Version(VERSION)) == VERSION
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith(f"holtwalk {VERSION}")


def test_the_changes_begin_with_this_version() -> None:
    heads = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert heads[0] in (VERSION, "Unreleased")
    assert VERSION in heads[:2]


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_pins_everything_that_is_asked_for_with_hashes(lock: str) -> None:
    pins = pinned(lock)
    text = (ROOT / lock).read_text(encoding="utf-8")
    named = re.findall(r"^[\w.-]+==", text, re.MULTILINE)
    assert len(named) == sum(map(len, pins.values())), "one has no hash"
    asked = list(PROJECT["project"]["dependencies"])
    for extra in LOCKS[lock]:
        asked += PROJECT["project"]["optional-dependencies"][extra]
    for requirement in map(Requirement, asked):
        versions = pins.get(canonicalize_name(requirement.name), [])
        assert versions, f"{requirement.name} is not in {lock}: run scripts/lock.py"
        assert all(version in requirement.specifier for version in versions), f"{requirement}: {versions}"


def test_both_locks_pin_the_same_versions() -> None:
    runtime, checks = map(pinned, LOCKS)
    assert {name: checks.get(name) for name in runtime} == runtime


def test_that_the_index_is_waited_for_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """uv says nothing of an index that doesn't answer, as it is asked to be quiet."""
    waits = [sys.executable, "-c", "import time; time.sleep(0.3); raise SystemExit(3)"]
    monkeypatch.setattr(lock_script, "command", lambda *_: waits)
    monkeypatch.setattr("shutil.which", lambda _: "uv")
    monkeypatch.setattr("scripts.environment.SAY_EVERY", 0.05)
    assert lock_script.main([]) == 3
    assert capsys.readouterr().err.startswith(
        "holtwalk: uv, for requirements.lock, is still at work after 0 s\n"
    )


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_serves_every_system_and_python(lock: str) -> None:
    """One that was made for the machine alone has the files of no other, and no colorama."""
    words = command(lock, LOCKS[lock])
    assert "--universal" in words
    assert "--generate-hashes" in words
    assert f">={words[words.index('--python-version') + 1]}" == PROJECT["project"]["requires-python"]
    assert lock == "requirements.lock" or "colorama" in pinned(lock)


def test_nothing_of_an_earlier_build_is_in_a_wheel(tmp_path: Path) -> None:
    left = tmp_path / "build" / "lib" / "engine" / "_compiled"
    left.mkdir(parents=True)
    earlier = left / "of_an_earlier_build.so"
    earlier.touch()
    for name in ("engine", "viewer", "assets", "shaders", "pyproject.toml", "README.md"):
        (tmp_path / name).symlink_to(ROOT / name)
    shutil.copy(ROOT / "setup.py", tmp_path)
    subprocess.run([sys.executable, "setup.py", "-q", "build_py"], cwd=tmp_path, check=True)
    assert (left.parent / "files" / "write.py").exists()
    assert not earlier.exists()


def test_a_folder_of_the_users_choice_is_not_emptied_for_a_build(tmp_path: Path) -> None:
    from setuptools import Distribution
    from setuptools.errors import FileError

    mine = tmp_path / "engine" / "main.py"
    mine.parent.mkdir()
    mine.touch()
    build = run_path(str(ROOT / "setup.py"))["Anew"](Distribution())
    build.build_lib = str(tmp_path)
    with pytest.raises(FileError, match=re.escape(f"{mine.parent}: is there already and stays as it is")):
        build.run()
    assert [*tmp_path.rglob("*")] == [mine.parent, mine]


def test_the_checks_of_the_ci_build_and_use_the_package() -> None:
    assert "scripts/check_package.py" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_the_check_of_the_docs_hears_warnings() -> None:
    """With --quiet the builder counts none, and --strict means nothing."""
    words = (ROOT / "scripts" / "checks.py").read_text(encoding="utf-8")
    (docs,) = re.findall(r'"docs": \[(.*?)\]', words, re.DOTALL)
    assert '"--strict"' in docs
    assert "quiet" not in docs
