"""An interrupt amid what must not be left half done, as a frame of panels, waits for its end."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from tests.needed import posix

pytestmark = posix("signals")

BEGIN = """
import os, signal, time
from viewer.interrupts import held_back, leave_at_once, raise_again
signal.signal(signal.SIGINT, signal.default_int_handler)
leave_at_once()
raise_again()
"""
WAITS = """
try:
    with held_back():
        os.kill(os.getpid(), signal.SIGINT)
        print("whole", flush=True)
    print("not reached", flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
try:
    with held_back():
        pass
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(20)
except KeyboardInterrupt:
    print("again", flush=True)
"""
TWICE = """
with held_back():
    os.kill(os.getpid(), signal.SIGINT)
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(20)
"""
LONG = """
with held_back(0.2):
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(20)
"""


def run(program: str) -> tuple[int, list[str]]:
    words = [sys.executable, "-c", BEGIN + program]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=15)
    assert done.stderr == ""
    return done.returncode, done.stdout.split("\n")[:-1]


def test_it_waits_and_comes_afterwards() -> None:
    """Windows and tables of panels were left open, and ImGui ended the program."""
    assert run(WAITS) == (0, ["whole", "interrupted", "again"])


@pytest.mark.parametrize("program", [TWICE, LONG])
def test_a_second_one_or_much_patience_ends_the_program(program: str) -> None:
    start = time.monotonic()
    assert run(program) == (130, [])
    assert time.monotonic() - start < 15
