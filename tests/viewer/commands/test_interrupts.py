"""Readers that go away, a full disk behind stdout, closed streams, Ctrl+C: no traceback, the right code."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import sysconfig
import time
from contextlib import suppress
from pathlib import Path

import pytest

from engine import VERSION
from tests.needed import full_device, posix
from tests.places import ROOT

PLACE = "0xA9B40170 [155.4 15.2 94.0]"
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
    os.set_blocking(pipe, False)
    with suppress(BlockingIOError):
        while what == "last words":
            os.write(pipe, bytes(1024))
    os.set_blocking(pipe, True)
    out, err = (subprocess.DEVNULL, pipe) if is_err else (pipe, subprocess.DEVNULL)
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    with subprocess.Popen([*PROGRAM, *words], cwd=ROOT, env=environment, stdout=out, stderr=err) as process:
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
@pytest.mark.parametrize("delay", [0.03, 0.05, 0.07, 0.1, 0.13, 0.17, 0.22, 0.3, 0.5])
@pytest.mark.parametrize("words", [("dat", "show", "--all", "--demo"), ("verify", "--demo")])
def test_an_interrupt_leaves_no_traceback(words: tuple[str, ...], delay: float) -> None:
    process = subprocess.Popen(
        [*PROGRAM, *words], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    time.sleep(delay)
    process.send_signal(signal.SIGINT)
    err = process.communicate(timeout=60)[1]
    if process.returncode == -signal.SIGINT or ("Traceback" in err and f"{ROOT}/viewer" not in err):
        return  # before Python had begun to run the program
    assert "Traceback" not in err
    assert process.returncode in ((130, 0) if words[0] == "dat" else (130,))


INTERRUPTED_LOADING = """
import os, runpy, sys
class Interrupts:
    def find_spec(self, name, *_):
        if name == "viewer.main":
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
@pytest.mark.parametrize("moment", [INTERRUPTED_LOADING, INTERRUPTED_BETWEEN])
def test_an_interrupt_before_the_program_begins_leaves_no_traceback(moment: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", moment], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (130, "")


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
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    line = "holtwalk: a part of the program can't be loaded: [Errno 24] Too many open files\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", line)


@on_posix
def test_an_interrupt_that_the_caller_wants_ignored_is_ignored() -> None:
    slow_reader = "> >(sleep 1; cat > /dev/null)"  # so that the program is still there to be interrupted
    code, err = shell(
        f"trap '' INT; holtwalk dat show --demo --all {slow_reader} & sleep 0.3; kill -INT $!; wait $!"
    )
    assert (code, err) == (0, "")


DROPPED = """
import signal, sys, time, weakref
import viewer.terminal
from viewer import main

class Thing: pass

def drop(words):
    signal.signal(signal.SIGINT, signal.default_int_handler)
    thing = Thing()
    weakref.finalize(thing, signal.raise_signal, signal.SIGINT)
    del thing
    time.sleep(30)
    return 0

main._run = drop
sys.argv[1:] = ["doctor"]
sys.exit(main.main())
"""


@on_posix
def test_an_interrupt_that_comes_while_an_object_is_dropped_is_not_lost() -> None:
    done = subprocess.run(
        [sys.executable, "-c", DROPPED], cwd=ROOT, capture_output=True, text=True, check=False, timeout=25
    )
    assert (done.returncode, done.stderr) == (130, "")


SWALLOWED = """
import signal, sys, time
import viewer.terminal
from viewer import interrupts, main

class Interrupted:
    def find_spec(self, name, *_):
        if name == "swallows":
            try:
                signal.raise_signal(signal.SIGINT)
                time.sleep(0.1)
            except BaseException:
                print("swallowed", file=sys.stderr)

def load(words):
    interrupts.raise_again()
    sys.meta_path.insert(0, Interrupted())
    try:
        __import__("swallows")  # by name: the checks would take it for a library
    except ImportError:
        pass
    time.sleep(20)
    return 0

main._run = load
sys.argv[1:] = ["doctor"]
sys.exit(main.main())
"""


@on_posix
def test_an_interrupt_that_comes_while_a_module_is_loaded_waits_until_it_is() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SWALLOWED], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (130, "")


LINKING = """
import signal, sys, time
import _moderngl
from viewer import interrupts, main
from viewer.renderer.gl.context import create_headless

def draw(words):
    import moderngl
    ctx = create_headless()
    interrupts.raise_again()
    made = _moderngl.make_uniform
    def interrupted(*given):
        signal.raise_signal(signal.SIGINT)
        return made(*given)
    _moderngl.make_uniform = interrupted
    ctx.program(
        vertex_shader="#version 330 core\\nuniform vec4 u; void main() { gl_Position = u; }",
        fragment_shader="#version 330 core\\nout vec4 c; void main() { c = vec4(1.0); }",
    )
    time.sleep(20)
    return 0

main._run = draw
sys.argv[1:] = ["doctor"]
sys.exit(main.main())
"""


@on_posix
@pytest.mark.gl
def test_an_interrupt_amid_what_moderngl_calls_from_compiled_code_waits_until_that_is_over() -> None:
    """It goes on with what a function that raised gave it, which is nothing, and the process is killed."""
    done = subprocess.run(
        [sys.executable, "-c", LINKING], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (130, "")


# -- the scripts


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout whose environment is filled by a stand-in for pip that takes its time."""
    for name in ("engine", "viewer"):
        (tmp_path / name).symlink_to(ROOT / name)
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    names = ("run", "test", "start", "launch", "checks", "environment", "interrupts")
    for name in (f"{name}.py" for name in names):
        text = (ROOT / "scripts" / name).read_text(encoding="utf-8")
        if name == "environment.py":
            text = text.replace('[str(python), "-m", "pip", "install"', '[str(python), str(ROOT / "pip.py")')
            text = text.replace('"-m", "venv", "--clear"', '"-m", "venv", "--clear", "--without-pip"')
            text = text.replace("import sys, pip;", "import sys;")
        (scripts / name).write_text(text, encoding="utf-8")
    (tmp_path / "requirements.lock").write_text("")
    (tmp_path / "requirements-test.lock").write_text("-r requirements.lock\n")
    (tmp_path / "pip.py").write_text(
        "import pathlib, time\n"
        "log = pathlib.Path(__file__).with_name('log')\n"
        "log.open('a').write('begun\\n'); time.sleep(1.5); log.open('a').write('ended\\n')\n"
    )
    return tmp_path


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
        assert process.returncode in (130, 0), err


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


@on_posix
def test_a_request_to_end_is_heard_also_where_who_started_it_hears_none() -> None:
    """Some service managers and pools of threads hand on that it is held back."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    try:
        process = subprocess.Popen(
            [*PROGRAM, "verify", "--demo", "--jobs", "1"], cwd=ROOT, stdout=subprocess.PIPE
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
