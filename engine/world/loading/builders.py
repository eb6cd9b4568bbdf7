"""Who builds landblocks ahead of their time: what all of them do, and a thread of this process."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from threading import Condition, Thread
from typing import Protocol

from engine.dat.hex_id import hex_id
from engine.named_tuple import NamedTuple
from engine.world.cells import Landblock
from engine.world.loading.world import World

BlockListener = Callable[[Landblock], None]


class Job(NamedTuple):
    """A landblock to build, or only its ground."""

    block_id: int
    whole: bool


class Builder(Protocol):
    """Builds what it is asked for. All but ``built``'s left end belongs to who asks, on one thread.

    ``built`` are the jobs that are done, in order, None for what is not there.
    """

    built: deque[tuple[Job, Landblock | None]]

    def start(self) -> None:
        """Begin with what was asked for."""

    def ask(self, jobs: Sequence[Job]) -> None:
        """Build these, in this order, and nothing else; what has been begun is ended."""

    def bring(self, deadline: float) -> None:
        """Bring in what has come, until about a time (``time.perf_counter``)."""

    def wait(self, seconds: float) -> None:
        """Wait until something has come, so long at most."""

    def let_go(self, block: Landblock) -> None:
        """A landblock is not needed any more."""

    def close(self) -> None:
        """End; what is under way is lost."""

    @property
    def is_at_work(self) -> bool:
        """Whether it has begun and not ended."""


def try_to_build(world: World, job: Job, listeners: Sequence[BlockListener]) -> Landblock | None:
    """A landblock after ``listeners`` had it; what goes wrong is a problem line, and there is none then."""
    try:
        build = world.build_block if job.whole else world.build_ground
        block = build(job.block_id)
        if block is not None:
            for listener in listeners:
                listener(block)
        return block
    except Exception as error:  # a walk goes on, whatever is wrong with a landblock
        reason = " ".join(str(error).split()) or type(error).__name__
        world.problems.report(f"{world.source.name}, landblock {hex_id(job.block_id)}: {reason}")
        return None


class ThreadBuilder:
    """Builds on a thread of its own; ``listeners`` are called there with each landblock."""

    def __init__(self, world: World, listeners: Sequence[BlockListener]) -> None:
        self.built: deque[tuple[Job, Landblock | None]] = deque()
        self._world = world
        self._listeners = listeners
        self._changed = Condition()
        self._queue: deque[Job] = deque()
        self._working: Job | None = None
        self._closed = False
        self._thread = Thread(target=self._work, name="landblocks", daemon=True)

    def start(self) -> None:
        """Begin with what was asked for."""
        self._thread.start()

    def ask(self, jobs: Sequence[Job]) -> None:
        """Build these, in this order, and nothing else."""
        with self._changed:
            done = {job for job, _ in self.built}
            self._queue = deque(job for job in jobs if job not in done and job != self._working)
            self._changed.notify_all()

    def bring(self, deadline: float) -> None:
        """Nothing: it is here."""

    def wait(self, seconds: float) -> None:
        """Wait until something is built, so long at most."""
        with self._changed:
            if not self.built:
                self._changed.wait(seconds)

    def let_go(self, block: Landblock) -> None:
        """Nothing: nobody keeps it."""

    def close(self) -> None:
        """Let the thread end; a landblock that it is building is lost."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join(timeout=10.0)

    @property
    def is_at_work(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._queue and not self._closed:
                    self._changed.wait()
                if self._closed:
                    return
                job = self._working = self._queue.popleft()
            block = try_to_build(self._world, job, self._listeners)
            with self._changed:
                self._working = None
                self.built.append((job, block))
                self._changed.notify_all()
