"""What commands with much to do share: processes, progress, a state to go on from, JSON lines."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

from engine.files.ended_in_order import ended_in_order
from engine.files.json_form import Json
from engine.files.read import ReadError
from engine.replay.jobs.process_pool import JobError, Piece, Task, cores, done_in_order
from engine.replay.jobs.result_shape import Shape
from engine.replay.jobs.work_state import StateError, WorkState
from engine.world.sources.open_source import SourceError
from viewer.commands.groundwork.kept_results import KeptResults
from viewer.commands.groundwork.stamps import program_stamp
from viewer.interrupts import raised_once
from viewer.report.progress import Progress
from viewer.terminal import say
from viewer.user_error import UserError

JOBS_A_CORE = 8


class Plan(ABC):
    """Pieces of work, and how many there are; looked up when progress is told already."""

    @abstractmethod
    def size(self) -> tuple[int, float]:
        """How many pieces, roughly, and their weight together."""

    @abstractmethod
    def __iter__(self) -> Iterator[Piece]: ...


class Listed(Plan):
    """Pieces that are listed when they are first asked for."""

    def __init__(self, pieces: Callable[[], Iterable[Piece]]) -> None:
        self._make = pieces
        self._pieces: list[Piece] | None = None

    def size(self) -> tuple[int, float]:
        """How many pieces, and their weight together."""
        pieces = list(self)
        return len(pieces), sum(piece.weight for piece in pieces)

    def __iter__(self) -> Iterator[Piece]:
        if self._pieces is None:
            self._pieces = list(self._make())
        return iter(self._pieces)


def in_pieces(
    args: Namespace,
    task: Task,
    pieces: Plan,
    work: Json,
    *,
    shape: Shape,
    least: int,
    ended: Callable[[Piece, Json], None] = lambda *_: None,
) -> Iterator[tuple[Piece, Json]]:
    """Every piece with its result, in order, by the options of long work.

    ``work`` says what it is, for a state to be told from others, ``shape`` what results look like;
    ``least`` pieces are worth a process.
    ``ended`` hears of each as soon as it is done, in whatever order that is.
    """
    progress = Progress(args.command, asked=args.progress)
    count, progress.total = pieces.size()
    jobs = min(args.jobs or -(-count // least), args.jobs or cores(), count)
    most = JOBS_A_CORE * cores()
    if jobs > most:  # each takes 20 MB, and its time to begin
        say(f"{jobs} processes are more than {JOBS_A_CORE} a core: {most} share the work")
        jobs = most

    def tell_of_change(changed: str) -> None:
        progress.make_way()
        say(f"{args.state}: nothing more is kept in it, as {changed} is not what it was when this began")

    def heard(piece: Piece, result: Json) -> None:
        progress.make_way()
        ended(piece, result)

    with ExitStack() as stack:
        stack.callback(progress.make_way)
        try:
            state = kept = None
            if args.state:
                stack.enter_context(ended_in_order(stack.enter_context(raised_once())))  # what waits is kept
                whole = {"command": args.command, "program": program_stamp(), **work}
                state = stack.enter_context(WorkState(Path(args.state), whole, shape))
                kept = KeptResults(state, args, tell_of_change)
            known = state.results.get if state is not None else lambda _: None
            results = stack.enter_context(
                closing(done_in_order(task, pieces, jobs=jobs, known=known, watcher=progress, ended=heard))
            )
            seen = _making_way(results, progress)
            yield from seen if kept is None else kept.through(seen)
        except (JobError, ReadError, SourceError, StateError) as error:
            raise UserError(str(error)) from error


def _making_way(results: Iterator[tuple[Piece, Json]], progress: Progress) -> Iterator[tuple[Piece, Json]]:
    for each in results:
        progress.make_way()
        yield each


def check_forms(args: Namespace) -> None:
    """One form of JSON at a time."""
    if args.json and args.jsonl:
        raise UserError("--json and --jsonl exclude each other")


def print_line(document: object) -> None:
    """A JSON line, out at once."""
    print(json.dumps(document), flush=True)
