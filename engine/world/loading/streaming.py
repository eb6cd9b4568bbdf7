"""Landblocks that come and go around a body, built by another process or thread (visibility 1.6).

The builder decodes and builds; a block becomes part of the world between two ticks, on the simulation's
thread, which never waits for it. The one exception is a teleport: nobody can stand where nothing is.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from engine.dat.values import Vec3
from engine.world.cells import Landblock
from engine.world.ids import BLOCK_SIDE, block_of, block_steps, blocks_around
from engine.world.loading.block_size import POLYGON_BYTES, block_bytes
from engine.world.loading.builders import Builder, Job, ThreadBuilder
from engine.world.loading.process_builder import ProcessBuilder, Site
from engine.world.loading.saved_blocks import NO_BLOCKS, SavedBlocks
from engine.world.loading.world import World

NEIGHBOURS = 1  # what a tick can reach is within that many landblocks
DEFAULT_RADIUS, DEFAULT_HORIZON = 1, 0
MAX_BYTES = 256 << 20
PUMP_SECONDS = 0.002
NEAR = 48.0  # metres from a body put down: two landcells, farther than anything moves it
SLACK = 1  # landblocks that are kept beyond the radius: who goes back and forth finds them there
GROUNDS_AT_ONCE = 32  # that are forgotten between two ticks
OVERFULL = 2  # times the bound: then landblocks go faster than one a pump

MOST_STARTS = 3  # of building processes, before a thread takes their place

BlockListener = Callable[[Landblock], None]
Gate = Callable[[Landblock, float], bool]
Taker = Callable[[Any], None]


class Streamer:
    """Keeps the landblocks within ``radius`` of the body's loaded and the ground of those within ``horizon``.

    A dungeon's landblock stands alone while the body is in its rooms. Blocks farther than ``radius`` plus
    ``SLACK`` are dropped, and, the farthest first, those beyond the neighbours while all together are
    estimated above ``max_bytes``; models and cell structures that no loaded block uses are kept up to half as
    much again.
    With a ``site`` another process builds; where it can't be started, or ends time and again, a thread does.
    ``builders`` are called on that thread with each block that was built, ``takers`` with what the process
    makes besides; ``gates`` on the simulation's thread before it is attached, with the time
    (``time.perf_counter``) by which to return: it waits until all of them say True. ``discards`` are called
    with one that nobody wants any more.
    What goes wrong in building becomes a problem line, and the landblock counts as one that is not there.
    """

    def __init__(
        self,
        world: World,
        radius: int = DEFAULT_RADIUS,
        horizon: int = DEFAULT_HORIZON,
        *,
        max_bytes: int = MAX_BYTES,
        site: Site | None = None,
    ) -> None:
        self.world = world
        self.radius = max(radius, NEIGHBOURS)
        self.horizon = horizon
        self._slack = SLACK
        self.max_bytes = max_bytes
        self.builders: list[BlockListener] = []
        self.takers: list[Taker] = []
        self.gates: list[Gate] = []
        self.discards: list[BlockListener] = []
        self._center = self._goal = -1
        self._home_cell = 0
        self._sizes: dict[int, int] = {}
        self._absent: set[Job] = set()
        self._pending: set[Job] = set()
        self._site = site
        self._starts = 0
        self._closed = False
        self._builder: Builder = self._new_builder()
        world.on_load.append(self._grow)
        world.on_unload.append(self._shrink)

    # -- the simulation's thread

    def start(self) -> None:
        """Let the builder begin, when builders, takers and gates are in their places."""
        while True:
            try:
                self._builder.start()
                return
            except OSError as error:
                self._fall_back(f"no process can be started to load landblocks: {error}", MOST_STARTS)

    def load(self, cell_id: int, place: Vec3 | None = None) -> None:
        """Make the landblock of a cell and its neighbours resident, now.

        Of the neighbours only those near a ``place`` in the block frame, where it is given: the others come
        when they are built.
        """
        home = block_of(cell_id)
        block = self._load_now(home)
        if block is None or not block.stands_alone(cell_id):
            near = None if place is None else _blocks_near(home, place)
            for block_id in _square(home, NEIGHBOURS):
                if near is None or block_id in near:
                    self._load_now(block_id)

    def approach(self, cell_id: int) -> bool:
        """Ask for what ``load`` loads; whether it is all there. It stays until the body has moved."""
        block_id = self._goal = block_of(cell_id)
        wanted = [Job(block_id, whole=True)]
        block = self.world.blocks.get(block_id)
        if block is None or not block.stands_alone(cell_id):
            wanted += [Job(other, whole=True) for other in _square(block_id, NEIGHBOURS) if other != block_id]
        missing = [job for job in wanted if job not in self._absent and not self._is_there(job)]
        if missing:
            self._ask(missing + [job for job in self._wanted() if job not in missing])
        return not missing

    def visit(self, cell_id: int) -> None:
        """The body is in a cell: when it has come from elsewhere, ask for what is around it.

        Elsewhere is another landblock, or the rooms of a dungeon for one that is now on the land.
        """
        block_id, was_alone = block_of(cell_id), self._alone
        self._home_cell = cell_id
        if block_id != self._center or (was_alone and not self._alone):
            self._center, self._goal, self._slack = block_id, -1, SLACK
            self._ask(self._wanted())

    def reach(self, radius: int, horizon: int) -> None:
        """Keep what is within these from now on; the rest comes and goes bit by bit, as in walking on."""
        radius = max(radius, NEIGHBOURS)
        if (radius, horizon) != (self.radius, self.horizon):
            self.radius, self.horizon, self._slack = radius, horizon, 0
            self._ask(self._wanted())

    def ready(self, cell_id: int, a: Vec3, b: Vec3, reach: float) -> bool:
        """Whether no landblock is on its way that lies within ``reach`` of the box around two points.

        The points are in the block frame of ``cell_id``, metres.
        """
        if not self._pending or block_of(cell_id) != self._center:
            return True
        return not any(
            Job(block_id, whole=True) in self._pending
            for block_id in _blocks_around(self._center, (a, b), reach)
        )

    def pump(self, seconds: float = PUMP_SECONDS) -> None:
        """Attach what the builder has finished and drop what is far, within about so much time."""
        deadline = time.perf_counter() + seconds
        self._bring(deadline)
        while self._builder.built:
            job, block = self._builder.built[0]
            if job in self._pending and block is not None:
                if not all(gate(block, deadline) for gate in self.gates):
                    return
            self._builder.built.popleft()
            self._finish(job, block)
            if time.perf_counter() > deadline:
                return
            self._bring(deadline)
        self._drop_one()
        while self._total() > OVERFULL * self.max_bytes and self._drop_one():
            pass  # as when a capture leads through many landblocks within a frame

    def saved(self) -> SavedBlocks:
        """Nothing: a landblock that is not there is waited for, and what has come stays for a while."""
        return NO_BLOCKS

    def restore(self, saved: SavedBlocks, cell_id: int) -> None:
        """Load the landblock of a cell and its neighbours, now."""
        self.load(cell_id)
        self.visit(cell_id)

    @property
    def busy(self) -> bool:
        """Whether anything is on its way."""
        return bool(self._pending)

    def wait(self, timeout: float = 60.0) -> bool:
        """Wait until nothing is on its way, attaching what comes; False where that takes too long."""
        end = time.perf_counter() + timeout
        while self._pending:
            if time.perf_counter() > end:
                return False
            self._builder.wait(0.1)
            self.pump()
        return True

    def close(self) -> None:
        """Let the builder end; a block that it is building is lost."""
        if self._closed:
            return
        self._closed = True
        self._builder.close()
        self.world.on_load.remove(self._grow)
        self.world.on_unload.remove(self._shrink)

    def _load_now(self, block_id: int) -> Landblock | None:
        if Job(block_id, whole=True) in self._absent:
            return None
        block = self.world.load_block(block_id)
        self._finish(Job(block_id, whole=True), block)
        return block

    def _finish(self, job: Job, block: Landblock | None) -> None:
        """What was asked for has come, or there is nothing."""
        known = job in self._pending
        self._pending.discard(job)
        if block is None:
            self._absent.add(job)
        elif known and job.block_id not in self.world.blocks:
            if job.whole:
                self.world.attach_block(block)
            else:
                self.world.show_horizon(block)
        elif self.world.blocks.get(job.block_id) is not block:
            for discard in self.discards:
                discard(block)
            self._builder.let_go(block)

    @property
    def _alone(self) -> bool:
        """Whether the body is in a dungeon's rooms."""
        block = self.world.blocks.get(self._center)
        return block is not None and block.stands_alone(self._home_cell)

    def _is_there(self, job: Job) -> bool:
        blocks = self.world.blocks
        return job.block_id in blocks or (not job.whole and job.block_id in self.world.horizon)

    def _wanted(self) -> list[Job]:
        """What is to be there around the body's landblock and isn't, nearest first.

        The neighbours come first, for nobody can walk without; then the ground of all others, which is
        little work and in sight; then what stands on it.
        """
        if self._center < 0 or self._alone:
            return []
        radius = NEIGHBOURS if self._total() >= self.max_bytes else self.radius
        whole = [Job(block_id, whole=True) for block_id in _square(self._center, radius)]
        ground = [Job(block_id, whole=False) for block_id in _square(self._center, self.horizon)]
        near = len(_square(self._center, NEIGHBOURS))
        jobs = [*whole[:near], *ground[near:], *whole[near:]]
        return [job for job in jobs if job not in self._absent and not self._is_there(job)]

    def _ask(self, jobs: list[Job]) -> None:
        """Let the builder build these, in this order, and nothing else."""
        self._pending = set(jobs)
        self._builder.ask(jobs)

    def _bring(self, deadline: float) -> None:
        """Bring in what the builder has; another takes the place of one that has ended."""
        self._builder.bring(deadline)
        if isinstance(self._builder, ProcessBuilder) and self._builder.trouble:
            self._builder.close()
            self._fall_back(self._builder.trouble, 1)
            self.start()

    def _fall_back(self, why: str, starts: int) -> None:
        """Put another builder in the place of this one, which took so many starts of those there are."""
        self._starts += starts
        self._builder = self._new_builder()
        another = "another is started" if isinstance(self._builder, ProcessBuilder) else "a thread goes on"
        self.world.problems.report(f"{why}; {another}")
        if self._pending:
            self._builder.ask([job for job in self._wanted() if job in self._pending])

    def _new_builder(self) -> Builder:
        if self._site is None or self._starts >= MOST_STARTS:
            return ThreadBuilder(self.world, self.builders)
        return ProcessBuilder(self.world, self._site, self._take)

    def _take(self, content: Any) -> None:
        for taker in self.takers:
            taker(content)

    def _drop_one(self) -> bool:
        """Drop one landblock that is too far or too much, if one is; its ground within the horizon stays."""
        world, center = self.world, self._center
        if center < 0:
            return False
        horizon = -1 if self._alone else self.horizon
        for block_id in [b for b in world.horizon if block_steps(b, center) > horizon][:GROUNDS_AT_ONCE]:
            world.forget_horizon(block_id)
        if not world.blocks:
            return False
        far = max(world.blocks, key=self._distance)
        steps = self._distance(far)
        if steps <= self.radius + self._slack and (steps <= NEIGHBOURS or self._total() <= self.max_bytes):
            return False
        world.unload_block(far, keep_ground=block_steps(far, center) <= horizon)
        self._trim()
        return True

    def _trim(self) -> None:
        """Forget models and structures that nothing loaded uses, once there are too many."""
        blocks = self.world.blocks.values()
        if self.world.loader.trim(blocks, self.max_bytes // (2 * POLYGON_BYTES)):
            if isinstance(self._builder, ProcessBuilder):
                cells = (cell.structure for block in blocks for cell in block.env_cells.values())
                self._builder.drop(cells, (model_id for block in blocks for model_id in block.model_ids()))

    def _distance(self, block_id: int) -> int:
        """Steps from where the body is, or from where it is going."""
        steps = block_steps(block_id, self._center)
        return steps if self._goal < 0 else min(steps, block_steps(block_id, self._goal))

    def _grow(self, block: Landblock) -> None:
        self._sizes[block.id] = block_bytes(block)

    def _shrink(self, block: Landblock) -> None:
        self._sizes.pop(block.id, None)
        self._builder.let_go(block)

    def _total(self) -> int:
        return sum(self._sizes.values())


def _square(center: int, radius: int) -> list[int]:
    """The landblocks on the map within a number of steps, nearest first."""
    around = blocks_around(center, radius)
    return sorted(around, key=lambda block_id: (block_steps(block_id, center), block_id))


def _blocks_near(home: int, place: Vec3) -> set[int]:
    """The landblocks whose ground or whatever stands on it a body at a place of one may touch."""
    return set(_blocks_around(home, (place, place), NEAR))


def _blocks_around(home: int, ends: tuple[Vec3, Vec3], reach: float) -> Iterator[int]:
    """The landblocks within ``reach`` of the box around two points in the block frame of one."""
    x, y = home >> 24, home >> 16 & 0xFF
    (ax, ay, _), (bx, by, _) = ends
    for i in _blocks_between(ax, bx, reach):
        for j in _blocks_between(ay, by, reach):
            yield ((x + i) << 24) | ((y + j) << 16)


def _blocks_between(a: float, b: float, reach: float) -> range:
    """The landblocks, counted from the points' own, that an interval of one axis touches."""
    return range(int((min(a, b) - reach) // BLOCK_SIDE), int((max(a, b) + reach) // BLOCK_SIDE) + 1)
