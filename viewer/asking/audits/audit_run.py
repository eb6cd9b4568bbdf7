"""An audit beside the window: other processes look the cells over, a thread takes in what they find."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock, Thread

from engine.files.json_form import Json
from engine.replay.audit.auditing import block_findings, pieces, unloaded_findings
from engine.replay.audit.finding import DAMAGED, Finding
from engine.replay.audit.shape import StructureStore
from engine.replay.jobs.process_pool import JobError, Piece, Tell, Work, cores, done_in_order
from engine.world.ids import block_of
from engine.world.loading.world import World
from engine.world.source import WorldSource
from engine.world.sources.dats import DatsSource
from engine.world.sources.open_source import SourceArguments, SourceError
from viewer.report.asked import AuditReport

MOST = 5000  # findings that are kept; the rest is counted


@dataclass(frozen=True, slots=True)
class FindingsTask:
    """Looking over landblocks of a source; results are all their findings, and how many cells they have."""

    source: SourceArguments

    def begin(self) -> Work:
        """Open the world; raises SourceError."""
        world, structures = World(self.source.open()), StructureStore()

        def work(block_id: int, tell: Tell) -> Json:
            found, cells = _findings(world, block_id, structures, tell)
            return {"findings": [[f.kind, f.text] for f in found], "cells": cells}

        return work


def _findings(
    world: World, block_id: int, structures: StructureStore, tell: Tell
) -> tuple[list[Finding], int]:
    """What is wrong with a landblock, and how many of its cells were looked over."""
    known = world.problems.mark()
    block = world.load_block(block_id)
    found = [] if block is None else list(block_findings(world, block, structures, tell))
    found += unloaded_findings(world, block_id, block)
    found += [Finding(DAMAGED, line) for line in world.problems.since(known)]
    world.unload_block(block_id)
    return found, 0 if block is None else len(block.env_cells)


def _parts(source: SourceArguments, blocks: Iterable[int] | None) -> list[Piece]:
    """Landblocks as pieces; nothing of the source stays open here, or in a frame that an error keeps."""
    with closing(source.open()) as opened:
        world = World(opened)
        return list(pieces(world, opened.block_ids() if blocks is None else blocks))


def _replaced(source: WorldSource) -> str:
    """What is audited where other files have taken the place of the dats that are shown; empty elsewhere."""
    if not isinstance(source, DatsSource):
        return ""
    names = ", ".join(Path(file.name).name for file in source.files.files() if file.is_replaced())
    return f"{names}: replaced since it was opened; the audit is of what lies there now" if names else ""


class AuditRun:
    """One audit at a time. Everything but ``report`` is for the window's thread."""

    def __init__(self, world: World) -> None:
        self.source: SourceArguments | None = None
        self._world = world
        self._lock = Lock()
        self._stop = Event()
        self._thread: Thread | None = None
        self._report = AuditReport()
        self._found: list[Finding] = []
        self._seen: set[tuple[str, str]] = set()

    def start(self, block_ids: Iterable[int] | None) -> None:
        """Look over landblocks, or the whole world for None; an audit under way ends."""
        self.stop()
        if self.source is None:
            self._report = AuditReport(trouble="the source of this world can't be opened a second time")
            return
        blocks = None if block_ids is None else tuple(block_of(b) for b in block_ids)
        self._found, self._seen = [], set()
        self._report = AuditReport(running=True, trouble=_replaced(self._world.source))
        stop = self._stop = Event()
        self._thread = Thread(target=self._run, args=(self.source, blocks, stop), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the audit that is under way; what it found stays."""
        self._stop.set()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join(5.0)

    def report(self) -> AuditReport:
        """How far it is and what it has found."""
        with self._lock:
            return self._report

    def _run(self, source: SourceArguments, blocks: tuple[int, ...] | None, stop: Event) -> None:
        try:
            self._work(source, _parts(source, blocks), stop)
        except (SourceError, JobError, OSError) as error:
            self._tell(trouble=str(error))
        finally:
            self._tell(running=False)

    def _work(self, source: SourceArguments, parts: list[Piece], stop: Event) -> None:
        whole = sum(part.weight for part in parts) or 1.0

        def watch(done: float, key: str) -> None:
            self._tell(share=done / whole, at=key)
            if stop.is_set():
                raise JobError("stopped")

        # Two at least: one would do its work in this thread, and in the way of the frames.
        jobs = max(2, cores() - 1)
        with closing(done_in_order(FindingsTask(source), parts, jobs=jobs, watcher=watch)) as results:
            for number, (_, document) in enumerate(results, 1):
                self._take(document, number, len(parts))
        self._tell(share=1.0)

    def _take(self, document: Json, done: int, blocks: int) -> None:
        cells = self._report.cells + int(document["cells"])
        counts = dict(self._report.counts)
        for kind, text in document["findings"]:
            if (kind, text) in self._seen:
                continue
            counts[kind] = counts.get(kind, 0) + 1
            if len(self._found) < MOST:
                self._seen.add((kind, text))
                self._found.append(Finding(kind, text))
        self._tell(counts=counts, findings=tuple(self._found), done=done, blocks=blocks, cells=cells)

    def _tell(self, **changes: object) -> None:
        with self._lock:
            self._report = self._report.changed(**changes)
