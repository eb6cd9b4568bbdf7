"""The two scripts: how arguments are passed on, and when the environment is filled again."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from runpy import run_path
from types import ModuleType

import pytest

from tests.needed import full_device, posix
from viewer.tables.arguments import parse

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


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


def test_a_mark_of_an_environment_that_is_no_text_is_none(
    environment: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.lock").write_text("")
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    monkeypatch.setattr(environment, "python_in", lambda _: tmp_path)
    (tmp_path / "installed-a.lock.sha256").write_bytes(b"\xff\xfe")
    assert not environment._is_filled(tmp_path, "a.lock")
    (tmp_path / "installed-a.lock.sha256").write_text(environment._fingerprint("a.lock"))
    assert environment._is_filled(tmp_path, "a.lock")


def test_what_scripts_print_has_no_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    """Names of folders come from anybody."""

    def main(_: list[str]) -> int:
        print("a\x1b[31mb")
        raise FileExistsError(17, "File exists", "c\x1b[31m\nd")

    with pytest.raises(SystemExit):
        import_module("scripts.start").finish(main)
    said = capsys.readouterr()
    assert said.out == "a\\x1b[31mb\n"
    assert said.err.startswith("holtwalk: c\\x1b[31m") and said.err.count("\n") == 1


@posix("programs that take another one's place")
def test_a_script_hands_over_where_its_streams_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupts = import_module("scripts.interrupts")
    ran: list[str] = []
    monkeypatch.setattr(os, "execve", lambda program, *_: ran.append(program))
    monkeypatch.setattr(signal, "pthread_sigmask", lambda *_: None)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 0))
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    interrupts.hand_over(["python", "again"], {})
    assert ran == ["python"]


def test_help_is_passed_on_as_it_is(environment: ModuleType) -> None:
    assert import_module("scripts.launch").arguments(["--help"]) == ["--help"]


BEGINNING = {"checks", "environment", "interrupts", "launch", "start"}
"""What a script begins with, before there is an environment."""


def test_whatever_stands_beside_the_scripts_can_be_run() -> None:
    """All else is in a folder: run directly it would end with a traceback, for want of the project's path."""
    modules = {path.stem for path in SCRIPTS.glob("*.py") if "finish(main)" not in path.read_text("utf-8")}
    assert modules <= BEGINNING


@pytest.mark.parametrize("name", sorted(BEGINNING))
@pytest.mark.parametrize("word", ["-h", ""])
def test_what_scripts_begin_with_says_in_a_line_that_it_is_no_script(
    name: str, word: str, tmp_path: Path
) -> None:
    words = [sys.executable, str(SCRIPTS / f"{name}.py"), word]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("holtwalk: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [["-h"], ["tests/physics", "--help"]])
def test_the_help_of_the_checks_runs_none(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    checks = import_module("scripts.checks")
    monkeypatch.setattr(checks, "prepare", None)
    assert checks.main(words) == 0
    assert "scripts/test.py [--no-skips] [--compiled] [arguments of pytest]" in capsys.readouterr().out


def fill(
    environment: ModuleType,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    lock: str = "requirements-test.lock",
) -> list[str]:
    """Prepare an environment with a stand-in for venv and pip; what was run."""
    done: list[str] = []

    def call(command: list[str], problem: str, lock: int) -> None:
        done.append(command[2])
        environment.python_in(folder).parent.mkdir(parents=True, exist_ok=True)
        environment.python_in(folder).touch()

    monkeypatch.setattr(environment, "_call", call)
    monkeypatch.setattr(environment, "_runs", lambda python: True)
    environment.prepare(lock, folder)
    return done


def test_what_was_not_made_here_is_never_cleared(
    environment: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = tmp_path / ".venv"
    (theirs / "Scripts").mkdir(parents=True)
    (theirs / "notes.txt").write_text("mine")
    with pytest.raises(environment.SetupError, match="was not made here: move it away"):
        fill(environment, theirs, monkeypatch)
    assert sorted(path.name for path in theirs.iterdir()) == ["Scripts", "notes.txt"]
    assert not environment._unfinished(theirs).exists()
    for name in ("new", "empty"):
        if name == "empty":
            (tmp_path / name).mkdir()
        assert fill(environment, tmp_path / name, monkeypatch) == ["venv", "pip"]


def test_an_environment_behind_a_link_is_used_and_never_filled_or_cleared(
    environment: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    (tmp_path / "requirements-test.lock").write_text("one==1\n")
    fill(environment, tmp_path / "theirs", monkeypatch)
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "theirs")
    assert fill(environment, link, monkeypatch) == []
    (tmp_path / "requirements-test.lock").write_text("one==2\n")
    with pytest.raises(environment.SetupError, match=r"is a link to .*theirs, which does not hold"):
        fill(environment, link, monkeypatch)


def test_the_environment_is_made_once_and_filled_again_when_a_lock_changes(
    environment: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "requirements.lock").write_text("one==1\n")
    (tmp_path / "requirements-test.lock").write_text("-r requirements.lock\n")
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    folder = tmp_path / "venv"
    assert fill(environment, folder, monkeypatch) == ["venv", "pip"]
    assert fill(environment, folder, monkeypatch) == []
    (tmp_path / "requirements.lock").write_text("one==2\n")
    assert fill(environment, folder, monkeypatch) == ["pip"]


def test_an_environment_filled_for_the_checks_holds_what_the_program_needs_also_behind_a_link(
    environment: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    (tmp_path / "requirements.lock").write_text("one==1 \\\n    --hash=sha256:1\n")
    (tmp_path / "requirements-test.lock").write_text(
        "one==1 \\\n    --hash=sha256:1\n    --hash=sha256:2\ntwo==2\n"
    )
    folder, link = tmp_path / "venv", tmp_path / "link"
    link.symlink_to(folder)
    assert fill(environment, folder, monkeypatch) == ["venv", "pip"]
    assert fill(environment, folder, monkeypatch, "requirements.lock") == []
    assert fill(environment, link, monkeypatch, "requirements.lock") == []
    (tmp_path / "requirements.lock").write_text("one==3\n")
    with pytest.raises(environment.SetupError, match=r"does not hold what requirements\.lock names"):
        fill(environment, link, monkeypatch, "requirements.lock")


def test_what_was_filled_before_from_another_lock_is_no_longer_said_of_the_environment(
    environment: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who tries another branch's locks and comes back gets this branch's versions again."""
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    folder = tmp_path / "venv"

    def branch(version: int) -> None:
        (tmp_path / "requirements.lock").write_text(f"one=={version}\n")
        (tmp_path / "requirements-test.lock").write_text(f"one=={version}\ntwo==2\n")

    branch(1)
    assert fill(environment, folder, monkeypatch, "requirements.lock") == ["venv", "pip"]
    branch(2)
    assert fill(environment, folder, monkeypatch) == ["pip"]
    branch(1)
    assert fill(environment, folder, monkeypatch, "requirements.lock") == ["pip"]


def test_a_failed_step_is_one_line_with_the_last_error(environment: ModuleType) -> None:
    program = "import sys; print('noise'); sys.exit('ERROR: no such thing')"
    with pytest.raises(environment.SetupError, match=r"^could not: ERROR: no such thing$"):
        environment._call([sys.executable, "-c", program], "could not")


def test_an_old_python_is_told_so(environment: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "OLDEST_PYTHON", (99, 0))
    with pytest.raises(environment.SetupError, match="Python"):
        environment.prepare("requirements.lock")


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


@pytest.mark.parametrize("script", PROGRAMS, ids=lambda path: path.stem)
def test_every_script_begins_and_ends_the_same_way(script: Path) -> None:
    text = script.read_text(encoding="utf-8")
    head = "import sys\nfrom pathlib import Path\n\n"
    future = "from __future__ import annotations\n\n"
    path = "sys.path.insert(0, str(Path(__file__).resolve().parents[1]))\n\nfrom scripts.start import "
    if script.stem in ("run", "test"):  # which an old Python reads too, to be told that it is too old
        assert future not in text
        before, after = text.split("if sys.version_info < (3, 11):")
        assert before.endswith('"""\n\nimport sys\n\n') and f"from pathlib import Path\n\n{path}" in after
    else:
        assert text.split(future)[1].startswith(head + path)
    assert re.search(r"\n\nbegin\(__name__(, [A-Z]+)?\)\n", text)
    assert text.endswith("    finish(main)\n")
    assert f"python scripts/{script.name}" in text.split('"""')[1]


@pytest.mark.parametrize("script", PROGRAMS, ids=lambda path: path.stem)
def test_every_script_refuses_an_argument_that_it_does_not_know(script: Path, tmp_path: Path) -> None:
    if script.stem in ("run", "test"):  # which hand their arguments on
        return
    done = subprocess.run(
        [sys.executable, str(script), "--\x1b[31mnonsense"],
        cwd=tmp_path,
        env={**os.environ, "NPY_PROMOTION_STATE": "legacy"},  # of which numpy warns whoever loads it
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert re.match(rf"usage: {script.name} (.*\n)+{script.name}: error: .*\n$", done.stderr)
    assert "\x1b" not in done.stderr


def ending(say: str, tmp_path: Path) -> tuple[int, str]:
    """How a script ends that does this."""
    program = tmp_path / "a.py"
    program.write_text(
        f"import sys\nsys.path.insert(0, {str(SCRIPTS.parent)!r})\n"
        f"from scripts.start import begin, finish\nfrom scripts.environment import SetupError\n"
        f"begin(__name__)\ndef main(given):\n    {say}\nfinish(main)\n"
    )
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("say", "code", "line"),
    [
        ("return 1", 1, ""),
        ("raise KeyboardInterrupt", 130, ""),
        ("raise SetupError('no network')", 2, "holtwalk: no network\n"),
        ("open('/nowhere/at/all')", 2, "holtwalk: /nowhere/at/all: No such file or directory\n"),
        ("raise OSError('a link')", 2, "holtwalk: a link\n"),
        ("raise BrokenPipeError(32, 'Broken pipe')", 141, ""),
        (
            "from engine.dat.errors import DatError; raise DatError('cell.dat', None, None, 'cut short')",
            2,
            "holtwalk: cell.dat: cut short\n",
        ),
    ],
)
def test_a_script_ends_with_a_code_and_at_most_a_line(say: str, code: int, line: str, tmp_path: Path) -> None:
    assert ending(say, tmp_path) == (code, line)


def test_options_without_end_are_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    start, environment = map(import_module, ("scripts.start", "scripts.environment"))
    monkeypatch.setattr(sys, "argv", ["a.py", *["--seed", "1"] * 2001])
    with pytest.raises(environment.SetupError, match="there are more than 2,000 options"):
        start.arguments_of("A script.")


@full_device
@pytest.mark.parametrize("words", [["scripts/lock.py", "-h"], ["-m", "viewer", "doctor", "-h"]])
def test_help_that_does_not_fit_on_the_disk_is_no_success(words: list[str]) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, *words], cwd=SCRIPTS.parent, stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert (done.returncode, done.stderr) == (2, b"holtwalk: standard output: No space left on device\n")


@posix("signals")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_what_a_script_waits_for_ends_with_it(number: int, code: int, tmp_path: Path) -> None:
    program = tmp_path / "a.py"
    waiting = [sys.executable, "-c", "import time; print('here', flush=True); time.sleep(90)"]
    program.write_text(
        f"import subprocess, sys\nsys.path.insert(0, {str(SCRIPTS.parent)!r})\n"
        f"from scripts.start import begin, finish\nbegin(__name__)\n"
        f"finish(lambda _: subprocess.run({waiting!r}).returncode)\n"
    )
    process = subprocess.Popen([sys.executable, program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "here\n"
    process.send_signal(number)
    process.communicate(timeout=30)  # as long as the other has the stream it waits
    assert process.returncode == code


@posix("signals")
def test_a_script_that_runs_again_can_be_interrupted(tmp_path: Path) -> None:
    program = tmp_path / "a.py"
    program.write_text(
        f"import sys\nsys.path.insert(0, {str(SCRIPTS.parent)!r})\n"
        f"from scripts.interrupts import hand_over\nfrom scripts.start import begin, finish\n"
        f"if len(sys.argv) == 1:\n    hand_over([sys.executable, {str(program)!r}, 'again'], {{}})\n"
        f"begin(__name__)\nimport time\nprint('here', flush=True)\nfinish(lambda _: time.sleep(30))\n"
    )
    process = subprocess.Popen([sys.executable, program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "here\n"
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == 130


def test_an_interrupt_that_comes_as_soon_as_it_is_raised_ends_a_script_quietly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start = import_module("scripts.start")

    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(start, "raise_again", interrupted)
    with pytest.raises(SystemExit) as left:
        start.finish(lambda _: 0)
    assert left.value.code == 130


def test_what_a_script_says_of_a_file_that_can_not_be_used_is_an_error_that_there_is() -> None:
    for name in import_module("scripts.start").UNREADABLE:
        module, _, error = name.rpartition(".")
        assert issubclass(getattr(import_module(module), error), Exception)


def test_hardly_anything_is_loaded_before_a_script_knows_what_an_interrupt_does() -> None:
    slow = ("argparse", "hashlib", "subprocess", "typing")
    program = f"import sys; import scripts.start; print([name for name in {slow} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-S", "-c", program], cwd=SCRIPTS.parent, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def test_a_python_without_the_libraries_runs_a_script_again_in_the_environment(
    environment: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    start = import_module("scripts.start")
    (tmp_path / "requirements.lock").write_text("numpy==2\nsome-other-system==1 ; sys_platform == 'x'\n")
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    assert not environment.lacks("requirements.lock")
    (tmp_path / "requirements-test.lock").write_text("-r requirements.lock\nholtwalk-has-no-such==1\n")
    assert environment.lacks("requirements-test.lock")
    (tmp_path / "by-hand.lock").write_text("-r by-hand.lock\n-r requirements.lock\n-r by-hand.lock\n==1\n")
    assert not environment.lacks("by-hand.lock")
    ran: list[list[str]] = []
    monkeypatch.setattr(sys, "argv", ["scripts/some.py", "--json"])
    monkeypatch.setattr(start, "leave_at_once", lambda: None)
    monkeypatch.setattr(environment, "prepare", lambda lock: Path("env/python"))
    monkeypatch.setattr(start, "hand_over", lambda command, _: ran.append(command) or 7)
    start.begin("scripts.some", "requirements-test.lock")
    start.begin("__main__", "requirements.lock")
    assert ran == []
    with pytest.raises(SystemExit) as left:
        start.begin("__main__", "requirements-test.lock")
    assert (ran, left.value.code) == ([[str(Path("env/python")), "scripts/some.py", "--json"]], 7)
    with pytest.raises(SystemExit, match="2"):
        start.begin("__main__", "requirements-of-nothing.lock")
    assert capsys.readouterr().err.endswith("requirements-of-nothing.lock: No such file or directory\n")
    (tmp_path / "requirements-of-nothing.lock").write_bytes(b"\xff")
    with pytest.raises(SystemExit, match="2"):
        start.begin("__main__", "requirements-of-nothing.lock")
    assert capsys.readouterr().err.endswith("requirements-of-nothing.lock: is no UTF-8\n")


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("make_world", ["", "--size", "1x1"]),
        ("build_demo_world", [""]),
        ("make_animation", ["--frames", ""]),
        ("fuzz_dats", ["--dats", ""]),
    ],
)
def test_a_script_takes_no_empty_name_for_the_folder_one_stands_in(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *,
    script: str,
    words: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="2"):
        import_module(f"scripts.{script}").main(words)
    assert "'' is empty and names nothing" in capsys.readouterr().err.splitlines()[-1]
    assert not list(tmp_path.iterdir())


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
