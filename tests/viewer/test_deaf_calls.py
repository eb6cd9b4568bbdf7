"""An interrupt ends a command that waits in a call of a library, which would not hear of it."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

from tests.needed import posix
from tests.places import ROOT

PROGRAM = """
import ctypes, time
from viewer.interrupts import leave_at_once, raise_again
from viewer.deaf_calls import ended_when_unheard
leave_at_once(); raise_again()

def work(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        rest = end - time.monotonic()
        {call}

try:
    with ended_when_unheard(0.3):
        print("works", flush=True)
        work(20)
except KeyboardInterrupt:
    print("heard", flush=True)
    {then}
    print("in order", flush=True)
"""


def interrupted(call: str, then: str = "pass") -> tuple[int, str, float]:
    """The exit code, what was printed, and the seconds after an interrupt."""
    words = [sys.executable, "-c", PROGRAM.format(call=call, then=then)]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "works\n"
        time.sleep(0.3)  # it has come to its call
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
        return process.wait(), rest, time.monotonic() - began


@posix("signals")
def test_what_waits_in_a_library_is_ended() -> None:
    """A mutex of the C library waits on, whatever signals come, as drivers do."""
    call = (
        "m = ctypes.create_string_buffer(64); lock = ctypes.CDLL(None).pthread_mutex_lock; lock(m); lock(m)"
    )
    code, said, seconds = interrupted(call)
    assert (code, said) == (130, "")
    assert seconds < 10


@posix("signals")
@pytest.mark.parametrize("then", ["pass", "time.sleep(0.8)"])
def test_what_hears_of_it_is_put_in_order(then: str) -> None:
    assert interrupted("time.sleep(rest)", then)[:2] == (0, "heard\nin order\n")
