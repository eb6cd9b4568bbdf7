"""What commands with much to do share: processes, progress, a state to go on from, JSON lines."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from engine.files.read import ReadError
from engine.replay.jobs.pool import JobError, Json, Piece, Task, cores, done_in_order
from engine.replay.jobs.state import StateError, WorkState
from viewer.errors import UserError
from viewer.report.progress import Progress


def in_pieces(
    args: Namespace, task: Task, pieces: Sequence[Piece], work: Json, least: int
) -> Iterator[tuple[Piece, Json]]:
    """Every piece with its result, in order, by the options of long work.

    ``work`` says what it is, for a state to be told from others; ``least`` pieces are worth a process.
    """
    jobs = min(args.jobs or -(-len(pieces) // least), args.jobs or cores(), len(pieces))
    progress = Progress(args.command, sum(piece.weight for piece in pieces), args.progress)
    with ExitStack() as stack:
        stack.callback(progress.make_way)
        try:
            state = WorkState(Path(args.state), {"command": args.command, **work}) if args.state else None
            if state is not None:
                stack.enter_context(state)
            known = state.results.get if state is not None else lambda key: None
            results = stack.enter_context(closing(done_in_order(task, pieces, jobs, known, progress)))
            for piece, result in results:
                if state is not None:
                    state.keep(piece.key, result)
                progress.make_way()
                yield piece, result
        except (JobError, ReadError, StateError) as error:
            raise UserError(str(error)) from error


def stamp(paths: Iterable[Path]) -> list[list[object]]:
    """What tells files from those of another time: name, size and time of change, of folders' files too."""
    found: list[list[object]] = []
    for path in paths:
        for file in sorted(path.iterdir()) if path.is_dir() else [path]:
            about = file.stat()
            found.append([str(file.resolve()), about.st_size, about.st_mtime_ns])
    return found


def check_forms(args: Namespace) -> None:
    """One form of JSON at a time."""
    if args.json and args.jsonl:
        raise UserError("--json and --jsonl exclude each other")


def print_line(document: object) -> None:
    """A JSON line, out at once."""
    print(json.dumps(document), flush=True)
