"""The compiled form runs from any folder, and never when the source says something else by now."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from engine.compiled_form import FOLDER, LIBRARY, MANIFEST, SUFFIX, use_compiled_form
from scripts import checks, compile_hot
from scripts.compile_hot import clean, made_from, sources
from tests.needed import needs, posix

PROJECT = Path(__file__).resolve().parents[2]
COMPILER = shutil.which((sysconfig.get_config_var("CC") or "cc").split()[0])
needs_compiler = needs(
    COMPILER is not None and importlib.util.find_spec("mypyc") is not None, "no C compiler or no mypyc"
)

# As an editable install does: the package is found by name, and no folder of the checkout is on the path.
AS_INSTALLED = """
import importlib.util, sys
root = sys.argv[1]
spec = importlib.util.spec_from_file_location("engine", root + "/engine/__init__.py")
engine = importlib.util.module_from_spec(spec)
sys.modules["engine"] = engine
spec.loader.exec_module(engine)
from engine.hot import deep
print(engine.FORM.name, deep.answer(), deep.__file__)
print(engine.FORM.problem)
"""
COMPILE = """
import sys
from pathlib import Path
from scripts.compile_hot import compile_hot
print(compile_hot(Path(sys.argv[1]), ["engine/hot/deep.py", "engine/hot/other.py"]))
"""


def small_project(root: Path) -> Path:
    """A package `engine` of two hot modules that read a constant of a third, which is not compiled."""
    (root / "engine" / "hot").mkdir(parents=True)
    for name in ("__init__", "compiled_form"):
        shutil.copy(PROJECT / "engine" / f"{name}.py", root / "engine")
    (root / "engine" / "hot" / "__init__.py").write_text("")
    (root / "engine" / "numbers.py").write_text("from typing import Final\nSIX: Final = 6\n")
    (root / "engine" / "hot" / "other.py").write_text("SEVEN = 7\n")
    (root / "engine" / "hot" / "deep.py").write_text(
        "from engine.hot.other import SEVEN\nfrom engine.numbers import SIX\n\n\n"
        "def answer() -> int:\n    return SIX * SEVEN\n"
    )
    return root


def run(code: str, root: Path, folder: Path) -> list[str]:
    environment = {name: value for name, value in os.environ.items() if name != "HOLTWALK_INTERPRETED"}
    command = [sys.executable, "-c", code, str(root)]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@needs_compiler
@pytest.mark.slow
def test_the_compiled_form_runs_from_any_folder_until_its_source_changes(tmp_path: Path) -> None:
    root = small_project(tmp_path / "project")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert run(AS_INSTALLED, root, elsewhere)[0] == f"interpreted 42 {root}/engine/hot/deep.py"

    assert run(COMPILE, root, PROJECT)[-1] == "2"
    said, problem = run(AS_INSTALLED, root, elsewhere)
    assert said == f"compiled 42 {root}/engine/{FOLDER}/engine.hot.deep{SUFFIX}"
    assert problem == ""
    assert not list((root / "engine" / "hot").glob("*" + SUFFIX))

    # A constant of another module went into it too. The file's time stays: only its text counts.
    numbers = root / "engine" / "numbers.py"
    before = numbers.stat()
    numbers.write_text(numbers.read_text().replace("6", "5"))
    os.utime(numbers, ns=(before.st_atime_ns, before.st_mtime_ns - 10**12))
    said, problem = run(AS_INSTALLED, root, elsewhere)
    assert said == f"interpreted 35 {root}/engine/hot/deep.py"
    assert problem.startswith(f"{root}/engine/{FOLDER}: compiled from other text of engine/numbers.py: ")

    # Another time alone, or other ends of lines, is not another text.
    numbers.write_bytes(b"from typing import Final\r\nSIX: Final = 6\r\n")
    assert run(AS_INSTALLED, root, elsewhere)[0].startswith("compiled 42 ")

    clean(root)
    assert run(AS_INSTALLED, root, elsewhere)[0].startswith("interpreted 42 ")


def broken_off(*_: object) -> None:
    raise KeyboardInterrupt


def test_what_cannot_be_removed_is_said_and_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "engine" / FOLDER
    monkeypatch.setattr(compile_hot, "ROOT", tmp_path)
    folder.mkdir(parents=True)
    (folder / f"engine.hot{SUFFIX}").touch()
    assert compile_hot.main(["--clean"]) == 0
    assert capsys.readouterr().out == "1 compiled modules removed\n"
    assert not folder.exists()
    folder.mkdir()
    (folder / MANIFEST).touch()
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Path, "rmdir", broken_off)
        clean(tmp_path)
    assert not (folder / MANIFEST).exists()
    folder.rmdir()
    folder.write_text("no folder of ours")
    assert compile_hot.main(["--clean"]) == 1
    assert capsys.readouterr().err == f"holtwalk: {folder}: Not a directory\n"
    assert folder.exists()


def test_what_this_script_did_not_make_stays_and_that_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, beside = tmp_path / "engine" / FOLDER, tmp_path / "engine" / "mine" / f"other{SUFFIX}"
    for path in (folder / "notes.txt", folder / "engine.txt", beside):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("mine")
    for name in (
        MANIFEST,
        f"{LIBRARY}{SUFFIX}",
        "engine.hot.deep.cp399-win_amd64.pyd",
        f"engine.hot{SUFFIX}",
    ):
        (folder / name).touch()
    assert clean(tmp_path) == 2
    assert sorted(path.name for path in folder.iterdir()) == ["engine.txt", "notes.txt"]
    assert beside.exists()
    said = f"{folder}: holds engine.txt and 1 more, not made by this script: left there"
    assert capsys.readouterr().err == f"holtwalk: {said}\n"
    compile_hot._gather(tmp_path / "nothing", folder, {})
    assert (folder / MANIFEST).exists()


@posix("links")
def test_a_link_in_its_place_goes_and_what_it_leads_to_stays(tmp_path: Path) -> None:
    mine, link = tmp_path / "mine", tmp_path / "engine" / FOLDER
    for folder in (mine, link.parent):
        folder.mkdir()
    (mine / MANIFEST).touch()
    link.symlink_to(mine)
    assert clean(tmp_path) == 0
    assert not link.is_symlink()
    assert (mine / MANIFEST).exists()


@pytest.mark.parametrize(("cleaning", "code"), [(0, 0), (1, 1)])
def test_checks_on_the_compiled_form_fail_where_it_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cleaning: int, code: int
) -> None:
    ran: list[list[str]] = []

    def run_it(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        ran.append(command)
        return subprocess.CompletedProcess(command, cleaning if "--clean" in command else 0, "", "")

    monkeypatch.setattr(checks, "ROOT", tmp_path)
    monkeypatch.setattr(checks, "prepare", lambda _: "python")
    monkeypatch.setattr(checks, "STEPS", {})
    monkeypatch.setattr(subprocess, "run", run_it)
    assert checks.main(["--compiled"]) == code
    assert ran[-1] == ["python", "scripts/compile_hot.py", "--clean"]


def spoilt(root: Path, manifest: str) -> str:
    folder = root / "engine" / FOLDER
    folder.mkdir(exist_ok=True)
    (folder / MANIFEST).write_text(manifest)
    form = use_compiled_form(root)
    assert not form.compiled
    assert "\n" not in form.problem
    return form.problem


def test_what_cannot_be_used_is_said_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOLTWALK_INTERPRETED", raising=False)
    root = small_project(tmp_path)
    finders = list(sys.meta_path)
    assert use_compiled_form(root) == (False, "")
    assert "can't be read" in spoilt(root, "{")
    assert "can't be read" in spoilt(root, '{"suffix": ".so"}')
    assert "another Python (.old)" in spoilt(root, '{"suffix": ".old", "modules": [], "made_from": {}}')
    gone = f'{{"suffix": "{SUFFIX}", "modules": [], "made_from": {{"engine/a.py": "1", "engine/b.py": "2"}}}}'
    assert "other text of engine/a.py and 1 more" in spoilt(root, gone)
    if LIBRARY not in sys.modules:
        lost = f'{{"suffix": "{SUFFIX}", "modules": ["{LIBRARY}"], "made_from": {{}}}}'
        assert f"{LIBRARY}{SUFFIX} is not there" in spoilt(root, lost)
        (root / "engine" / FOLDER / f"{LIBRARY}{SUFFIX}").touch()
        assert LIBRARY in spoilt(root, lost)
    lost = f'{{"suffix": "{SUFFIX}", "modules": ["engine.hot.deep"], "made_from": {{}}}}'
    assert f"engine.hot.deep{SUFFIX} is not there" in spoilt(root, lost)
    assert sys.meta_path == finders


def test_it_is_made_from_all_that_hot_modules_import() -> None:
    names = made_from(PROJECT, sources(PROJECT))
    body = "engine/physics/body/body.py"
    assert {body, "engine/world/frame.py", "engine/dat/values.py"} <= set(names)
    assert all(names.values())  # each of them is a file


def test_the_program_says_it_before_anything_else(tmp_path: Path) -> None:
    root = tmp_path / "project"
    for package in ("engine", "viewer"):
        shutil.copytree(
            PROJECT / package, root / package, ignore=shutil.ignore_patterns("__pycache__", FOLDER)
        )
    spoilt(root, "{}")
    environment = {name: value for name, value in os.environ.items() if name != "HOLTWALK_INTERPRETED"}
    command = [sys.executable, "-m", "viewer", "--version"]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("holtwalk: ")
    assert "running interpreted; compile again with scripts/compile_hot.py" in done.stderr


def test_who_imports_the_script_goes_on_in_the_form_that_it_runs_in() -> None:
    """And so do the processes that it starts: what one form sends the other can't read."""
    code = "import os, scripts.compile_hot; print(os.environ.get('HOLTWALK_INTERPRETED'))"
    environment = {name: value for name, value in os.environ.items() if name != "HOLTWALK_INTERPRETED"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).resolve().parents[2],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "None\n"


@pytest.mark.parametrize("made_from", ['[[1, "x"]]', '{"a\\u0000b": "x"}', "[" * 100_000, "7"])
def test_a_list_of_sources_that_makes_no_sense_is_one_line(
    made_from: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HOLTWALK_INTERPRETED", raising=False)
    folder = tmp_path / "engine" / FOLDER
    folder.mkdir(parents=True)
    (folder / MANIFEST).write_text(f'{{"made_from": {made_from}, "suffix": "{SUFFIX}", "modules": []}}')
    form = use_compiled_form(tmp_path)
    assert not form.compiled
    assert form.problem.startswith(f"{folder / MANIFEST}: can't be read: ")
