"""Readers that go away, a full disk behind stdout, closed streams: no traceback, the right code."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from tests.needed import full_device, posix
from tests.places import ROOT

PROGRAM = [sys.executable, "-m", "viewer"]
on_posix = posix("signals and descriptors")


def shell(line: str) -> tuple[int, str]:
    """The exit code of the program in a line of bash, and all that stood on stderr."""
    done = subprocess.run(
        ["bash", "-c", line.replace("holtwalk", f"'{sys.executable}' -m viewer")],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    return done.returncode, done.stderr


@on_posix
@pytest.mark.parametrize("reader", ["head -1", "true"])
@pytest.mark.parametrize(
    "words",
    [
        "dat ls --demo",
        "dat ls --json",
        "dat show --demo --all",
        "dat show --all --json",
        "dat check --demo",
    ],
)
def test_a_reader_that_goes_away_is_no_error(words: str, reader: str) -> None:
    code, err = shell(f"holtwalk {words} | {reader} > /dev/null; exit ${{PIPESTATUS[0]}}")
    assert err == ""
    assert code in ((141,) if "--all" in words else (0, 141))  # a little may all be in the pipe by then


@on_posix
def test_the_reader_of_both_streams_may_go_away() -> None:
    code, err = shell("holtwalk dat show --demo --all 2>&1 | true; exit ${PIPESTATUS[0]}")
    assert (code, err) == (141, "")


PRINTED = """
import sys
from viewer.terminal import harmless_output, print_if_read
with harmless_output():
    for line in ("one", "two"):
        print_if_read(line)
        print("goes on", file=sys.stderr)
"""


@on_posix
@pytest.mark.parametrize("nowhere", ["> >(true)", pytest.param("> /dev/full", marks=full_device)])
def test_a_window_goes_on_without_who_read_what_it_prints(nowhere: str) -> None:
    code, err = shell(f"(sleep 0.3; '{sys.executable}' -c '{PRINTED}') {nowhere}")
    assert (code, err) == (0, "goes on\ngoes on\n")


WAITING = """
import sys
from viewer.terminal import harmless_output, nobody_waits, print_if_read, say
with harmless_output(), nobody_waits():
    for number in range(9000):
        print_if_read(f"line {number}")
    say("goes on")
"""


@on_posix
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_window_goes_on_while_nobody_reads_what_it_prints_and_all_of_it_is_there(unbuffered: str) -> None:
    """It stood still with its terminal, as after Ctrl+S, and its cross was not heard."""
    with subprocess.Popen(
        [sys.executable, "-c", WAITING], cwd=ROOT, env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        try:
            assert process.stderr is not None and process.stdout is not None
            assert process.stderr.readline() == b"holtwalk: goes on\n"
            lines = process.stdout.read().decode().splitlines()
            assert lines == [f"line {number}" for number in range(9000)]
            assert process.wait(20.0) == 0
        finally:
            process.kill()


WAITED_FOR = """
import signal, sys
from viewer import interrupts
from viewer.terminal import harmless_output, nobody_waits, print_if_read
signal.signal(signal.SIGINT, signal.default_int_handler)
interrupts.leave_at_once()
interrupts.raise_again()
try:
    with harmless_output(), nobody_waits():
        print_if_read("x" * 200_000)
        print("ends", file=sys.stderr, flush=True)
except KeyboardInterrupt:
    interrupts.leave()
"""


@on_posix
@pytest.mark.parametrize("after", [0.0, 0.3, 1.5])
def test_an_interrupt_ends_the_wait_for_what_was_printed_last_whenever_it_comes(after: float) -> None:
    """In the first second it was taken for the end of that one wait, and another began."""
    with subprocess.Popen(
        [sys.executable, "-c", WAITED_FOR], cwd=ROOT, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        try:
            assert process.stderr is not None
            assert process.stderr.readline() == b"ends\n"
            time.sleep(after)
            process.send_signal(signal.SIGINT)
            assert process.wait(4.0) == 130
        finally:
            process.kill()


def test_nothing_in_the_window_prints_what_it_can_not_do_without() -> None:
    printing = [
        path.name for path in (ROOT / "viewer" / "window").rglob("*.py") if "print(" in path.read_text()
    ]
    assert printing == []


@full_device
def test_a_full_disk_behind_stdout_is_named() -> None:
    code, err = shell("holtwalk dat ls --demo > /dev/full")
    assert (code, err) == (2, "holtwalk: standard output: No space left on device\n")


@on_posix
@pytest.mark.parametrize(("closed", "code"), [(">&-", 0), ("2>&-", 0), ("<&- >&- 2>&-", 0)])
def test_closed_streams_are_nowhere(closed: str, code: int) -> None:
    assert shell(f"holtwalk dat ls --demo --type Region > /dev/null {closed}") == (code, "")


@full_device
def test_an_error_that_nobody_can_be_told_keeps_its_code() -> None:
    assert shell("holtwalk cell --demo 2> /dev/full") == (2, "")


@on_posix
def test_a_reader_without_patience_gets_all_or_a_word_also_without_a_buffer() -> None:
    """Python passes over what an unbuffered stream did not take: images for containers set it so."""
    read, write = os.pipe()
    os.set_blocking(write, False)
    with os.fdopen(read, "rb") as reader:
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        command = [*PROGRAM, "dat", "show", "--all", "--demo", "--json"]
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=write, stderr=subprocess.PIPE)
        os.close(write)
        err = process.communicate(timeout=60)[1].decode()
        assert process.returncode == 2
        assert err == "holtwalk: standard output: write could not complete without blocking\n"
        assert reader.read()  # what there was room for


@on_posix
def test_without_a_buffer_the_same_is_printed() -> None:
    command = [*PROGRAM, "dat", "ls", "--demo"]
    usual, unbuffered = (
        subprocess.run(
            command, cwd=ROOT, env={**os.environ, **more}, capture_output=True, check=True, timeout=60
        )
        for more in ({}, {"PYTHONUNBUFFERED": "1"})
    )
    assert unbuffered.stdout == usual.stdout and usual.stdout.count(b"\n") > 10
    assert unbuffered.stderr == usual.stderr == b""
