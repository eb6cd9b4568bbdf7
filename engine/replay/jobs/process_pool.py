"""Pieces of work done here or by several processes: the results come in the pieces' order either way.

Processes end with this one, however it ends, and leave an interrupt from the keyboard to it.
"""

from __future__ import annotations

import os
import re
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import Any, Final, Protocol

from engine.files.json_form import Json
from engine.files.shown import one_line
from engine.named_tuple import NamedTuple
from engine.other_process import end_helpers, start_helper
from engine.strangers import OURS

AHEAD: Final = 64  # results a process that may wait for an earlier one
IN_HAND: Final = 2  # pieces a process has, so that it need not wait for the next
LISTEN: Final = 0.1  # seconds between looks at the clock
PATIENCE: Final = 2.0  # seconds for them to end
TELL_EVERY: Final = 0.2  # seconds between a process's words on how far it is

Tell = Callable[[float], None]
Work = Callable[[Any, Tell], Json]


class Task(Protocol):
    """What is to be done with each piece; it is sent to every process that helps."""

    def begin(self) -> Work:
        """Open what the work needs, once a process; the work takes a piece and tells its share, 0 to 1."""


class Piece(NamedTuple):
    """A part of the work: ``key`` names it for good, ``item`` is what the work takes, ``weight`` its size."""

    key: str
    item: Any
    weight: float = 1.0


class JobError(Exception):
    """Work that could not go on: one line."""


class Watcher(Protocol):
    """Who hears how far the work is; called often."""

    def __call__(self, done: float, key: str) -> None:
        """``done`` is the weight of what is done, parts of pieces too; ``key`` the piece last heard of."""


def cores() -> int:
    """How many processes can run at once here."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def done_in_order(
    task: Task,
    pieces: Iterable[Piece],
    *,
    jobs: int,
    known: Callable[[str], Json | None] = lambda _: None,
    watcher: Watcher = lambda *_: None,
    ended: Callable[[Piece, Json], None] = lambda *_: None,
) -> Generator[tuple[Piece, Json]]:
    """Every piece with its result, in order; those that ``known`` has a result for are not done again.

    ``ended`` hears of each that is done as soon as it is.

    One job works in this process, as does all of it where no process can be started. Raises what the work
    raises, and JobError for a process that ended.
    """
    board = _Board(iter(pieces), known, watcher, ended)
    return _alone(task, board) if jobs <= 1 else _shared(task, board, jobs)


class _Board:
    """What is to do, what is done, and what may be handed on."""

    def __init__(
        self,
        pieces: Iterator[Piece],
        known: Callable[[str], Json | None],
        watcher: Watcher,
        ended: Callable[[Piece, Json], None],
    ) -> None:
        self._pieces = pieces
        self._known = known
        self._watcher = watcher
        self._ended = ended
        self._waiting: dict[int, tuple[Piece, Json | None]] = {}
        self._taken = self._handed = 0
        self._whole = 0.0
        self._parts: dict[int, float] = {}
        self._last = ""

    def take(self) -> tuple[int, Piece] | None:
        """The next piece that is to be done."""
        for piece in self._pieces:
            number = self._taken
            self._taken += 1
            result = self._known(piece.key)
            self._waiting[number] = (piece, result)
            if result is None:
                return number, piece
            self._whole += piece.weight
        return None

    def tell(self, number: int, share: float) -> None:
        """How far a piece is."""
        piece = self._waiting[number][0]
        self._parts[number] = share * piece.weight
        self._last = piece.key
        self.look()

    def done(self, number: int, result: Json) -> None:
        """A piece is done."""
        piece = self._waiting[number][0]
        self._waiting[number] = (piece, result)
        self._parts.pop(number, None)
        self._whole += piece.weight
        self._last = piece.key
        self._ended(piece, result)
        self.look()

    def look(self) -> None:
        """Let the watcher look."""
        self._watcher(self._whole + sum(self._parts.values()), self._last)

    def ready(self) -> Iterator[tuple[Piece, Json]]:
        """What comes next in order and is done."""
        while self._handed in self._waiting:
            piece, result = self._waiting[self._handed]
            if result is None:
                return
            del self._waiting[self._handed]
            self._handed += 1
            yield piece, result

    @property
    def ahead(self) -> int:
        """How many pieces were taken and not handed on."""
        return len(self._waiting)


def _alone(
    task: Task, board: _Board, begun: tuple[int, Piece] | None = None
) -> Generator[tuple[Piece, Json]]:
    """The work in this process; ``begun`` is a piece that was taken already."""
    work: Work | None = None
    while (taken := begun or board.take()) is not None:
        board.look()  # at first, at what was done before
        yield from board.ready()
        begun = None
        number, piece = taken
        work = work or task.begin()
        board.done(number, work(piece.item, lambda share, number=number: board.tell(number, share)))  # type: ignore[misc]
        yield from board.ready()
    yield from board.ready()


class _Helper:
    """A process and the pieces that it has, the one it is at first."""

    def __init__(self, task: Task) -> None:
        self.connection, theirs = Pipe()
        self.process = start_helper("work", _serve, task, theirs)
        self.has: deque[tuple[int, Piece]] = deque()
        theirs.close()

    def give(self, taken: tuple[int, Piece]) -> None:
        """Hand it a piece."""
        self.has.append(taken)
        try:
            self.connection.send(taken[1].item)
        except ConnectionError:
            pass  # one that has ended is noticed when it is listened to
        except OSError as error:
            raise JobError(f"a process can't be given {taken[1].key}: {error.strerror}") from error

    def hear(self) -> Json | float:
        """Its next word."""
        try:
            word = self.connection.recv()
        except (EOFError, OSError):
            self.process.join(1.0)
            at = f" at {self.has[0][1].key}" if self.has else ""
            raise JobError(f"a process ended{at} (exit code {self.process.exitcode})") from None
        except MemoryError:
            raise
        except Exception as error:  # whatever bytes that nobody has packed come to
            raise JobError(f"a process sent what can't be read ({one_line(str(error))})") from None
        if isinstance(word, BaseException):
            raise word
        return word  # type: ignore[no-any-return]


def _shared(task: Task, board: _Board, jobs: int) -> Generator[tuple[Piece, Json]]:
    helpers: list[_Helper] = []
    try:
        while True:
            more = True
            while more and board.ahead < AHEAD * jobs:
                helper = min(helpers, key=lambda helper: len(helper.has), default=None)
                full = len(helpers) >= jobs
                if helper is not None and full and len(helper.has) >= IN_HAND:
                    break
                taken = board.take()
                more = taken is not None
                if taken is not None:
                    if helper is None or (helper.has and not full):
                        try:
                            helper = _Helper(task)
                        except OSError:  # no more processes or open files are to be had
                            if helper is None:
                                yield from _alone(task, board, taken)
                                return
                            jobs = len(helpers)
                        else:
                            helpers.append(helper)
                    helper.give(taken)
                yield from board.ready()
            yield from board.ready()
            busy = {helper.connection: helper for helper in helpers if helper.has}
            if not busy:
                return
            board.look()
            for connection in wait(list(busy), LISTEN):
                _listen(busy[connection], board)  # type: ignore[index]
    finally:
        for helper in helpers:
            helper.connection.close()
        end_helpers((helper.process for helper in helpers), PATIENCE)


def _listen(helper: _Helper, board: _Board) -> None:
    word = helper.hear()
    if isinstance(word, float):
        board.tell(helper.has[0][0], word)
    else:
        board.done(helper.has.popleft()[0], word)


def _serve(task: Task, connection: Connection) -> None:
    """What a helping process does: pieces come in, shares and results go out."""
    said = time.monotonic()

    def tell(share: float) -> None:
        nonlocal said
        if time.monotonic() - said >= TELL_EVERY:
            said = time.monotonic()
            connection.send(float(share))

    with suppress(EOFError, OSError):  # those of the connection
        try:
            work = task.begin()
        except Exception as error:
            connection.send(_portable(error))
            return
        while True:
            item = connection.recv()
            try:
                result = work(item, tell)
            except Exception as error:
                connection.send(_portable(error))
                return
            connection.send(result)


def _portable(error: Exception) -> Exception:
    """An error that can be sent, of one line; one that is not ours is named, for its text may not say."""
    if isinstance(error, OSError) and error.strerror:
        return JobError(f"{error.filename}: {error.strerror}" if error.filename else error.strerror)
    if isinstance(error, MemoryError):
        return MemoryError()
    if isinstance(error, ImportError):
        return ImportError(one_line(str(error)))
    if re.match(OURS, type(error).__module__):
        return JobError(str(error))
    return JobError(f"{type(error).__name__}: {error}")
