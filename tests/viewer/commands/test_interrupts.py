"""Ctrl+C and requests to end, whenever they come: no traceback, the right code.

Programs run without the terminal that the tests may run in: there the signal itself is their code.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.needed import posix
from tests.places import ROOT
from tests.viewer.programs import ended
from tests.viewer.terminals import rounds_until_interrupted, until_there

PLACE = "0xA9B40170 [155.4 15.2 94.0]"
PROGRAM = [sys.executable, "-m", "viewer"]
on_posix = posix("signals and descriptors")


def fill(pipe: int) -> None:
    """Write into a pipe that nobody reads until there is no more room."""
    os.set_blocking(pipe, False)
    with suppress(BlockingIOError):
        while True:
            os.write(pipe, bytes(1024))
    os.set_blocking(pipe, True)


def wait_until_full(pipe: int) -> None:
    """Wait until what is written into a pipe that nobody reads has no more room there."""
    import fcntl
    import termios

    held, before, until = 0, -1, time.monotonic() + 60.0
    while (held == 0 or held != before) and time.monotonic() < until:
        before = held
        time.sleep(0.5)
        held = int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)


@on_posix
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("what", ["stderr", "stdout", "last words"])
def test_an_interrupt_is_heard_where_nobody_reads_what_is_said(
    tmp_path: Path, what: str, unbuffered: str
) -> None:
    """What was being said into a full pipe stayed to be said, and was waited for once more."""
    spawns, script = tmp_path / "bad.sql", tmp_path / "sim.json"
    columns = "guid, weenie_Class_Id, obj_Cell_Id, origin_X, origin_Y, origin_Z"
    rows = ",\n".join(f"({0x70000000 + n}, 412, 0xA9B40170, 'x', 1, 1)" for n in range(3000))
    spawns.write_text(f"INSERT INTO landblock_instance ({columns}) VALUES {rows};\n", encoding="utf-8")
    script.write_text(json.dumps({"start": PLACE, "steps": [{"wait": 300}]}), encoding="utf-8")
    words = {
        "stderr": ["cell", "--demo", "--at", PLACE, "--spawns", str(spawns), "--verbose"],
        "stdout": ["sim", str(script), "--demo", "--json"],
        "last words": ["cell", "--demo", "--at", PLACE],  # into a pipe that others have filled
    }[what]
    is_err = what == "stderr"
    reader, pipe = os.pipe()
    if what == "last words":
        fill(pipe)
    out, err = (subprocess.DEVNULL, pipe) if is_err else (pipe, subprocess.DEVNULL)
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    with subprocess.Popen(
        [*PROGRAM, *words], cwd=ROOT, start_new_session=True, env=environment, stdout=out, stderr=err
    ) as process:
        wait_until_full(reader)
        if what == "last words":
            time.sleep(3.0)  # it works, and then waits
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        try:
            assert process.wait(20.0) == 130
        finally:
            process.kill()
            os.close(reader)
            os.close(pipe)


SAYS_IT_IS_THERE = """
import sys, time
from viewer import interrupts, main
from viewer.report.still_there import still_there
from viewer.user_error import UserError

def work(words):
    interrupts.raise_again()
    with still_there("work", 0.2):
        time.sleep(1.0)
    print("ready", flush=True)
    raise UserError("something is wrong")

main._run = work
sys.argv[1:] = ["doctor"]
sys.exit(main.main())
"""

SAYS_MEANWHILE = """
import sys, threading, time
from viewer import interrupts, main

def say_beside(words):
    interrupts.raise_again()
    threading.Thread(target=lambda: print("a line", file=sys.stderr, flush=True), daemon=True).start()
    time.sleep(0.5)
    print("ready", flush=True)
    return 0

main._run = say_beside
sys.argv[1:] = ["doctor"]
sys.exit(main.main())
"""


@on_posix
@pytest.mark.parametrize(("program", "within"), [(SAYS_IT_IS_THERE, 4.0), (SAYS_MEANWHILE, 20.0)])
def test_an_interrupt_is_heard_where_another_thread_has_begun_to_say_something(
    program: str, within: float
) -> None:
    """Whoever had something to say afterwards waited for the stream's lock, and heard no interrupt."""
    reader, pipe = os.pipe()
    fill(pipe)
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, start_new_session=True, stdout=subprocess.PIPE, stderr=pipe
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        time.sleep(1.0)
        process.send_signal(signal.SIGINT)
        try:
            assert process.wait(within) == 130
        finally:
            process.kill()
            os.close(reader)
            os.close(pipe)


@on_posix
@pytest.mark.parametrize("delay", [0.03, 0.05, 0.07, 0.1, 0.13, 0.17, 0.22, 0.3, 0.5])
@pytest.mark.parametrize("words", [("dat", "show", "--all", "--demo"), ("verify", "--demo")])
def test_an_interrupt_leaves_no_traceback(words: tuple[str, ...], delay: float) -> None:
    process = subprocess.Popen(
        [*PROGRAM, *words],
        cwd=ROOT,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(delay)
    process.send_signal(signal.SIGINT)
    err = process.communicate(timeout=60)[1]
    if process.returncode == -signal.SIGINT or ("Traceback" in err and f"{ROOT}/viewer" not in err):
        return  # before Python had begun to run the program
    assert "Traceback" not in err
    assert process.returncode in ((130, 0) if words[0] == "dat" else (130,))


@on_posix
@pytest.mark.parametrize("command", [f"'{sys.executable}' -m viewer", f"'{sys.executable}' viewer"])
def test_an_interrupt_at_a_terminal_ends_the_loop_that_the_program_runs_in(
    tmp_path: Path, command: str
) -> None:
    """The shell went on with the next round, which no other program that is interrupted has it do."""
    scene = tmp_path / "scene"
    os.mkfifo(scene)
    waits = f"{command} cell --demo --at '{PLACE}' --scene '{scene}'"
    opened: list[int] = []
    assert rounds_until_interrupted(waits, lambda: opened.append(opened_once_read(scene))) == 1
    os.close(opened[0])


HEARS_NOTHING_AT_ITS_END = """
import ctypes, signal, sys
from viewer.leaving import leave, told_to_shell
signal.signal(signal.SIGINT, leave)
told_to_shell(0)
open(sys.argv[1], "w").close()
lock = ctypes.create_string_buffer(256)
while True:
    ctypes.PyDLL(None).pthread_mutex_lock(lock)
"""


@on_posix
def test_an_interrupt_while_python_itself_ends_ends_the_loop_too(tmp_path: Path) -> None:
    """In its last twentieth of a second it was lost: Python does nothing more that it could come between."""
    mark, program = tmp_path / "mark", tmp_path / "program.py"
    program.write_text(HEARS_NOTHING_AT_ITS_END)
    ends = f"PYTHONPATH='{ROOT}' '{sys.executable}' '{program}' '{mark}'"
    assert rounds_until_interrupted(ends, lambda: until_there(mark)) == 1


LEAVES_FROM_A_THREAD = """
import signal, sys, threading, time
from viewer.leaving import leave
signal.signal(signal.SIGINT, lambda *_: threading.Thread(target=leave).start())
open(sys.argv[1], "w").close()
time.sleep(20)
"""


@on_posix
def test_a_thread_too_ends_the_program_so_that_a_shells_loop_ends(tmp_path: Path) -> None:
    """Where the main thread hears nothing, as in a driver that draws, another one ends the program."""
    mark, program = tmp_path / "mark", tmp_path / "program.py"
    program.write_text(LEAVES_FROM_A_THREAD)
    waits = f"PYTHONPATH='{ROOT}' '{sys.executable}' '{program}' '{mark}'"
    assert rounds_until_interrupted(waits, lambda: until_there(mark)) == 1


def opened_once_read(pipe: Path) -> int:
    """A pipe to write to, once somebody reads it."""
    until = time.monotonic() + 60.0
    while True:
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            assert time.monotonic() < until
            time.sleep(0.05)


INTERRUPTED_LOADING = """
import os, runpy, sys
class Interrupts:
    def find_spec(self, name, *_):
        if name == "{module}":
            os.kill(os.getpid(), 2)
sys.meta_path.insert(0, Interrupts())
runpy.run_module("viewer", run_name="__main__")
"""


INTERRUPTED_BETWEEN = """
import _signal, os, runpy
usual = _signal.signal
def interrupted(number, handler):
    came = usual(number, handler)
    if handler is _signal.default_int_handler:
        os.kill(os.getpid(), 2)
    return came
_signal.signal = interrupted
runpy.run_module("viewer", run_name="__main__")
"""


@on_posix
@pytest.mark.parametrize(
    ("moment", "codes"),
    [
        (INTERRUPTED_LOADING.format(module="viewer.entry"), (-signal.SIGINT,)),
        (INTERRUPTED_LOADING.format(module="viewer.leaving"), (-signal.SIGINT,)),
        (INTERRUPTED_LOADING.format(module="viewer.main"), (130,)),
        (INTERRUPTED_BETWEEN, (130,)),
    ],
)
def test_an_interrupt_before_the_program_begins_leaves_no_traceback(
    moment: str, codes: tuple[int, ...]
) -> None:
    code, said = ended(moment, 60)
    assert (code in codes, said) == (True, "")


NOT_LOADED = """
import errno, os, runpy, sys
class OutOfFiles:
    def find_spec(self, name, *_):
        if name == "{module}":
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
sys.meta_path.insert(0, OutOfFiles())
sys.argv[1:] = ["doctor"]
runpy.run_module("viewer", run_name="__main__")
"""


@pytest.mark.parametrize("module", ["engine.files.write", "viewer.terminal", "engine.dat.errors"])
def test_what_is_loaded_first_and_can_not_be_is_said_in_a_line(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", NOT_LOADED.format(module=module)],
        cwd=ROOT, start_new_session=True, capture_output=True, text=True, check=False,
    )  # fmt: skip
    line = "holtwalk: a part of the program can't be loaded: [Errno 24] Too many open files\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", line)


@on_posix
def test_an_interrupt_that_the_caller_wants_ignored_is_ignored() -> None:
    slow_reader = "> >(sleep 1; cat > /dev/null)"  # so that the program is still there to be interrupted
    program = f"'{sys.executable}' -m viewer dat show --demo --all {slow_reader}"
    line = f"trap '' INT; {program} & sleep 0.3; kill -INT $!; wait $!"
    done = subprocess.run(
        ["bash", "-c", line], cwd=ROOT, start_new_session=True, capture_output=True, check=False, timeout=120
    )
    said = [line for line in done.stderr.splitlines() if b"still at work" not in line]  # on a busy machine
    assert (done.returncode, said) == (0, [])


@on_posix
def test_a_request_to_end_is_heard_also_where_who_started_it_hears_none() -> None:
    """Some service managers and pools of threads hand on that it is held back."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    try:
        words = ["dat", "show", "--all", "--demo"]  # more than the pipe has room for
        process = subprocess.Popen(
            [*PROGRAM, *words], cwd=ROOT, start_new_session=True, stdout=subprocess.PIPE
        )
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    try:
        assert process.wait(20) == -signal.SIGTERM
    finally:
        process.kill()
        process.stdout.close()
