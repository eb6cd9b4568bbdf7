"""Who builds landblocks ahead of their time: a process of its own, which leaves frames the interpreter.

It is spawned, so that it begins alike on every system, opens the source for itself and hears no Ctrl+C. It
ends with this process. Its landblocks come in parcels; a thread takes them in and does nothing with them, and
another sends it words, so that no frame waits for a process that stands still.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from threading import Condition, Thread
from typing import Any, Protocol

from engine.files.shown import one_line
from engine.named_tuple import NamedTuple
from engine.other_process import Outbox, end_helpers, start_helper
from engine.world.cells import CellStructure, Landblock
from engine.world.loading.builders import Job, try_to_build
from engine.world.loading.parcels import (
    Done,
    Dropped,
    Extra,
    Packer,
    Problem,
    Unpacker,
    structure_key,
)
from engine.world.loading.world import World
from engine.world.models import Model
from engine.world.source import Mark, WorldSource

AHEAD = 3  # landblocks that have been sent and not brought in
MOST_POLYGONS = 65_536  # of models and structures in the building process
PATIENCE = 2.0  # seconds for it to end once it has hung up
FAREWELL = 0.5  # seconds for it to end as it is told to, and as long again once it's made to
SILENCE = 30.0  # seconds in which it sends nothing that it owes, before it is given up
STEP = 0.1  # seconds of silence at most that one look counts: who asks may have stood still as well


class Maker(Protocol):
    """What else is made of landblocks in the building process, and sent."""

    def made_of(self, block: Landblock, number: int) -> Iterable[Any]:
        """What to send ahead of a landblock, which has that number."""

    def let_go(self, numbers: Iterable[int]) -> Iterable[Any]:
        """These landblocks are not needed any more; what to send about it."""


class Opening(Protocol):
    """How the building process opens the world; sent to it."""

    def open(self) -> WorldSource:
        """The source."""


class Site(NamedTuple):
    """What the building process needs: a source that it can open, and who makes more of landblocks.

    ``maker`` gets its world; both are sent, so it is a function of a module.
    """

    opening: Opening
    maker: Callable[[World], Maker] | None = None


class ProcessBuilder:
    """Builds in another process. ``taker`` is given what its maker sends, in order, as ``bring`` is called.

    ``trouble`` tells why it has ended, where nobody has closed it.
    """

    def __init__(self, world: World, site: Site, taker: Callable[[Any], None]) -> None:
        self.built: deque[tuple[Job, Landblock | None]] = deque()
        self.trouble = ""
        self._world = world
        self._site = site
        self._taker = taker
        self._unpacker = Unpacker()
        self._numbers: dict[int, tuple[Landblock, int]] = {}
        self._jobs: list[Job] = []
        self._owed: set[Job] = set()
        self._silence = 0.0
        self._looked = 0.0
        self._seen = 0
        self._came: deque[bytes] = deque()
        self._changed = Condition()
        self._ended = False
        self._closed = False
        self._connection: Connection[Any, Any] | None = None
        self._process: Any = None
        self._outbox: Outbox | None = None
        self._listener = Thread(target=self._listen, name="landblocks come", daemon=True)

    def start(self) -> None:
        """Start the process; raises OSError where that can't be."""
        self._connection, theirs = Pipe()
        try:
            self._process = start_helper("landblocks", _serve, self._site, theirs)
        except Exception as error:  # what can't be sent is no OSError, and is as good a reason
            self._connection.close()
            raise OSError(str(error)) from error
        finally:
            theirs.close()
        self._listener.start()
        self._outbox = Outbox(self._connection, self._process.terminate)
        self._looked = time.perf_counter()
        self._send("ask", self._seen, self._jobs)

    def ask(self, jobs: Sequence[Job]) -> None:
        """Build these, in this order, and nothing else; what has been sent comes all the same."""
        here = {job for job, _ in self.built}
        self._jobs = [job for job in jobs if job not in here]
        self._owed = set(self._jobs)
        self._send("ask", self._seen, self._jobs)

    def bring(self, deadline: float) -> None:
        """Unpack parcels until a landblock is whole, or about a time.

        A process that owes landblocks and has sent nothing for long, in which this was called, is ended.
        """
        self._count_silence()
        while self._came and not self.built:
            try:
                parcel = self._unpacker.unpack(self._came.popleft())
            except MemoryError:
                raise
            except Exception as error:  # whatever bytes that nobody has packed come to
                self._give_up(f"sent what can't be read ({one_line(str(error))})")
                return
            if isinstance(parcel, Done):
                self._finish(parcel)
            elif isinstance(parcel, Extra):
                self._taker(parcel.content)
            elif isinstance(parcel, Problem):
                self._world.problems.report(parcel.line)
            if time.perf_counter() > deadline:
                return
        if self._ended and not self._came and not self._closed and not self.trouble:
            self._process.join(PATIENCE)
            self.trouble = f"the process that loads landblocks ended (exit code {self._process.exitcode})"

    def wait(self, seconds: float) -> None:
        """Wait until a parcel has come, so long at most."""
        with self._changed:
            if not self._came and not self.built and not self._ended:
                self._changed.wait(seconds)

    def let_go(self, block: Landblock) -> None:
        """A landblock is not needed any more; the building process may forget what it has of it."""
        known, number = self._numbers.get(block.id, (None, 0))
        if known is block:
            del self._numbers[block.id]
            self._send("gone", number)

    def drop(self, structures: Iterable[CellStructure], models: Iterable[int]) -> None:
        """Of all that landblocks share only this is in use: forget the rest, here and there."""
        used = {structure_key(structure) for structure in structures}
        used.update(("model", model_id, 0) for model_id in models)
        self._send("drop", frozenset(self._unpacker.shared.keys() - used))

    def close(self) -> None:
        """End the process."""
        self._closed = True
        if self._connection is None:
            return
        if self._process is not None:  # an interrupt may have come between the two
            self._send("end")
            self._process.join(FAREWELL)
            if self._process.is_alive():
                end_helpers([self._process], FAREWELL)
        self._hang_up()

    @property
    def is_at_work(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.is_alive()

    def _count_silence(self) -> None:
        now = time.perf_counter()
        passed, self._looked = min(now - self._looked, STEP), now
        if self._outbox is None or self._came or self.built or not self._owed:
            self._silence = 0.0
            return
        self._silence += passed
        if self._silence > SILENCE and not self.trouble:
            self._give_up(f"has sent nothing for {SILENCE:g} seconds")

    def _give_up(self, why: str) -> None:
        """Listen no more to a process that talks nonsense or not at all."""
        self.trouble = f"the process that loads landblocks {why}"
        self._came.clear()
        self._process.kill()  # one that stands still hears nothing else

    def _hang_up(self) -> None:
        """Close the connection, unless a thread is still at it, as the process can't be ended."""
        assert self._connection is not None
        if self._outbox is not None:
            self._outbox.close(FAREWELL)
        if self._listener.ident is not None:
            self._listener.join(FAREWELL)
        if not self._listener.is_alive() and (self._outbox is None or not self._outbox.is_sending):
            self._connection.close()

    def _finish(self, done: Done) -> None:
        self._seen += 1
        self._owed.discard(done.job)
        self._send("seen", self._seen)
        if done.block is not None and done.job.whole:
            self._numbers[done.block.id] = (done.block, done.number)
            for model_id in done.models:
                model = self._unpacker.shared["model", model_id, 0]
                assert model is None or isinstance(model, Model)
                self._world.loader.models.adopt(model_id, model)
        self.built.append((done.job, done.block))

    def _send(self, kind: str, *words: Any) -> None:
        """Send words some time; of those about what to build the last are enough."""
        if self._outbox is not None:
            self._outbox.put(kind, *words, instead=kind in ("ask", "seen"))

    def _listen(self) -> None:
        assert self._connection is not None
        while True:
            try:
                data = self._connection.recv_bytes()
            except (EOFError, OSError):
                break
            with self._changed:
                self._came.append(data)
                self._changed.notify_all()
        with self._changed:
            self._ended = True
            self._changed.notify_all()


def _serve(site: Site, connection: Connection[Any, Any]) -> None:
    """What the building process does: build what is asked for last, send it, and not run too far ahead.

    What keeps it from that is sent as well, as a source that can't be opened any more.
    """
    try:
        _Yard(site, connection).run()
    except EOFError:
        return
    except Exception as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        with suppress(OSError):  # nobody hears it any more
            connection.send_bytes(Packer().pack(Problem(f"landblocks can't be loaded ahead: {reason}")))
        sys.exit(1)


class _Yard:
    """The building process's side."""

    def __init__(self, site: Site, connection: Connection[Any, Any]) -> None:
        self._connection = connection
        self._world = World(site.opening.open())
        self._maker = None if site.maker is None else site.maker(self._world)
        self._packer = Packer()
        self._queue: deque[Job] = deque()
        self._done: list[Job] = []
        self._seen = 0
        self._told: Mark = (0, self._world.problems.unkept)  # the other side has counted its spawn list
        self._ended = False

    def run(self) -> None:
        """Work until the other side ends."""
        while not self._ended:
            idle = not self._queue or len(self._done) - self._seen >= AHEAD
            while not self._ended and self._connection.poll(None if idle else 0):
                self._hear(*self._connection.recv())
                idle = not self._queue or len(self._done) - self._seen >= AHEAD
            if not self._ended and not idle:
                self._build(self._queue.popleft())

    def _hear(self, what: str, *words: Any) -> None:
        match what:
            case "ask":
                self._seen, jobs = words
                on_their_way = set(self._done[self._seen :])
                self._queue = deque(job for job in jobs if job not in on_their_way)
            case "seen":
                (self._seen,) = words
            case "gone":
                self._send_extras(() if self._maker is None else self._maker.let_go(words))
            case "drop":
                self._packer.sent -= words[0]
                self._send(self._packer.pack(Dropped(words[0])))
            case _:
                self._ended = True

    def _build(self, job: Job) -> None:
        world, number = self._world, len(self._done)
        made: list[Any] = []

        def make_more(block: Landblock) -> None:
            if self._maker is not None and job.whole:
                made.extend(self._maker.made_of(block, number))

        block = try_to_build(world, job, [make_more])
        self._tell_problems()
        models: tuple[int, ...] = ()
        if block is not None:
            models = block.model_ids()
            structures = {id(cell.structure): cell.structure for cell in block.env_cells.values()}
            named = ((model_id, world.loader.models.model(model_id)) for model_id in models)
            for parcel in self._packer.new(structures.values(), named):
                self._send(parcel)
            self._send_extras(made)
            world.loader.trim([block], MOST_POLYGONS)
        self._send(self._packer.pack(Done(number, job, block, models)))
        self._done.append(job)

    def _tell_problems(self) -> None:
        problems, told = self._world.problems, self._told
        self._told = problems.mark()
        for line in problems.since(told):
            self._send(self._packer.pack(Problem(line)))

    def _send_extras(self, extras: Iterable[Any]) -> None:
        for content in extras:
            self._send(self._packer.pack(Extra(content)))

    def _send(self, data: bytes) -> None:
        self._connection.send_bytes(data)
