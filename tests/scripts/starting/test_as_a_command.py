"""scripts/holtwalk, which starts run.py from a shell: interrupts wait until the program can take them."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest

from tests.needed import left_out, needs, posix
from tests.places import ROOT

COMMAND = ROOT / "scripts" / "holtwalk"
TELLS = (
    "import json, signal, sys; "
    "print(json.dumps([signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []), sys.argv[1:]]))"
)
"""A program that says whether interrupts are held back, and its words."""
pytestmark = posix("a shell and signals")


def _holds_back() -> bool:
    """Whether `env` can hold interrupts back here."""
    env = shutil.which("env") or "false"
    return (
        subprocess.run([env, "--block-signal=INT", "true"], capture_output=True, check=False).returncode == 0
    )


holding_env = needs(
    os.name != "nt" and _holds_back(), "env holds no signals back: it is not that of GNU coreutils 8.31"
)


@pytest.fixture
def tells(tmp_path: Path) -> Path:
    """What is called in Python's place; it tells what it was given."""
    path = tmp_path / "python=that tells"
    path.write_text(f"#!/bin/sh\nexec '{sys.executable}' -c '{TELLS}' \"$@\"\n")
    path.chmod(0o755)
    return path


def told(words: list[str], cwd: Path, **variables: str) -> tuple[bool, list[str]]:
    """Whether interrupts are held back in what a command starts, and the words that reach it."""
    done = subprocess.run(
        words,
        cwd=cwd,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **variables},
        timeout=60,
    )
    is_held_back, reached = json.loads(done.stdout)
    return is_held_back, reached


@holding_env
def test_interrupts_are_held_back_and_words_passed_on(tells: Path, tmp_path: Path) -> None:
    link = tmp_path / "on the path" / "holtwalk"
    link.parent.mkdir()
    link.symlink_to(COMMAND)
    words = ["--help", "two words", "", "-x", "*", "$HOME"]
    is_held_back, reached = told([str(link), *words], tmp_path, PYTHON=str(tells))
    assert is_held_back
    assert Path(reached[0]).samefile(ROOT / "scripts" / "run.py")
    assert reached[1:] == words


def test_it_starts_where_env_can_hold_nothing_back(tells: Path, tmp_path: Path) -> None:
    other = tmp_path / "bin" / "env"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\necho unknown option >&2; exit 125\n")
    other.chmod(0o755)
    path = f"{other.parent}{os.pathsep}{os.environ['PATH']}"
    is_held_back, reached = told(
        ["sh", "holtwalk", "dat", "ls"], COMMAND.parent, PYTHON=str(tells), PATH=path
    )
    assert not is_held_back
    assert reached == ["./run.py", "dat", "ls"]


@pytest.mark.parametrize("shell", ["bash", "dash", "zsh"])  # /bin/sh is one of the first two on Linux
def test_an_interrupt_that_comes_while_the_shell_waits_is_not_lost(
    tells: Path, tmp_path: Path, shell: str
) -> None:
    other = tmp_path / "bin" / "env"
    other.parent.mkdir()
    other.write_text('#!/bin/sh\n[ "$2" = true ] && kill -INT $PPID\nexit 0\n')
    other.chmod(0o755)
    found = shutil.which(shell)
    if found is None:
        left_out(f"{shell} is not installed")
    sh = tmp_path / "sh"  # the name by which shells know that they are to be POSIX's
    sh.symlink_to(found)
    path = f"{other.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [str(sh), str(COMMAND)], capture_output=True, text=True, check=False, timeout=60,
        env={**os.environ, "PYTHON": str(tells), "PATH": path},
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


@holding_env
def test_an_interrupt_ends_it_quietly_whenever_it_comes(checkout: Path) -> None:
    words = ["sh", str(checkout / "scripts" / "holtwalk")]
    variables = {**os.environ, "PYTHON": sys.executable, "PYTHONPATH": sysconfig.get_path("purelib")}
    subprocess.run([*words, "--version"], check=True, env=variables, capture_output=True, timeout=120)
    for number in range(24):  # through Python's own beginning, and the program's
        process = subprocess.Popen(
            [*words, "dat", "show", "--all", "--demo"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            text=True, start_new_session=True, env=variables,
        )  # fmt: skip
        time.sleep(number / 200)
        os.killpg(process.pid, signal.SIGINT)
        said = process.communicate(timeout=60)[1]
        assert (said, process.returncode in (130, -signal.SIGINT)) == ("", True), number / 200
