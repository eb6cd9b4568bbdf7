"""A terminal with a shell in it, where Ctrl+C reaches the shell and the program that it runs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.places import ROOT

SITS_DOWN = """
import fcntl, os, signal, sys, termios
signal.signal(signal.SIGINT, signal.SIG_DFL)
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execvp("bash", ["bash", "-c", sys.argv[1]])
"""


def rounds_until_interrupted(command: str, is_running: Callable[[], object]) -> int:
    """How many of two rounds a loop of bash begins with a command that Ctrl+C ends, once it is running.

    The shell has to end by the interrupt as well.
    """
    import pty

    terminal, end = pty.openpty()
    loop = f"for n in 1 2; do echo round; {command}; done"
    with subprocess.Popen(
        [sys.executable, "-c", SITS_DOWN, loop], cwd=ROOT, start_new_session=True,
        stdin=end, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    ) as shell:  # fmt: skip
        try:
            is_running()
            os.write(terminal, b"\x03")
            said = shell.communicate(timeout=30)[0].decode().splitlines()
        finally:
            shell.kill()
            os.close(terminal)
            os.close(end)
    assert {*said} == {"round"}
    assert shell.returncode == -signal.SIGINT
    return len(said)


def until_there(mark: Path) -> None:
    """Wait until a program has made a file."""
    until = time.monotonic() + 30.0
    while not mark.exists() and time.monotonic() < until:
        time.sleep(0.02)
