"""Ctrl+C while a script sets the environment up or its program runs, two scripts at once: no traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest

from engine import VERSION
from tests.needed import posix
from tests.places import ROOT

on_posix = posix("signals and descriptors")


def start(checkout: Path, script: str, *words: str) -> subprocess.Popen[str]:
    """Start a script; the program finds its libraries here, since the stand-in for pip installs none."""
    libraries = {**os.environ, "PYTHONPATH": sysconfig.get_path("purelib")}
    return subprocess.Popen(
        [sys.executable, str(checkout / "scripts" / script), *words], cwd=checkout, text=True, env=libraries,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip


def wait_for(path: Path, text: str) -> None:
    end = time.monotonic() + 60
    while not (path.exists() and text in path.read_text()):
        assert time.monotonic() < end
        time.sleep(0.02)


@on_posix
@pytest.mark.parametrize("script", ["run.py", "test.py"])
@pytest.mark.parametrize("to_all", [True, False])
def test_an_interrupt_while_the_environment_is_filled(checkout: Path, script: str, *, to_all: bool) -> None:
    process = start(checkout, script, "--version")
    wait_for(checkout / "log", "begun")
    (os.killpg if to_all else os.kill)(process.pid, signal.SIGINT)
    err = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert "Traceback" not in err
    assert (checkout / ".venv.unfinished").exists()
    repaired = start(checkout, "run.py", "--version")
    out, err = repaired.communicate(timeout=120)
    assert (repaired.returncode, out) == (0, f"holtwalk {VERSION}, from a checkout\n"), err
    assert "making an environment" in err
    assert not (checkout / ".venv.unfinished").exists()


@on_posix
def test_of_two_at_once_one_waits(checkout: Path) -> None:
    first = start(checkout, "run.py", "--version")
    wait_for(checkout / "log", "begun")
    second = start(checkout, "run.py", "--version")
    results = [process.communicate(timeout=120) for process in (first, second)]
    assert [out for out, _ in results] == [f"holtwalk {VERSION}, from a checkout\n"] * 2
    assert "waiting for it" in results[1][1]
    assert (checkout / "log").read_text() == "begun\nended\n"


@on_posix
def test_a_lock_ends_with_who_holds_it(checkout: Path) -> None:
    first = start(checkout, "run.py", "--version")
    wait_for(checkout / "log", "begun")
    os.killpg(first.pid, signal.SIGKILL)
    first.communicate()
    second = start(checkout, "run.py", "--version")
    out, _ = second.communicate(timeout=120)
    assert out == f"holtwalk {VERSION}, from a checkout\n"


@on_posix
@pytest.mark.parametrize("delay", [0.05, 0.1, 0.15, 0.2, 0.3])
def test_an_interrupt_of_the_script_and_its_program(checkout: Path, delay: float) -> None:
    start(checkout, "run.py", "--version").communicate(timeout=120)
    process = start(checkout, "run.py", "dat", "show", "--all", "--demo")
    time.sleep(delay)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert not any(name in err for name in ("environment.py", "/viewer/", "/engine/", "in main"))
    if "Traceback" not in err:  # else Python had hardly begun
        assert process.returncode in (130, -signal.SIGINT, 0), err


@on_posix
def test_whoever_ends_the_script_ends_the_program(checkout: Path) -> None:
    (checkout / "viewer").unlink()
    (checkout / "viewer").mkdir()
    (checkout / "viewer" / "__main__.py").write_text(
        "import time\nprint('here', flush=True)\ntime.sleep(90)\n"
    )
    process = start(checkout, "run.py")
    assert process.stdout is not None
    assert process.stdout.readline() == "here\n"
    process.terminate()
    process.communicate(timeout=30)  # as long as the program has the stream it waits
    assert process.returncode == -signal.SIGTERM


@on_posix
def test_an_interrupt_while_a_script_loads_a_module_comes_when_that_is_done(tmp_path: Path) -> None:
    (tmp_path / "loaded.py").write_text(
        "import signal\ntry:\n    signal.raise_signal(signal.SIGINT)\n"
        "except BaseException as error:\n    print('amid it:', type(error).__name__)\n"
    )
    done = run_interrupted(tmp_path, "import loaded\ntime.sleep(30)")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@on_posix
@pytest.mark.parametrize(
    "goes_on", ["interrupts.hand_over([sys.executable, '-c', 'print(1)'], {})", "interrupts.leave_at_once()"]
)
def test_one_that_was_put_off_is_not_lost(tmp_path: Path, goes_on: str) -> None:
    (tmp_path / "loaded.py").write_text("import signal\nsignal.raise_signal(signal.SIGINT)\n")
    done = run_interrupted(tmp_path, f"import loaded\n{goes_on}\ntime.sleep(30)")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def run_interrupted(folder: Path, program: str) -> subprocess.CompletedProcess[str]:
    """Run what a script does, from when it is known what an interrupt does."""
    lines = "".join(f"    {line}\n" for line in program.splitlines())
    (folder / "script.py").write_text(
        f"import sys, time\nsys.path.insert(0, {str(ROOT)!r})\n"
        "from scripts.start import begin, finish\nbegin(__name__)\nfrom scripts import interrupts\n"
        f"def main(_):\n{lines}    return 0\nfinish(main)\n"
    )
    words = [sys.executable, str(folder / "script.py")]
    return subprocess.run(
        words, capture_output=True, text=True, timeout=60, check=False, start_new_session=True
    )
