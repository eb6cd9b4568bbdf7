"""Shared work: the same results in the same order, told of, taken up again, gone with its parent."""

from __future__ import annotations

import errno
import json
import os
import pickle
import signal
import subprocess
import sys
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import spawn
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from engine import other_process
from engine.files.write import LineFile
from engine.other_process import start_helper
from engine.replay.jobs.process_pool import JobError, Piece, cores, done_in_order
from engine.replay.jobs.result_shape import Shape, has_shape
from engine.replay.jobs.work_state import StateError, WorkState
from tests.needed import posix
from tests.places import ROOT
from tests.replay.jobs.job_tasks import Squares, pieces

on_posix = posix("signals")


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_results_come_in_order_whatever_the_number_of_processes(jobs: int) -> None:
    found = list(done_in_order(Squares(0.01), pieces(20), jobs=jobs))
    assert [(piece.key, result["square"]) for piece, result in found] == [(f"n{n}", n * n) for n in range(20)]
    assert len({result["pid"] for _, result in found}) == jobs
    assert (os.getpid() in {result["pid"] for _, result in found}) == (jobs == 1)


@pytest.mark.parametrize("started", [0, 1])
def test_where_no_more_processes_can_be_started_the_work_is_done_all_the_same(
    monkeypatch: pytest.MonkeyPatch, started: int
) -> None:
    left = [started]

    def few(*words: Any) -> BaseProcess:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return start_helper(*words)

    monkeypatch.setattr("engine.replay.jobs.process_pool.start_helper", few)
    found = list(done_in_order(Squares(0.01), pieces(8), jobs=3))
    assert [(piece.key, result["square"]) for piece, result in found] == [(f"n{n}", n * n) for n in range(8)]
    assert [result["pid"] == os.getpid() for _, result in found] == [not started] * 8


def test_a_piece_that_can_not_be_sent_ends_the_work_with_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOBUFS, os.strerror(errno.ENOBUFS))

    monkeypatch.setattr("multiprocessing.connection.Connection.send", fail)
    with pytest.raises(JobError, match="a process can't be given n0: No buffer space available"):
        list(done_in_order(Squares(), pieces(4), jobs=2))


def test_a_process_that_can_not_load_what_it_is_to_do_says_why_in_a_line(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = ModuleType("only_here")
    exec("def serve(): pass", here.__dict__)
    monkeypatch.setitem(sys.modules, "only_here", here)
    process = start_helper("work", here.serve)
    process.join(60)
    assert process.exitcode == 1
    assert capfd.readouterr().err == "holtwalk: a helping process can't begin: No module named 'only_here'\n"


def test_processes_begin_where_this_one_is_though_nobody_may_go_there(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """As another user's are, from a folder of one's own: each said so in a traceback."""
    monkeypatch.setattr(os, "getcwd", lambda: "/none/that/can/be/entered")
    found = [r["square"] for _, r in done_in_order(Squares(0.01), pieces(6), jobs=2)]
    assert found == [n * n for n in range(6)]
    assert capfd.readouterr().err == ""


def test_of_helpers_that_are_started_at_once_none_leaves_anything_changed() -> None:
    """Each put back what another had put: the program's main module was an empty one from then on."""
    before = (sys.modules["__main__"], os.environ.get("PYTHONSAFEPATH"), spawn.get_preparation_data)

    def start(_: int) -> BaseProcess:
        return start_helper("work", os.getpid)

    with ThreadPoolExecutor(4) as threads:
        for process in threads.map(start, range(8)):
            process.join(60)
            assert process.exitcode == 0
    assert (sys.modules["__main__"], os.environ.get("PYTHONSAFEPATH"), spawn.get_preparation_data) == before


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_known_is_not_done_again(jobs: int) -> None:
    known = {"n0": {"square": "kept"}, "n3": {"square": "kept too"}, "n4": {"square": "and this"}}
    found = [r["square"] for _, r in done_in_order(Squares(), pieces(5), jobs=jobs, known=known.get)]
    assert found == ["kept", 1, 4, "kept too", "and this"]
    everything = {piece.key: {"square": 0} for piece in pieces(5)}
    assert len(list(done_in_order(Squares(), pieces(5), jobs=jobs, known=everything.get))) == 5


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_share_within_a_piece_is_told(jobs: int) -> None:
    told: list[float] = []
    list(done_in_order(Squares(1.2), pieces(1), jobs=jobs, watcher=lambda done, key: told.append(done)))
    assert any(0.0 < done < 2.0 for done in told)
    assert told[0] == 0.0 and told[-1] == 2.0
    assert told == sorted(told)


def test_a_process_that_ends_is_one_error_that_names_the_piece() -> None:
    with pytest.raises(JobError, match=r"a process ended at bad \(exit code 7\)"):
        list(done_in_order(Squares(), [*pieces(3), Piece("bad", None)], jobs=2))


def test_work_that_fails_in_a_process_is_one_error() -> None:
    with pytest.raises(JobError, match="ArithmeticError: a negative number"):
        list(done_in_order(Squares(), [*pieces(3), Piece("bad", -1)], jobs=2))


def test_an_error_of_our_own_says_the_same_from_a_process() -> None:
    with pytest.raises(JobError, match=r"^portal\.dat, object 0x01000001, offset 0x4: can't be read$"):
        list(done_in_order(Squares(), [*pieces(1), Piece("bad", -2)], jobs=2))
    with pytest.raises(MemoryError):
        list(done_in_order(Squares(), [*pieces(1), Piece("bad", -3)], jobs=2))
    with pytest.raises(ImportError, match="PLEASE READ THIS failed to map"):
        list(done_in_order(Squares(), [*pieces(1), Piece("bad", -4)], jobs=2))


def test_what_a_process_sends_that_can_not_be_read_is_one_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def garbage(_: object) -> object:
        return pickle.loads(b"no pickle")

    monkeypatch.setattr("multiprocessing.connection.Connection.recv", garbage)
    with pytest.raises(JobError, match=r"a process sent what can't be read \(invalid load key"):
        list(done_in_order(Squares(), pieces(3), jobs=2))


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@on_posix
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_processes_end_with_their_parent(how: signal.Signals) -> None:
    command = [sys.executable, "-c", "from tests.replay.jobs.job_tasks import main; main()"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        helpers = {int(parent.stdout.readline()) for _ in range(8)}
        assert len(helpers) == 2 and all(map(alive, helpers))
        parent.send_signal(how)
        parent.wait(10)
        assert all_end(helpers)


@on_posix
def test_a_process_that_is_stopped_does_not_keep_the_work_from_ending(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A stopped process is deaf to a request to end, and the program's own end would wait for it."""
    monkeypatch.setattr("engine.replay.jobs.process_pool.PATIENCE", 0.2)
    results = done_in_order(Squares(0.01), pieces(1000), jobs=2)
    helper = int(next(results)[1]["pid"])
    os.kill(helper, signal.SIGSTOP)
    os.waitpid(helper, os.WUNTRACED)  # until it stands still
    results.close()
    with pytest.raises(ProcessLookupError):
        os.kill(helper, 0)


@on_posix
def test_processes_end_with_their_parent_while_they_are_still_loading_modules() -> None:
    command = [sys.executable, "-c", "from tests.replay.jobs.endless_module import main; main()"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        helpers = {int(parent.stdout.readline()) for _ in range(2)}
        assert all(map(alive, helpers))
        parent.kill()
        parent.wait(10)
        assert all_end(helpers)


@on_posix
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_helper_whose_parent_is_ended_as_it_starts_it_says_nothing(how: signal.Signals) -> None:
    program = (
        "import os, sys\n"
        "from multiprocessing import popen_spawn_posix as started, util\n"
        "spawn = util.spawnv_passfds\n"
        "def ended_at_once(*words):\n"
        "    pid = spawn(*words)\n"
        f"    if b'spawn_main' in b''.join(map(os.fsencode, words[1])): os.kill(os.getpid(), {int(how)})\n"
        "    return pid\n"
        "util.spawnv_passfds = ended_at_once\n"
        "from tests.replay.jobs.job_tasks import main\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == -how
    assert done.stderr == b""


@pytest.mark.parametrize(("kind", "is_told"), [("MemoryError", False), ("KeyError", True)])
def test_a_helper_that_has_no_memory_to_begin_says_nothing(kind: str, *, is_told: bool) -> None:
    """Its parent does, in a line: it was a traceback for each."""
    done = subprocess.run(
        [sys.executable, "-c", f"{other_process.BEREFT}raise {kind}"], capture_output=True, check=False
    )
    assert (done.returncode, bool(done.stderr)) == (1, is_told)


def all_end(helpers: set[int]) -> bool:
    """Whether processes end by themselves."""
    end = time.monotonic() + 10
    while any(map(alive, helpers)) and time.monotonic() < end:
        time.sleep(0.02)
    return not any(map(alive, helpers))


WORK = {"command": "count", "files": [["a", 1]]}


def test_a_state_is_taken_up_where_it_was_left(tmp_path: Path) -> None:
    path = tmp_path / "state"
    with WorkState(path, WORK) as state:
        state.keep("n0", {"square": 0.1})
        state.keep("n1", {"square": [1, None]})
    with WorkState(path, WORK) as state:
        assert state.results == {"n0": {"square": 0.1}, "n1": {"square": [1, None]}}
        state.keep("n0", {"square": "another"})
        state.keep("n2", {"square": 4})
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert lines[0] == {"holtwalk": {"format": "work-state", "version": 1}, "work": WORK}
    assert [line["key"] for line in lines[1:]] == ["n0", "n1", "n2"]


@posix("locks of files that are open")
def test_a_state_that_another_writes_is_left_to_it(tmp_path: Path) -> None:
    path = tmp_path / "state"
    with WorkState(path, WORK) as state:
        state.keep("n0", {})
    read = path.stat().st_size
    with WorkState(path, WORK) as state:
        with pytest.raises(OSError, match="is being written by another holtwalk"):
            WorkState(path, WORK)
        state.keep("n1", {})
    with pytest.raises(OSError, match="is being written by another holtwalk"):
        LineFile(path, read, read)  # since it was read another has gone on with it
    with WorkState(path, WORK) as state:
        assert list(state.results) == ["n0", "n1"]


def test_a_line_that_was_cut_off_is_done_again(tmp_path: Path) -> None:
    path = tmp_path / "state"
    with WorkState(path, WORK) as state:
        state.keep("n0", {})
        state.keep("n1", {})
    path.write_bytes(path.read_bytes()[:-5])
    with WorkState(path, WORK) as state:
        assert list(state.results) == ["n0"]
        state.keep("n2", {})
    with WorkState(path, WORK) as state:
        assert list(state.results) == ["n0", "n2"]


@pytest.mark.parametrize(
    "damage",
    [b"", b"x", b"{}", b"5", b"[]", b'{"key": "n0", "result": {}}', b'{"key": ["n0"], "result": 1, "sum": 1}',
     b'{"key": "n0", "result": {"square": Infinity}, "sum": 0}', b"[" * 5000, b"9" * 5000, b"\x00\xff"],
)  # fmt: skip
def test_a_damaged_line_is_done_again_and_the_others_stay(damage: bytes, tmp_path: Path) -> None:
    path = tmp_path / "state"
    with WorkState(path, WORK) as state:
        for number in range(3):
            state.keep(f"n{number}", {"square": number})
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([lines[0], damage, *lines[2:]]))
    with WorkState(path, WORK) as state:
        assert state.results == {"n1": {"square": 1}, "n2": {"square": 2}}
        state.keep("n0", {"square": 0})
    with WorkState(path, WORK) as state:
        assert state.results["n0"] == {"square": 0}


SHAPES: dict[str, tuple[Shape, list[object], list[object]]] = {
    "kind": (int | None, [5, None], ["5", 1.5, [5], 10**400, -(1 << 63)]),
    "list": ([str], [[], ["a", "b"]], [{}, "ab", ["a", 1]]),
    "row": ((int, str), [[1, "a"]], [[], [1], [1, "a", 2], ["a", 1], None]),
    "keys": ({"a": int}, [{"a": 1}, {"a": 1, "b": "more"}], [{}, {"a": "1"}, ["a"], None]),
    "any keys": ({"*": [int]}, [{}, {"x": [1], "y": []}], [{"x": 1}, [], {"x": ["1"]}]),
}


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name: str) -> None:
    shape, fitting, others = SHAPES[name]
    assert [has_shape(value, shape) for value in fitting] == [True] * len(fitting)
    assert [has_shape(value, shape) for value in others] == [False] * len(others)


def test_a_result_of_another_shape_is_done_again(tmp_path: Path) -> None:
    """As another version of the program may have kept it, whose sum is right."""
    path = tmp_path / "state"
    with WorkState(path, WORK) as state:
        for number, result in enumerate([{"square": 0}, {"cube": 1}, {"square": "4"}, {"square": 9}]):
            state.keep(f"n{number}", result)
    with WorkState(path, WORK, {"square": int}) as state:
        assert state.results == {"n0": {"square": 0}, "n3": {"square": 9}}
        state.keep("n1", {"square": 1})
    with WorkState(path, WORK, {"square": int}) as state:
        assert state.results["n1"] == {"square": 1}


@pytest.mark.parametrize("key", [["n0"], {}, None, 5])
def test_a_piece_whose_key_is_no_text_is_forgotten(key: object, tmp_path: Path) -> None:
    path = tmp_path / "state"
    with WorkState(path, WORK) as state:
        state.keep("n0", {})
    line = {"key": key, "result": {}, "sum": zlib.crc32(json.dumps([key, {}]).encode())}
    with path.open("a") as file:
        file.write(json.dumps(line) + "\n")
    with WorkState(path, WORK) as state:
        assert state.results == {"n0": {}}


def test_a_flipped_digit_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "state"
    with WorkState(path, WORK) as state:
        state.keep("n0", {"square": 1234})
    path.write_bytes(path.read_bytes().replace(b"1234", b"1235"))
    with WorkState(path, WORK) as state:
        assert state.results == {}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a list of my own\n", "holds no state of earlier work"),
        ('{"holtwalk": 5}\n', "'holtwalk' is 5, not"),
        ("[" * 5000 + "\n", "holds no state"),
        ('{"holtwalk": {"format": "capture", "version": 1}}\n', "is of the form 'capture', not 'work-state'"),
        ('{"holtwalk": {"format": "work-state", "version": 2}, "work": {}}\n', "is of version 2"),
        ('{"holtwalk": {"format": "work-state", "version": 1}, "work": {"command": "count"}}\n',
         "belongs to other work, its files differs"),
    ],
)  # fmt: skip
def test_a_file_that_is_something_else_is_left_as_it_is(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "state"
    path.write_text(text)
    with pytest.raises(StateError, match=says):
        WorkState(path, WORK)
    assert path.read_text() == text


def test_there_is_a_core() -> None:
    assert cores() >= 1


@pytest.mark.parametrize("jobs", [1, 2])
def test_who_wants_it_hears_of_each_piece_as_soon_as_it_is_done(jobs: int) -> None:
    heard: list[str] = []
    done = done_in_order(Squares(), pieces(6), jobs=jobs, ended=lambda piece, _: heard.append(piece.key))
    assert [piece.key for piece, _ in done] == [piece.key for piece in pieces(6)]
    assert sorted(heard) == [piece.key for piece in pieces(6)]


def test_a_helping_process_that_can_start_no_thread_says_so_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def none_left(**_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("engine.other_process.signal.signal", lambda *_: None)
    monkeypatch.setattr(other_process, "Thread", none_left)
    with pytest.raises(SystemExit):
        other_process._serve_parent(other_process._Arrived(b""))
    assert capsys.readouterr().err == "holtwalk: a helping process can't begin: can't start new thread\n"


@pytest.mark.parametrize("name", ["types", "struct", "pickle", "signal"])
def test_helpers_load_no_file_of_the_users_that_is_called_as_a_module_of_pythons(
    tmp_path: Path, name: str
) -> None:
    """A process that runs no script looks into the folder that it starts in before it looks anywhere else."""
    work = tmp_path / "my folder"
    work.mkdir()
    (work / f"{name}.py").write_text("print('mine')\nraise SystemExit('it was loaded')\n")
    script = tmp_path / "script.py"
    script.write_text(
        f"import sys\nprint('begins', flush=True)\nsys.path.insert(0, {str(ROOT)!r})\n"
        "from engine.replay.jobs.process_pool import done_in_order\n"
        "from tests.replay.jobs.job_tasks import Squares, pieces\n"
        "if __name__ == '__main__':\n"
        "    print(len({result['pid'] for _, result in done_in_order(Squares(0.01), pieces(6), jobs=2)}))\n"
    )
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONSAFEPATH"}
    done = subprocess.run(
        [sys.executable, str(script)], cwd=work, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr, done.returncode) == ("begins\n2\n", "", 0)  # once
