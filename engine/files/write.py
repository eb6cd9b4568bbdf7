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
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from os import PathLike, fspath
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from engine.files.drafts import clear_left_in, draft_in, hold
from engine.files.ended_in_order import ended_in_order
from engine.files.file_places import OPEN_FILES, open_already, status_of, sync_folder, take_after

StrPath = str | PathLike[str]

# Windows would change line ends and has no such flags otherwise.
_BINARY = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_NONBLOCK = getattr(os, "O_NONBLOCK", 0)
_UNNAMED = getattr(os, "O_TMPFILE", 0)

LOSS = "was removed or replaced while it was written: its lines are gone"


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
def whole_file(path: StrPath) -> Iterator[BinaryIO]:
    """A file to be written piece by piece; it takes its place when the block ends without an error."""
    with _draft(path) as draft:
        with draft.opened() as file:
            yield file
        draft.put()


@contextmanager
def whole_folder(path: StrPath) -> Iterator[Path]:
    """A new folder of that name to be filled elsewhere, its place's folders made where there are none.

    It takes its place when the block ends without an error; else nothing is left of it.
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
                os.rename(draft, place)
        except OSError as error:
            name = fspath(error.filename or place)
            for ours in (draft, aside):
                name = name.replace(fspath(ours), fspath(place))
            raise OSError(error.errno or errno.EIO, error.strerror or str(error), name) from error
        finally:
            shutil.rmtree(aside, ignore_errors=True)


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Let nobody else clear a folder away meanwhile."""
    if os.name == "nt":
        yield  # it opens no folders
        return
    fd = os.open(folder, os.O_RDONLY | _BINARY)
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
    ``keep`` bytes of the older file are kept and the lines follow them, in place. ``on_end`` is told, once
    and in one line, that it ends early: lines after that go nowhere. Without it that is an OSError. So it is
    told at the end where another file has taken the place of this one.
    """

    def __init__(
        self, path: StrPath, keep: int = 0, *, on_end: Callable[[str], object] | None = None
    ) -> None:
        self._draft = _Draft(path, keep)
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
                self._draft.write(line.encode("utf-8", errors="backslashreplace") + b"\n")
                if not self._lines:
                    with ended_in_order():
                        self._draft.put(go_on=True)
                self._lines += 1

    def close(self) -> None:
        """End the file as it is."""
        try:
            if not self._lines and not self._has_ended:
                with self._ending(), ended_in_order():
                    self._draft.put()
            elif self._on_end is not None and self._draft.is_lost:
                self._on_end(f"{self._draft.path}: {LOSS}")
        finally:
            self._draft.discard()

    def end(self) -> None:
        """Close it; OSError where it is in its place no more and nobody is told of that otherwise."""
        is_lost = self._on_end is None and self._draft.is_lost
        self.close()
        if is_lost:
            raise OSError(errno.ENOENT, LOSS, self._draft.path)

    @contextmanager
    def _ending(self) -> Iterator[None]:
        """Let an error end the file, for whoever wants to be told of it."""
        try:
            yield
        except OSError as error:
            if self._on_end is None:
                raise
            self._has_ended = True
            self._on_end(f"{error.filename}: {error.strerror}; its lines end with number {self._lines}")

    def abandon(self) -> None:
        """End the file by an error: without a line it was never there."""
        self._draft.discard()


@contextmanager
def _draft(path: StrPath) -> Iterator[_Draft]:
    """A file to be written within the block; what has not been put in its place by its end is gone."""
    with ended_in_order():
        draft = _Draft(path)
        try:
            yield draft
        finally:
            draft.discard()


class _Draft:
    """A file that is being written, under a name of its own until it is put in its place."""

    def __init__(self, path: StrPath, keep: int = 0) -> None:
        self.path = fspath(path)
        self._place = self.path
        self._temporary = ""
        self._is_unnamed = False
        self._fd = -1
        self._size = keep
        self._keeps = self._put = keep > 0
        with self._naming():
            if keep:
                self._go_on_behind(keep)
            else:
                self._begin()

    def hold(self) -> None:
        """Let whoever looks (``is_held``) know that the file is being written, as long as it is."""
        if self._temporary or self._keeps:
            hold(self._fd)

    @property
    def is_lost(self) -> bool:
        """Whether the file was in its place, and another is there now, or none."""
        if self._temporary or self._fd < 0 or not self._put:
            return False
        try:
            return not os.path.samestat(os.fstat(self._fd), os.stat(self._place))
        except OSError:
            return True

    def write(self, data: bytes) -> None:
        """Add bytes, all of them or none."""
        with self._naming():
            try:
                rest = memoryview(data)
                while rest:
                    rest = rest[os.write(self._fd, rest) :]
            except OSError:
                with suppress(OSError):  # a pipe can take nothing back
                    os.ftruncate(self._fd, self._size)
                    os.lseek(self._fd, self._size, os.SEEK_SET)
                raise
        self._size += len(data)

    @contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        """The file as one to write and seek in."""
        with self._naming(), os.fdopen(os.dup(self._fd), "wb") as file:
            yield file

    def lengthen(self, zeros: int) -> None:
        """Add zeros, which take no room on the disk where its files can be sparse."""
        if zeros:
            with self._naming():
                self._size += zeros
                os.ftruncate(self._fd, self._size)

    def put(self, *, go_on: bool = False, over: bool = True) -> None:
        """Put the file in its place, ``over`` what is there; where it is to ``go_on``, more is written."""
        if not self._temporary:
            return
        with self._naming():
            os.fsync(self._fd)
            if self._is_unnamed:
                opened = f"{OPEN_FILES}/{self._fd}"
                self._is_unnamed = False  # before: whatever ends this takes the name away
                # The path is whole; a descriptor beside it makes this linkat, which alone follows the link.
                os.link(opened, self._temporary, src_dir_fd=self._fd, follow_symlinks=True)
            if os.name == "nt":
                self._close()  # it renames no open file
            if over:
                os.replace(self._temporary, self._place)
            else:
                _place_where_none_is(self._temporary, self._place)
            self._temporary, self._put = "", True
            sync_folder(os.path.dirname(self._place))
            if go_on and self._fd < 0:
                self._fd = os.open(self._place, os.O_WRONLY | os.O_APPEND | _BINARY)
            elif not go_on:
                self._close()

    def discard(self) -> None:
        """Close the file; what has not been put in its place is gone."""
        with suppress(OSError):
            self._close()
        if self._temporary and not self._is_unnamed:
            with suppress(OSError):
                os.unlink(self._temporary)
        self._temporary = ""

    def _begin(self) -> None:
        given = open_already(self.path)
        if given is not None:
            self._fd = os.dup(given)
            with suppress(OSError):  # a pipe has no end
                self._size = os.lseek(self._fd, 0, os.SEEK_END)
            return
        found = status_of(self.path)
        if found is not None and stat.S_ISDIR(found.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if found is not None and not stat.S_ISREG(found.st_mode):
            # So that a pipe that nobody reads fails at once.
            self._fd = os.open(self.path, os.O_WRONLY | _NONBLOCK | _BINARY)
            if _NONBLOCK:
                os.set_blocking(self._fd, True)
            return
        self._place = os.path.realpath(self.path)
        if found is not None and not os.access(self._place, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        folder = os.path.dirname(self._place)
        temporary = draft_in(folder)
        self._fd = _open_unnamed(folder)
        self._is_unnamed = self._fd >= 0
        if not self._is_unnamed:
            self._temporary = temporary  # before: whatever ends this takes it away
            self._fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o666)
            hold(self._fd)
        self._temporary = temporary
        if found is not None:
            take_after(temporary if os.name == "nt" else self._fd, found)

    def _go_on_behind(self, keep: int) -> None:
        """Open the file itself, cut after so many bytes."""
        self._fd = os.open(self.path, os.O_WRONLY | _BINARY)
        os.ftruncate(self._fd, keep)
        os.lseek(self._fd, keep, os.SEEK_SET)

    def _close(self) -> None:
        if self._fd >= 0:
            fd, self._fd = self._fd, -1
            os.close(fd)

    @contextmanager
    def _naming(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self.discard()
            raise OSError(error.errno or errno.EIO, error.strerror or str(error), self.path) from error
        except BaseException:  # an interrupt, or a request to end
            self.discard()
            raise


def _place_where_none_is(file: str, place: str) -> None:
    """Give a file its name, unless there is one of that name."""
    if os.name == "nt":
        os.rename(file, place)  # there it takes nothing's place
        return
    try:
        os.link(file, place)
    except FileExistsError:
        raise
    except OSError:  # not every file system has links
        if os.path.lexists(place):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        os.replace(file, place)
    else:
        os.unlink(file)


def _open_unnamed(folder: str) -> int:
    """A new file of a folder that has no name yet; -1 where the system knows no such files."""
    if not _UNNAMED:
        return -1
    try:
        fd = os.open(folder, os.O_WRONLY | _UNNAMED | _BINARY, 0o666)
    except OSError:  # whoever makes one with a name says what is wrong
        return -1
    if os.path.exists(f"{OPEN_FILES}/{fd}"):  # by which it gets its name
        return fd
    os.close(fd)
    return -1
