"""What commands with much to do share: processes, progress, a state to go on from, JSON lines."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from abc import ABC, abstractmethod
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

from engine.files.json_form import Json
from engine.files.read import ReadError
from engine.replay.jobs.process_pool import JobError, Piece, Task, cores, done_in_order
from engine.replay.jobs.result_shape import Shape
from engine.replay.jobs.work_state import StateError, WorkState
from viewer.report.progress import Progress
from viewer.user_error import UserError

WORLD_FILES = (".dat", ".json", ".sql")
MOST_DIGESTED = 4 << 30  # bytes of a file: more than any of the game's has
PIECE = 1 << 20


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

    def heard(piece: Piece, result: Json) -> None:
        progress.make_way()
        ended(piece, result)

    with ExitStack() as stack:
        stack.callback(progress.make_way)
        try:
            state = (
                WorkState(Path(args.state), {"command": args.command, **work}, shape) if args.state else None
            )
            if state is not None:
                stack.enter_context(state)
            known = state.results.get if state is not None else lambda _: None
            results = stack.enter_context(
                closing(done_in_order(task, pieces, jobs=jobs, known=known, watcher=progress, ended=heard))
            )
            for piece, result in results:
                if state is not None:
                    state.keep(piece.key, result)
                progress.make_way()
                yield piece, result
        except (JobError, ReadError, StateError) as error:
            raise UserError(str(error)) from error


def stamp(args: Namespace, paths: Iterable[Path]) -> list[list[object]]:
    """What tells files from those of another time: name, size and a digest, of folders' files too.

    In a folder only files that worlds are read from count; the state of the work itself never does. Where
    no state is kept nothing is told.
    """
    found: list[list[object]] = []
    if not args.state:
        return found
    kept = os.path.realpath(args.state)
    for path in paths:
        files = [path]
        if path.is_dir():
            inside = path.rglob("*") if str(path) == getattr(args, "spawns", None) else path.iterdir()
            files = sorted(file for file in inside if file.suffix.lower() in WORLD_FILES)
        whole = [(file, os.path.realpath(file)) for file in files]
        found += [[name, *_of(file)] for file, name in whole if name != kept]
    return found


def _of(file: Path) -> tuple[object, object]:
    """A file's size and what it holds; why they can't be had is told by who reads the file.

    A time of change is none of it: copies keep it, and others change it and nothing else.
    """
    digest = hashlib.blake2b(digest_size=16)
    try:
        about = file.stat()
        if not stat.S_ISREG(about.st_mode):  # what a pipe holds is read once
            return None, None
        with file.open("rb") as opened:
            while opened.tell() < MOST_DIGESTED and (part := opened.read(PIECE)):
                digest.update(part)
    except OSError as error:
        return None, error.strerror
    return about.st_size, digest.hexdigest()


def check_forms(args: Namespace) -> None:
    """One form of JSON at a time."""
    if args.json and args.jsonl:
        raise UserError("--json and --jsonl exclude each other")


def print_line(document: object) -> None:
    """A JSON line, out at once."""
    print(json.dumps(document), flush=True)
