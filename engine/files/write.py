"""The one room that writes files: each is made beside its place and put there when it is whole.

A file that is there already keeps its permissions, and a link stays a link: what it leads to is written.
A device or a pipe is written to as it stands, and so is what another program opened and handed on
(``/dev/fd/3``). Until it is put in its place a file has no name where the system can do without, so that
nothing is left of a process that is killed; what needs a name is cleared away before a request to end
(SIGTERM, SIGHUP) ends this one. Every OSError names the file as the caller did.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os import fspath
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

from engine.files.draft_file import BINARY, DraftFile, StrPath
from engine.files.drafts import clear_left_in, draft_in, hold
from engine.files.ended_in_order import ended_in_order
from engine.files.file_places import note_moved

SOON = 1.0  # seconds
LOSS = "was removed, replaced or changed by another while it was written: not all of its lines are there"


def write_bytes(path: StrPath, data: bytes, zeros: int = 0) -> None:
    """Write a whole file, with so many zeros behind the data; what stood there stays where that fails."""
    with _draft(path) as draft:
        draft.write(data)
        draft.lengthen(zeros)
        draft.put()


def write_new(path: StrPath, data: bytes) -> None:
    """Write a whole file where none is; FileExistsError where one is, even if it came meanwhile."""
    with _draft(path) as draft:
        draft.write(data)
        draft.put(over=False)


def write_text(path: StrPath, text: str) -> None:
    """Write a whole file of UTF-8 text, lines ending as they do in ``text``."""
    write_bytes(path, text.encode("utf-8", errors="backslashreplace"))


@contextmanager
def whole_folder(path: StrPath) -> Iterator[Path]:
    """A new folder of that name to be filled elsewhere, its place's folders made where there are none.

    It takes its place when the block ends without an error; else nothing is left of it. FileExistsError
    where another has taken the place meanwhile.
    """
    place = Path(path)
    place.parent.mkdir(parents=True, exist_ok=True)
    clear_left_in(str(place.parent))
    aside = Path(draft_in(str(place.parent)))
    draft = aside / place.name
    with ended_in_order():
        try:
            draft.mkdir(parents=True)
            with _held(aside):
                yield draft
                _put_folder(draft, place)
        except OSError as error:
            name = fspath(error.filename or place)
            for ours in (draft, aside):
                name = name.replace(fspath(ours), fspath(place))
            raise OSError(error.errno or errno.EIO, error.strerror or str(error), name) from error
        finally:
            import shutil  # which brings two packers along, and few commands make a folder

            shutil.rmtree(aside, ignore_errors=True)


def _put_folder(draft: Path, place: Path) -> None:
    try:
        os.rename(draft, place)
    except OSError as error:
        if error.errno != errno.ENOTEMPTY:
            raise
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), place) from error


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Let nobody else clear a folder away meanwhile."""
    if os.name == "nt":
        yield  # it opens no folders
        return
    fd = os.open(folder, os.O_RDONLY | BINARY)
    try:
        hold(fd)
        yield
    finally:
        os.close(fd)


def write_nowhere(fd: int) -> None:
    """Let all that is written to a descriptor from now on vanish: who read it has gone."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, fd)
    os.close(nowhere)


def moved_apart(stream: TextIO) -> TextIO:
    """The same stream on a descriptor of its own: what goes to its old one vanishes from now on."""
    fd = stream.fileno()
    apart = os.fdopen(os.dup(fd), "w", encoding=stream.encoding, errors=stream.errors, buffering=1)
    note_moved(fd, apart.fileno())
    write_nowhere(fd)
    return apart


def fill_holes(path: StrPath) -> None:
    """Have the disk keep room for all of a file, and the file what it holds; OSError where it can't."""
    fd = os.open(path, os.O_RDWR)
    try:
        now = os.fstat(fd)
        if now.st_blocks * 512 < now.st_size:
            os.posix_fallocate(fd, 0, now.st_size)
    finally:
        os.close(fd)


def hold_standard_streams() -> None:
    """Open what is closed of stdin, stdout and stderr to nowhere, lest a file opened later be one of them."""
    for fd in range(3):
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free


class LineFile:
    """A file that grows line by line, each with the system when ``write`` returns.

    It takes its place with its first line, or with its end where it has none; until then, and for good
    where it is left by an error before, an older file stays. A line that does not fit is taken back.
    ``keep`` bytes of the older file, which had ``size`` when it was read, are kept and the lines follow them,
    in place. ``on_end`` is told, once and in one line, that it ends early: lines after that go nowhere.
    Without it that is an OSError. So it is told at the end where another file has taken its place.
    Whoever wants to be told goes on while a pipe's lines wait to be read, and waits for that at the end.
    """

    def __init__(
        self, path: StrPath, keep: int = 0, size: int = 0, *, on_end: Callable[[str], object] | None = None
    ) -> None:
        self._draft = DraftFile(path, keep, size, waits=on_end is None)
        self._draft.hold()
        self._lines = 1 if keep else 0
        self._on_end = on_end
        self._has_ended = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.abandon()

    def write(self, line: str) -> None:
        """Add a line, which holds no line end."""
        if not self._has_ended:
            with self._ending():
                if self._draft.is_changed:
                    raise OSError(errno.EIO, LOSS, self._draft.path)
                self._draft.write(line.encode("utf-8", errors="backslashreplace") + b"\n")
                if not self._lines:
                    with ended_in_order():
                        self._draft.put(go_on=True)
                self._lines += 1

    def close(self) -> None:
        """End the file as it is, once who reads a pipe has read it."""
        self._close(is_hurried=False)

    def _close(self, *, is_hurried: bool) -> None:
        try:
            if not self._lines and not self._has_ended:
                with self._ending(), ended_in_order():
                    self._draft.put()
            elif self._on_end is not None and not self._has_ended and self._draft.is_lost:
                self._on_end(f"{self._draft.path}: {LOSS}")
            if not self._has_ended:
                self._finish(is_hurried=is_hurried)
        finally:
            self._draft.discard()

    def end(self) -> None:
        """Close it; OSError where it is in its place no more and nobody is told of that otherwise."""
        is_lost = self._on_end is None and self._draft.is_lost
        self.close()
        if is_lost:
            raise OSError(errno.ENOENT, LOSS, self._draft.path)

    def _finish(self, *, is_hurried: bool) -> None:
        try:
            if self._on_end is not None and not self._draft.is_read_within(SOON):
                if is_hurried:
                    raise OSError(errno.ETIMEDOUT, "nobody reads it", self._draft.path)
                self._on_end(f"{self._draft.path}: its last lines wait to be read; Ctrl+C leaves them out")
                self._draft.is_read_within(None)
            self._draft.finish()
        except OSError as error:
            if self._on_end is None:
                raise
            self._on_end(f"{error.filename}: {error.strerror}; its last lines may be missing")

    @contextmanager
    def _ending(self) -> Iterator[None]:
        """Let an error end the file, for whoever wants to be told of it."""
        try:
            yield
        except OSError as error:
            if self._on_end is None:
                raise
            self._has_ended = True
            rest = "" if error.strerror == LOSS else f"; its lines end with number {self._lines}"
            if self._draft.is_unhurried:  # of which nobody knows which were read
                rest = "; its last lines are missing"
            self._on_end(f"{error.filename}: {error.strerror}{rest}")

    def abandon(self) -> None:
        """End the file by an error: without a line it was never there, and of those lost somebody is told.

        Nobody waits for who reads a pipe.
        """
        if self._lines and self._on_end is not None:
            self._close(is_hurried=True)
        else:
            self._draft.discard()


@contextmanager
def _draft(path: StrPath) -> Iterator[DraftFile]:
    """A file to be written within the block; what has not been put in its place by its end is gone."""
    with ended_in_order():
        draft = DraftFile(path)
        try:
            yield draft
        finally:
            draft.discard()
