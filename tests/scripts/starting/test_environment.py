"""The scripts' environment: made once, filled again when a lock changes, never somebody else's."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import venv
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from engine.files.lock import is_shared
from tests.needed import posix

MADE = ["venv", "ensurepip", "pip"]  # the steps to an environment


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return import_module("scripts.environment")


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


def test_help_is_passed_on_as_it_is(environment: ModuleType) -> None:
    assert import_module("scripts.launch").arguments(["--help"]) == ["--help"]


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
    monkeypatch.setattr(environment, "_holds", lambda *_: True)
    monkeypatch.setattr(environment, "_use", lambda _: None)  # this process would go on using it
    environment.prepare(lock, folder)
    return done


def test_a_checkout_that_can_not_be_named_on_the_module_path_is_told(
    environment: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "ROOT", tmp_path / f"backup 12{os.pathsep}30")
    with pytest.raises(environment.SetupError, match=rf'has "{os.pathsep}" in its name, .* rename it$'):
        environment.child_environment()


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
        assert fill(environment, tmp_path / name, monkeypatch) == MADE


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
    assert fill(environment, folder, monkeypatch) == MADE
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
    assert fill(environment, folder, monkeypatch) == MADE
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
    assert fill(environment, folder, monkeypatch, "requirements.lock") == MADE
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
    interrupts = import_module("scripts.interrupts")
    monkeypatch.setattr(interrupts, "leave_at_once", lambda: None)
    monkeypatch.setattr(start.early, "signal", lambda *_: None)
    monkeypatch.setattr(environment, "prepare", lambda lock: Path("env/python"))
    monkeypatch.setattr(interrupts, "hand_over", lambda command, _: ran.append(command) or 7)
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


def test_the_environment_is_filled_whatever_pip_is_told_of_other_places(
    environment: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was marked as filled with nothing in it, and no command worked from then on."""
    given = {"PIP_TARGET": "/x", "PIP_DRY_RUN": "1", "PIP_INDEX_URL": "https://here", "PYTHONPATH": "/y"}
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    told = "import os; print('error', [name for name in os.environ if name[:4] in ('PIP_', 'PYTH')]); exit(1)"
    with pytest.raises(environment.SetupError) as failed:
        environment._call([sys.executable, "-c", told], "could not")
    assert [name for name in given if name in str(failed.value)] == ["PIP_INDEX_URL"]


def test_an_environment_that_pip_put_nothing_into_is_not_marked_as_filled(
    environment: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own settings may name another place, and no command ran from then on."""
    here = tmp_path / ".venv"

    def call(command: list[str], *_: object) -> None:
        if command[2] == "venv":
            environment.python_in(here).parent.mkdir(parents=True)
            venv.EnvBuilder(symlinks=os.name != "nt").create(here)

    monkeypatch.setattr(environment, "_call", call)
    with pytest.raises(environment.SetupError, match=r"pip has put .* into another place .* pip config list"):
        environment.prepare("requirements.lock", here)
    assert not list(here.glob("installed-*")) and environment._unfinished(here).exists()


def test_of_what_a_lock_names_another_version_may_do_or_not(
    environment: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    for pin, lacking in (("1.0 \\", True), (pytest.__version__, False), (f"{pytest.__version__} \\", False)):
        (tmp_path / "a.lock").write_text(f"pytest=={pin}\n    --hash=sha256:00\n", encoding="utf-8")
        assert environment.lacks("a.lock", as_pinned=True) == lacking
        assert not environment.lacks("a.lock")


def test_that_a_long_step_is_at_work_is_told_meanwhile(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """mypy said nothing for 40 s on a checkout without its cache, and pip while it installs."""
    monkeypatch.setattr(environment, "SAY_EVERY", 0.05)
    environment._call([sys.executable, "-c", "import time; time.sleep(0.3)"], "could not")
    assert capsys.readouterr().err.startswith("holtwalk: this is still at work after 0 s\n")


def test_a_step_that_asks_is_told_that_nobody_answers(environment: ModuleType) -> None:
    """pip asked for a password, in a pipe that nobody saw, and waited for it at the terminal for ever."""
    asks = "import os; print('error', os.environ['PIP_NO_INPUT']); input()"
    with pytest.raises(environment.SetupError, match=r"could not: EOFError"):
        environment._call([sys.executable, "-c", asks], "could not")


def test_what_others_print_may_be_no_text(environment: ModuleType) -> None:
    """What pip quotes of an index, say; that was a traceback."""
    prints = "import os; os.write(1, b'error \\xff\\n'); exit(1)"
    with pytest.raises(environment.SetupError, match=r"could not: error \\xff$"):
        environment._call([sys.executable, "-c", prints], "could not")


@posix("locks")
def test_an_environment_that_is_in_use_is_not_cleared_for_another_python(
    environment: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A window went on without what it had not loaded yet: "unknown file extension: .png"."""
    here = tmp_path / ".venv"
    fill(environment, here, monkeypatch)
    use = "from pathlib import Path; from scripts import environment; environment._use(Path(r'{}')); input()"
    command = [sys.executable, "-c", use.format(here)]
    with subprocess.Popen(command, cwd=environment.ROOT, stdin=subprocess.PIPE, text=True) as user:
        while not is_shared(environment._used(here)):
            assert user.poll() is None
            time.sleep(0.01)
        monkeypatch.setattr(environment, "_runs", lambda _: False)
        monkeypatch.setattr(environment, "_fingerprint", lambda _: "of another Python")
        with pytest.raises(environment.SetupError, match="is in use by a Holtwalk that runs, and would"):
            environment.prepare("requirements.lock", here)
        assert environment.python_in(here).exists()
        assert not environment._unfinished(here).exists()  # so that it goes on being what it was
        assert [mark.name for mark in here.glob("installed-*")] == ["installed-requirements-test.lock.sha256"]
        monkeypatch.undo()
        shutil.rmtree(here)  # by somebody who wants it anew
        assert fill(environment, here, monkeypatch) == MADE
        environment._unfinished(here).write_text("", "utf-8")  # an interrupt came amid pip
        ran: list[list[str]] = []
        monkeypatch.setattr(environment, "_call", lambda command, *_: ran.append(command))
        environment.prepare("requirements.lock", here)
        assert len(ran) == 1 and "--force-reinstall" in ran[0]
        user.communicate("\n")
    assert not is_shared(environment._used(here))


@posix("another program in a process's place")
def test_an_environment_is_in_use_until_the_program_has_ended(
    environment: ModuleType, tmp_path: Path
) -> None:
    here = tmp_path / ".venv"
    program = f"import sys; input(); sys.exit({environment.__name__!r} in sys.modules)"
    use = (
        "import os, sys; from pathlib import Path; from scripts import environment; "
        f"environment._use(Path(r'{here}')); os.execv(sys.executable, [sys.executable, '-c', {program!r}])"
    )
    with subprocess.Popen(
        [sys.executable, "-c", use], cwd=environment.ROOT, stdin=subprocess.PIPE, text=True
    ) as user:
        while not is_shared(environment._used(here)):
            assert user.poll() is None
            time.sleep(0.01)
        user.communicate("\n")
        assert user.returncode == 0
    assert not is_shared(environment._used(here))
