"""Text files that a user names, whole or by line: bounded, and from a pipe as long as something comes."""

from __future__ import annotations

import codecs
import io
import os
import selectors
import stat
import time
from collections.abc import Iterator
from os import PathLike, fspath
from typing import Protocol

from engine.files.file_places import handed_on, open_already

MOST = 1 << 30  # bytes
PATIENCE = 30.0  # seconds for the next byte of a pipe
MOMENT = 0.01  # seconds between two tries where nothing tells when there is something
PIECE = 1 << 20
MARK = 8  # letters that tell what is packed
LONGEST_LINE = 1 << 24  # characters of a line of those that are read one by one; none comes near it

_MARKS = (  # the longer first: one begins as another does
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

_PACKED = (
    (b"\x1f\x8b\x08", "gzip"),
    (b"PK\x03\x04", "zip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"(\xb5/\xfd", "zstd"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
)  # fmt: skip

# poll takes descriptors of any number, which select does not, and none of its own; Windows has select only
_Selector = getattr(selectors, "PollSelector", selectors.DefaultSelector)
_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)


class ReadError(Exception):
    """A file that can't be read: one line that names it and says why."""


def read_text(path: str | PathLike[str], *, lossy: bool = False, pipes: bool = True) -> str:
    """The text of a file, its byte order mark left out and its line ends ``\\n``.

    It is UTF-8, or what its mark says: Windows' shells write UTF-16. ``lossy`` takes a sign for every byte
    that is none, else it is refused; ``pipes`` takes a pipe for a file (``--spawns <(zcat …)``).
    Raises ReadError, also for devices, for what is packed and for more than MOST bytes.
    """
    data = read_bytes(path, pipes=pipes)
    _refuse_packed(fspath(path), data)
    coding = next((coding for mark, coding in _MARKS if data.startswith(mark)), "utf-8-sig")
    try:
        text = data.decode(coding, errors="replace" if lossy else "strict")
    except UnicodeDecodeError as error:
        called = coding.removesuffix("-sig").upper()
        reason = f"can't be read (byte 0x{data[error.start]:02X} at offset {error.start} is not {called})"
        raise ReadError(f"{fspath(path)}: {reason}") from None
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def read_bytes(path: str | PathLike[str], *, pipes: bool = True) -> bytes:
    """The bytes of a file; as ``read_text``."""
    name = fspath(path)
    fd = _opened(name, pipes=pipes)
    try:
        return _all_of(fd, name)
    except OSError as error:
        raise ReadError(f"{name}: can't be read ({error.strerror or error})") from None
    finally:
        os.close(fd)


def _refuse_packed(name: str, data: bytes) -> None:
    """Raise ReadError for what begins as packed files do."""
    for mark, by in _PACKED:
        if data.startswith(mark):
            raise ReadError(f"{name}: is packed by {by}; unpack it first")


class TextLines:
    """The lines of a UTF-8 file one after the other, without their ends; no more than one is held.

    A line that is no text, or longer than LONGEST_LINE, comes as the ReadError that says so. A pipe is read
    as by ``read_text``. Raises ReadError when it is made, and where reading fails on the way.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.name = fspath(path)
        self._raw = _Raw(_opened(self.name, pipes=True), self.name)
        self._file = io.TextIOWrapper(
            io.BufferedReader(self._raw, PIECE), encoding="utf-8-sig", errors="surrogateescape"
        )

    @property
    def share(self) -> float:
        """How much of the file was read, from 0 to 1; 0 for a pipe."""
        return min(1.0, self._raw.came / self._raw.size) if self._raw.size else 0.0

    def __iter__(self) -> Iterator[str | ReadError]:
        with self._file:
            number = 0
            while line := self._line():
                number += 1
                if number == 1:
                    _refuse_packed(self.name, line[:MARK].encode(errors="surrogateescape"))
                yield self._judged(line, number)

    def _line(self) -> str:
        try:
            return self._file.readline(LONGEST_LINE + 1)
        except OSError as error:
            raise ReadError(f"{self.name}: can't be read ({error.strerror or error})") from None

    def _judged(self, line: str, number: int) -> str | ReadError:
        is_long = len(line) > LONGEST_LINE and not line.endswith("\n")
        size = len(line)
        while is_long and (rest := self._line()) and not rest.endswith("\n"):
            size += len(rest)
            if size > MOST:  # no file of lines
                raise ReadError(f"{self.name}: line {number}: is longer than {MOST >> 20} MB")
        if is_long:
            return ReadError(f"{self.name}: line {number}: is longer than {LONGEST_LINE >> 20} MB")
        try:
            line.encode()
        except UnicodeEncodeError as error:
            byte = ord(line[error.start]) & 0xFF
            where = f"byte 0x{byte:02X} after {error.start} characters"
            return ReadError(f"{self.name}: line {number}: can't be read ({where} is not UTF-8)")
        return line.removesuffix("\n")


class _Raw(io.RawIOBase):
    """A descriptor as a stream, which waits for a pipe no longer than it has patience for."""

    def __init__(self, fd: int, name: str) -> None:
        self._fd, self._name = fd, name
        about = os.fstat(fd)
        self.size, self._is_pipe = about.st_size, stat.S_ISFIFO(about.st_mode)
        self.came = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: _Room) -> int:  # type: ignore[override]
        part = _next_of(self._fd, self._name, len(buffer), is_pipe=self._is_pipe)
        buffer[: len(part)] = part
        self.came += len(part)
        return len(part)

    def close(self) -> None:
        if not self.closed:
            os.close(self._fd)
        super().close()


class _Room(Protocol):
    """What a stream wants filled."""

    def __len__(self) -> int: ...
    def __setitem__(self, where: slice, data: bytes, /) -> None: ...


def readable(fd: int, seconds: float) -> bool:
    """Whether a descriptor, of any number, has something to read or has ended within so long.

    Who was stopped meanwhile (Ctrl+Z) has not waited: of that time no more than a second counts.
    """
    with _Selector() as selector:
        selector.register(fd, selectors.EVENT_READ)
        while seconds > 0.0:
            if selector.select(min(seconds, 1.0)):
                return True
            seconds -= 1.0
        return bool(selector.select(0))


def _refusal(mode: int, *, pipes: bool) -> str:
    if stat.S_ISREG(mode) or (pipes and stat.S_ISFIFO(mode)):
        return ""
    if stat.S_ISDIR(mode):
        return "can't be read (it is a folder)"
    return f"can't be read (it is a {'pipe' if stat.S_ISFIFO(mode) else 'device'}, not a file)"


def _opened(name: str, *, pipes: bool) -> int:
    """A descriptor of a file that may be read."""
    try:
        mode = os.stat(name).st_mode
        refusal = _refusal(mode, pipes=pipes)  # before it is opened: that can wait, or do harm
        if stat.S_ISFIFO(mode) and (given := open_already(name)) is not None:
            handed_on(given)  # else it is one of our own, that nothing comes through
        if not refusal:
            return os.open(name, _FLAGS)
    except (FileNotFoundError, ValueError):  # a name out of a file may have signs that no file's has
        refusal = "there is no such file"
    except OSError as error:
        refusal = f"can't be read ({error.strerror or error})"
    raise ReadError(f"{name}: {refusal}")


def _all_of(fd: int, name: str) -> bytes:
    about = os.fstat(fd)
    is_pipe = stat.S_ISFIFO(about.st_mode)
    parts: list[bytes] = []
    size, known = 0, about.st_size
    while known <= MOST and (part := _next_of(fd, name, PIECE, is_pipe=is_pipe)):
        parts.append(part)
        size += len(part)
        known = max(known, size)
    if known > MOST:
        raise ReadError(f"{name}: holds more than the {MOST >> 20} MB that are read of a file")
    return b"".join(parts)


def _next_of(fd: int, name: str, most: int, *, is_pipe: bool) -> bytes:
    """The next bytes of a descriptor, empty at its end."""
    since = time.monotonic()
    while True:
        if is_pipe and not readable(fd, PATIENCE):
            raise ReadError(f"{name}: nothing came through this pipe for {PATIENCE:g} seconds")
        try:
            return os.read(fd, most)
        except BlockingIOError:  # also of what calls itself a file, as the system's log does
            if time.monotonic() - since > PATIENCE:
                raise ReadError(f"{name}: nothing came out of it for {PATIENCE:g} seconds") from None
            time.sleep(MOMENT)
