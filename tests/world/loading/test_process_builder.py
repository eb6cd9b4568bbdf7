"""Landblocks built in another process are those built here; who builds may end at any moment."""

import errno
import os
import signal
import subprocess
import sys
import time
from collections import deque
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread

import pytest

from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.mover import MoverSettings
from engine.physics.simulation.simulation import Simulation
from engine.world.cells import Portal
from engine.world.ids import block_of
from engine.world.loading import parcels, process_builder
from engine.world.loading.builders import Job, ThreadBuilder
from engine.world.loading.parcels import NATIVE, Done, Dropped, Packer, Unpacker, structure_key
from engine.world.loading.process_builder import ProcessBuilder, Site
from engine.world.loading.streaming import Streamer
from engine.world.loading.world import World
from engine.world.sources.open_source import SourceArguments, SourceError, open_source
from tests.places import DEMO

VILLAGE, DUNGEON, NOTHING = 0xA9B40000, 0x01070000, 0x10100000
SITE = Site(SourceArguments(demo=DEMO))
PATIENCE = 60.0
LEFT_OUT = {"known", "known_by", "known_version", "_edges", "shadow_objects"}


class Nowhere:
    """A source that can't be opened."""

    def open(self):
        raise OSError("no such source")


def world():
    return World(open_source(demo=DEMO))


def alike(a, b, seen=None):
    """Where two things differ, field by field and to the last bit; an empty text where they don't."""
    seen = set() if seen is None else seen
    if type(a) is not type(b):
        return f"{type(a).__name__} and {type(b).__name__}"
    if isinstance(a, int | float | str | bytes | None.__class__):
        return "" if a == b else f"{a!r} and {b!r}"
    if id(a) in seen:
        return ""
    seen.add(id(a))
    if isinstance(a, dict):
        a, b = [*a.keys(), *a.values()], [*b.keys(), *b.values()]
    if isinstance(a, list | tuple | deque):
        if len(a) != len(b):
            return f"{len(a)} and {len(b)} things"
        return next(filter(None, (alike(x, y, seen) for x, y in zip(a, b, strict=True))), "")
    names = {n for kind in type(a).__mro__ for n in getattr(kind, "__slots__", ())} | set(
        getattr(a, "__dict__", ())
    )
    names |= set(getattr(type(a), "__mypyc_attrs__", ()))
    for name in sorted(names - LEFT_OUT - {"__dict__", "__weakref__"}):
        difference = alike(getattr(a, name), getattr(b, name), seen)
        if difference:
            return f"{name}: {difference}"
    return ""


@pytest.fixture
def builder():
    """A building process for the demo, started."""
    made = ProcessBuilder(world(), SITE, lambda content: None)
    made.start()
    yield made
    made.close()


def process_of(stream):
    """The number of its building process."""
    assert isinstance(stream._builder, ProcessBuilder)
    return stream._builder._process.pid


def until(condition, *pumps):
    end = time.perf_counter() + PATIENCE
    while not condition():
        for pump in pumps:
            pump()
        assert time.perf_counter() < end
        time.sleep(0.002)


def built_by(builder, *jobs):
    """The landblocks of jobs, in the order in which they come."""
    builder.ask(jobs)
    out = []
    while len(out) < len(jobs):
        until(lambda: builder.built, lambda: builder.bring(time.perf_counter()))
        out.append(builder.built.popleft())
    return out


def test_what_another_process_builds_is_what_is_built_here_to_the_last_bit(builder):
    jobs = [
        Job(VILLAGE, whole=True),
        Job(NOTHING, whole=True),
        Job(0xA9B50000, whole=False),
        Job(DUNGEON, whole=True),
        Job(0xAAB40000, whole=True),
    ]
    here = world()
    for (job, block), wanted in zip(built_by(builder, *jobs), jobs, strict=True):
        assert job == wanted
        own = (here.build_block if job.whole else here.build_ground)(job.block_id)
        assert alike(block, own) == ""
        for model_id in block.model_ids() if block is not None and job.whole else ():
            assert alike(builder._world.loader.models._models[model_id], here.model(model_id)) == ""


def test_cells_of_one_structure_share_it_and_landblocks_one_model(builder):
    ((_, village),) = built_by(builder, Job(VILLAGE, whole=True))
    builder.let_go(village)
    ((_, again),) = built_by(builder, Job(VILLAGE, whole=True))
    kinds = {structure_key(cell.structure) for cell in village.env_cells.values()}
    assert len({id(c.structure) for b in (village, again) for c in b.env_cells.values()}) == len(kinds)
    portal = next(p for c in village.env_cells.values() for p in c.portals)
    assert isinstance(portal, Portal)


@pytest.mark.parametrize("native", [False, True])
def test_what_is_dropped_is_sent_again_and_what_was_under_way_still_finds_it(monkeypatch, native):
    if native:  # as compiled classes go
        monkeypatch.setattr(
            parcels._Pickler, "reducer_override",
            lambda self, thing: NATIVE.get(type(thing), lambda _: NotImplemented)(thing),
        )  # fmt: skip
    block = world().build_block(VILLAGE)
    structures = {id(c.structure): c.structure for c in block.env_cells.values()}.values()
    packer, unpacker = Packer(), Unpacker()
    first = [*packer.new(structures, []), packer.pack(Done(0, Job(VILLAGE, whole=True), block))]
    keys = frozenset(packer.sent)
    packer.sent -= keys
    then = [
        packer.pack(Dropped(keys)),
        *packer.new(structures, []),
        packer.pack(Done(1, Job(VILLAGE, whole=True), block)),
    ]
    came = [unpacker.unpack(data) for data in (*first, *then)]
    done = [parcel for parcel in came if isinstance(parcel, Done)]
    assert [alike(parcel.block, block) for parcel in done] == ["", ""]
    assert unpacker.shared.keys() == keys
    assert max(map(len, first)) < 0.5 * sum(map(len, first))  # so that unpacking can stop in between


def test_a_process_that_ends_is_told_and_another_brings_what_is_missing():
    here = world()
    stream = Streamer(here, radius=1, site=SITE)
    stream.visit(VILLAGE | 1)
    stream.start()
    try:
        until(lambda: here.blocks, stream.pump)
        os.kill(process_of(stream), signal.SIGKILL)
        assert stream.wait(PATIENCE)
        assert len(here.blocks) == 9
        assert isinstance(stream._builder, ProcessBuilder)
        (line,) = [line for line in here.problems.lines if "ended" in line]
        assert line == "the process that loads landblocks ended (exit code -9); another is started"
    finally:
        stream.close()


@pytest.mark.parametrize(
    "damaged", [lambda parcel: parcel[: len(parcel) // 2], lambda parcel: b"no parcel", lambda _: b""]
)
def test_a_parcel_that_can_not_be_read_is_told_and_another_brings_what_is_missing(damaged):
    here = world()
    stream = Streamer(here, radius=1, site=SITE)
    stream.visit(VILLAGE | 1)
    stream.start()
    try:
        until(lambda: here.blocks, stream.pump)
        first = stream._builder
        assert isinstance(first, ProcessBuilder)
        first._came.appendleft(damaged(Packer().pack(Dropped(frozenset({("model", 1, 2)})))))
        first.built.clear()
        assert stream.wait(PATIENCE)
        assert len(here.blocks) == 9
        (line,) = [line for line in here.problems.lines if "process" in line]
        assert line.startswith("the process that loads landblocks sent what can't be read (")
        assert line.endswith("); another is started")
        until(lambda: not first.is_at_work)
    finally:
        stream.close()


def test_where_no_process_can_build_a_thread_does():
    here = world()
    stream = Streamer(here, radius=1, site=Site(Nowhere()))
    stream.start()
    try:
        stream.visit(VILLAGE | 1)
        assert stream.wait(PATIENCE)
        assert len(here.blocks) == 9
        assert isinstance(stream._builder, ThreadBuilder)
        assert here.problems.lines[-1].endswith("a thread goes on")
    finally:
        stream.close()


class Damaged:
    """A source whose files were damaged since it was opened first."""

    def open(self):
        raise SourceError("scene.json: can't be read (byte 0xC0 at offset 1 is not UTF-8)")


def test_a_process_that_can_not_open_its_source_says_why_and_prints_nothing(capfd):
    made = ProcessBuilder(world(), Site(Damaged()), lambda content: None)
    made.start()
    until(lambda: made.trouble, lambda: made.bring(time.perf_counter()))
    made.close()
    assert made.trouble == "the process that loads landblocks ended (exit code 1)"
    assert made._world.problems.lines[-1] == (
        "landblocks can't be loaded ahead: scene.json: can't be read (byte 0xC0 at offset 1 is not UTF-8)"
    )
    assert capfd.readouterr() == ("", "")


def test_where_no_process_can_be_started_a_thread_does(monkeypatch):
    here = world()
    stream = Streamer(
        here, radius=1, site=Site(SourceArguments(demo=DEMO), lambda world: None)
    )  # can't be sent
    stream.start()
    try:
        assert isinstance(stream._builder, ThreadBuilder)
        assert here.problems.lines[-1].startswith("no process can be started to load landblocks: ")
        stream.visit(VILLAGE | 1)
        assert stream.wait(PATIENCE)
    finally:
        stream.close()


def test_a_start_that_is_interrupted_leaves_nothing_that_can_not_be_closed(monkeypatch):
    def interrupted(*words):
        raise KeyboardInterrupt

    monkeypatch.setattr("engine.world.loading.process_builder.start_helper", interrupted)
    made = ProcessBuilder(world(), Site(SourceArguments(demo=DEMO)), lambda content: None)
    with pytest.raises(KeyboardInterrupt):
        made.start()
    made.close()
    assert made._connection.closed


def test_a_process_that_can_not_be_asked_is_ended_and_told(monkeypatch):
    def fail(*words):
        raise OSError(errno.ENOBUFS, os.strerror(errno.ENOBUFS))

    made = ProcessBuilder(world(), Site(SourceArguments(demo=DEMO)), lambda content: None)
    made.start()
    with monkeypatch.context() as patch:
        patch.setattr("multiprocessing.connection.Connection.send", fail)
        made.ask([Job(VILLAGE, whole=True)])
        until(lambda: made.trouble, lambda: made.bring(time.perf_counter()))
    made.close()
    assert made.trouble.startswith("the process that loads landblocks ended")


def test_the_process_ends_with_its_parent(tmp_path):
    code = (
        "import sys, time; from pathlib import Path; sys.path.insert(0, sys.argv[2])\n"
        "from engine.world.loading.process_builder import *; from engine.world.sources.open_source import *\n"
        "if __name__ == '__main__':\n"
        " demo = Path(sys.argv[1])\n"
        " made = ProcessBuilder(World(open_source(demo=demo)), Site(SourceArguments(demo=demo)), print)\n"
        " made.start(); print(made._process.pid, flush=True); time.sleep(60)\n"
    )
    script = tmp_path / "parent.py"
    script.write_text(code, encoding="utf-8")
    parent = subprocess.Popen(
        [sys.executable, str(script), str(DEMO), str(DEMO.parents[1])], stdout=subprocess.PIPE, text=True
    )
    child = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    until(lambda: not is_running(child))


class StandsStill:
    """A process that neither reads nor writes nor ends, unless it is killed; it has this end of the line."""

    pid, exitcode = 0, None

    def __init__(self, *arguments):
        self.line = Connection(os.dup(arguments[-1].fileno()))

    def is_alive(self):
        return not self.line.closed

    def terminate(self):
        pass

    def join(self, patience):
        pass

    def kill(self):
        self.line.close()


@pytest.fixture
def standing_still(monkeypatch):
    """Processes that are started stand still; those that were."""
    started = []

    def start(*words):
        started.append(StandsStill(*words))
        return started[-1]

    monkeypatch.setattr(process_builder, "start_helper", start)
    return started


def test_who_asks_a_process_that_stands_still_does_not_wait_and_only_the_last_counts(standing_still):
    made = ProcessBuilder(world(), SITE, lambda content: None)
    made.start()
    jobs = [Job(number << 16, whole=True) for number in range(3000)]
    asked = Thread(target=lambda: [made.ask(jobs[first:]) for first in range(50)], daemon=True)
    asked.start()
    asked.join(PATIENCE)
    assert not asked.is_alive()
    heard = []
    until(lambda: heard and heard[-1] == ("ask", 0, jobs[49:]),
          lambda: heard.append(standing_still[0].line.recv()))  # fmt: skip
    assert len(heard) < 25
    made.close()
    assert not standing_still[0].is_alive()
    assert made._connection.closed


def test_processes_that_owe_landblocks_and_say_nothing_are_told_ended_and_replaced(
    standing_still, monkeypatch
):
    monkeypatch.setattr(process_builder, "SILENCE", 0.05)
    here = world()
    stream = Streamer(here, radius=1, site=SITE)
    stream.start()
    try:
        time.sleep(0.1)
        stream.pump()
        assert here.problems.lines == []
        stream.visit(VILLAGE | 1)
        assert stream.wait(PATIENCE)
        assert len(here.blocks) == 9
        assert [line for line in here.problems.lines if "process" in line] == [
            f"the process that loads landblocks has sent nothing for 0.05 seconds; {then}"
            for then in ("another is started", "a thread goes on")
        ]
        assert [process.is_alive() for process in standing_still] == [False] * 3
    finally:
        stream.close()


def test_time_in_which_nobody_looks_is_no_silence(standing_still, monkeypatch):
    now = [1000.0]
    made = ProcessBuilder(world(), SITE, lambda content: None)
    with monkeypatch.context() as patch:
        patch.setattr("time.perf_counter", lambda: now[0])
        made.start()
        made.ask([Job(VILLAGE, whole=True)])
        for _ in range(100):  # as a computer that sleeps between two frames
            now[0] += 3600.0
            made.bring(now[0])
        assert not made.trouble
        made._came.append(Packer().pack(Done(0, Job(NOTHING, whole=True), None)))
        made.bring(now[0] + 1.0)
        made.built.clear()
        for _ in range(299):
            now[0] += 0.1
            made.bring(now[0])
        assert not made.trouble
        for _ in range(2):
            now[0] += 0.1
            made.bring(now[0])
        assert made.trouble == "the process that loads landblocks has sent nothing for 30 seconds"
    made.close()


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").split()[2] != "Z"
    except OSError:
        return False


def walk(residency=None):
    """Every place of a run north and back, to the last bit; how many landblocks there were on the way."""
    here = world()
    stream = residency(here) if residency is not None else None
    simulation = Simulation(here, MoverSettings(run_skill=10_000.0), residency=stream)
    if stream is not None:
        stream.start()
    simulation.teleport(here.locate("0xA9B40027 [100 150 94]"))
    places = []
    for tick in range(400):
        if stream is not None:
            assert stream.wait(PATIENCE)
        report = simulation.input_tick(MovementInput(forward=1 if tick < 200 else -1, run=True))
        places.append((report.cell, report.position, report.on_ground, report.normal, report.cells))
    if stream is not None:
        stream.close()
    return places, len({block_of(place[0]) for place in places})


def test_a_walk_is_the_same_whoever_builds():
    places, blocks = walk()
    assert blocks > 1
    assert walk(lambda here: Streamer(here, radius=2, site=SITE)) == (places, blocks)
