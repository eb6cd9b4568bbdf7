"""A file that is being written, beside its place until it is whole and put there."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import PathLike, fspath
from typing import BinaryIO

from engine.files.drafts import draft_in, hold
from engine.files.file_places import (
    OPEN_FILES,
    handed_on,
    open_already,
    status_of,
    sync_folder,
    take_after,
)
from engine.files.unhurried import Unhurried

StrPath = str | PathLike[str]

# Windows would change line ends and has no such flags otherwise.
BINARY = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
NOTHING_TO_KEEP = (errno.EINVAL, errno.ENOTSUP, errno.EROFS)  # what a pipe or device says to it
_NONBLOCK = getattr(os, "O_NONBLOCK", 0)
_UNNAMED = getattr(os, "O_TMPFILE", 0)


class DraftFile:
    """A file that is being written, under a name of its own until it is put in its place.

    One of which ``keep`` of its ``size`` bytes are kept is written in place, but not while another writes it.
    Whether it ``waits`` for who reads it counts for pipes, terminals and devices.
    """

    def __init__(self, path: StrPath, keep: int = 0, size: int = 0, *, waits: bool = True) -> None:
        self.path = fspath(path)
        self._place = self.path
        self._temporary = ""
        self._is_unnamed = False
        self._is_shared = False  # a file that somebody else opened, and others may write, too
        self._fd = -1
        self._unhurried: Unhurried | None = None
        self._size = keep
        self._put = keep > 0
        self._which: os.stat_result | None = None  # what was put where nothing was
        with self._naming():
            if keep:
                self._go_on_behind(keep, size)
            else:
                self._begin()
            if not waits and not stat.S_ISREG(os.fstat(self._fd).st_mode):
                with suppress(RuntimeError):  # no more threads are to be had
                    self._unhurried = Unhurried(self._fd)

    def hold(self) -> None:
        """Let whoever looks (``is_held``) know that the file is being written, as long as it is."""
        if self._temporary:
            hold(self._fd)

    @property
    def is_lost(self) -> bool:
        """Whether the file was in its place, and another is there now, or none, or somebody changed it."""
        if self._temporary or self._fd < 0 or not self._put:
            return self.is_changed
        try:
            return self.is_changed or not os.path.samestat(os.fstat(self._fd), os.stat(self._place))
        except OSError:
            return True

    @property
    def is_changed(self) -> bool:
        """Whether the file, in its place, is of another length than what was written: cut, or added to."""
        if self._fd < 0 or not (self._put or self._is_shared):
            return False
        try:
            size = os.fstat(self._fd).st_size
        except OSError:  # as of one that was removed on its server
            return True
        return size < self._size if self._is_shared else size != self._size

    def write(self, data: bytes) -> None:
        """Add bytes, all of them or none."""
        with self._naming():
            if self._unhurried is not None:
                self._unhurried.write(data)
                return
            if self._is_shared:
                self._size = os.fstat(self._fd).st_size
            rest = memoryview(data)
            try:
                while rest:
                    rest = rest[os.write(self._fd, rest) :]
            except OSError:
                with suppress(OSError):  # a pipe can take nothing back
                    self._take_back(len(data) - len(rest))
                raise
        self._size += len(data)

    def _take_back(self, written: int) -> None:
        """Cut what was written of a line, where nobody has written after it."""
        if self._is_shared and os.fstat(self._fd).st_size != self._size + written:
            return
        os.ftruncate(self._fd, self._size)
        os.lseek(self._fd, self._size, os.SEEK_SET)

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
                which = os.stat(self._temporary)
                _place_where_none_is(self._temporary, self._place)
                self._which = which
            self._temporary, self._put = "", True
            sync_folder(os.path.dirname(self._place))
            if go_on and self._fd < 0:
                self._fd = os.open(self._place, os.O_WRONLY | os.O_APPEND | BINARY)
            elif go_on:
                _append_only(self._fd)
            else:
                self._close()

    def take_away(self) -> None:
        """Remove the file where it was put and nothing was, and nothing else is there since."""
        with suppress(OSError):
            if self._which is not None and os.path.samestat(self._which, os.stat(self._place)):
                os.unlink(self._place)

    @property
    def is_unhurried(self) -> bool:
        """Whether what is written may wait to be read."""
        return self._unhurried is not None

    def is_read_within(self, seconds: float | None) -> bool:
        """Whether all that a pipe or the like was given is written there, at last after so many seconds."""
        with self._naming():
            return self._unhurried is None or self._unhurried.is_read_within(seconds)

    def finish(self) -> None:
        """Close the file once all of it is on the disk: some take bytes that they have no room for."""
        if self._fd < 0:
            return
        with self._naming():
            try:
                os.fsync(self._fd)
            except OSError as error:
                if error.errno not in NOTHING_TO_KEEP:
                    raise
            self._close()

    def discard(self) -> None:
        """Close the file; what has not been put in its place is gone, and what waits to be read."""
        with suppress(OSError):
            self._close()
        if self._temporary and not self._is_unnamed:
            with suppress(OSError):
                os.unlink(self._temporary)
        self._temporary = ""

    def _begin(self) -> None:
        given = open_already(self.path)
        if given is not None:
            self._fd = os.dup(handed_on(given))
            self._is_shared = stat.S_ISREG(os.fstat(self._fd).st_mode)
            with suppress(OSError):  # a pipe has no end
                self._size = os.lseek(self._fd, 0, os.SEEK_END)
            return
        found = status_of(self.path)
        if found is not None and stat.S_ISDIR(found.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if found is not None and not stat.S_ISREG(found.st_mode):
            # So that a pipe that nobody reads fails at once.
            self._fd = os.open(self.path, os.O_WRONLY | _NONBLOCK | BINARY)
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
            self._fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, 0o666)
            hold(self._fd)
        self._temporary = temporary
        if found is not None:
            take_after(temporary if os.name == "nt" else self._fd, self._place, found)

    def _go_on_behind(self, keep: int, size: int) -> None:
        """Open the file itself, cut after so many bytes."""
        self._fd = os.open(self.path, os.O_WRONLY | os.O_APPEND | BINARY)
        if not hold(self._fd) or os.fstat(self._fd).st_size != size:  # since its bytes were read
            raise OSError(errno.EBUSY, "is being written by another holtwalk; it is left as it is")
        os.ftruncate(self._fd, keep)
        os.lseek(self._fd, keep, os.SEEK_SET)

    def _close(self) -> None:
        if self._unhurried is not None:
            self._unhurried.end()
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


def _append_only(fd: int) -> None:
    """Have a file written to at its end: at its old place in it, one that was emptied would seem whole."""
    import fcntl

    fcntl.fcntl(fd, fcntl.F_SETFL, fcntl.fcntl(fd, fcntl.F_GETFL) | os.O_APPEND)


def _place_where_none_is(file: str, place: str) -> None:
    """Give a file its name, unless there is one of that name."""
    if os.name == "nt":
        os.rename(file, place)  # there it takes nothing's place
        return
    try:
        os.link(file, place)
    except FileExistsError:
        raise
    except OSError:  # not every file system has links: the name is taken first
        os.close(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        try:
            os.replace(file, place)
        except BaseException:
            os.unlink(place)
            raise
    else:
        os.unlink(file)


def _open_unnamed(folder: str) -> int:
    """A new file of a folder that has no name yet; -1 where the system knows no such files."""
    if not _UNNAMED:
        return -1
    try:
        fd = os.open(folder, os.O_WRONLY | _UNNAMED | BINARY, 0o666)
    except OSError:  # whoever makes one with a name says what is wrong
        return -1
    if os.path.exists(f"{OPEN_FILES}/{fd}"):  # by which it gets its name
        return fd
    os.close(fd)
    return -1
