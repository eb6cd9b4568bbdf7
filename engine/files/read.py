"""Text files that a user names, read whole: with a bound, and from a pipe as long as something comes."""

from __future__ import annotations

import os
import selectors
import stat
from os import PathLike, fspath

MOST = 1 << 30  # bytes
PATIENCE = 30.0  # seconds for the next byte of a pipe
PIECE = 1 << 20

# poll takes descriptors of any number, which select does not, and none of its own; Windows has select only
_Selector = getattr(selectors, "PollSelector", selectors.DefaultSelector)
_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)


class ReadError(Exception):
    """A file that can't be read: one line that names it and says why."""


def read_text(path: str | PathLike[str], *, lossy: bool = False, pipes: bool = True) -> str:
    """The text of a UTF-8 file, its byte order mark left out and its line ends ``\\n``.

    ``lossy`` takes a sign for every byte that is none, else it is refused; ``pipes`` takes a pipe for a
    file (``--spawns <(zcat …)``). Raises ReadError, also for devices and for more than MOST bytes.
    """
    data = read_bytes(path, pipes=pipes)
    try:
        text = data.decode("utf-8-sig", errors="replace" if lossy else "strict")
    except UnicodeDecodeError as error:
        reason = f"can't be read (byte 0x{data[error.start]:02X} at offset {error.start} is not UTF-8)"
        raise ReadError(f"{fspath(path)}: {reason}") from None
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def read_bytes(path: str | PathLike[str], *, pipes: bool = True) -> bytes:
    """The bytes of a file; as ``read_text``."""
    name = fspath(path)
    try:
        refusal = _refusal(
            os.stat(name).st_mode, pipes=pipes
        )  # before it is opened: that can wait, or do harm
        if not refusal:
            fd = os.open(name, _FLAGS)
            try:
                return _all_of(fd, name)
            finally:
                os.close(fd)
    except FileNotFoundError:
        refusal = "there is no such file"
    except OSError as error:
        refusal = f"can't be read ({error.strerror or error})"
    raise ReadError(f"{name}: {refusal}")


def readable(fd: int, seconds: float) -> bool:
    """Whether a descriptor, of any number, has something to read or has ended within so long."""
    with _Selector() as selector:
        selector.register(fd, selectors.EVENT_READ)
        return bool(selector.select(seconds))


def _refusal(mode: int, *, pipes: bool) -> str:
    if stat.S_ISREG(mode) or (pipes and stat.S_ISFIFO(mode)):
        return ""
    if stat.S_ISDIR(mode):
        return "can't be read (it is a folder)"
    return f"can't be read (it is a {'pipe' if stat.S_ISFIFO(mode) else 'device'}, not a file)"


def _all_of(fd: int, name: str) -> bytes:
    is_pipe = stat.S_ISFIFO(os.fstat(fd).st_mode)
    parts: list[bytes] = []
    size = 0
    while True:
        if is_pipe and not readable(fd, PATIENCE):
            raise ReadError(f"{name}: nothing came through this pipe for {PATIENCE:g} seconds")
        try:
            part = os.read(fd, PIECE)
        except BlockingIOError:
            continue
        if not part:
            return b"".join(parts)
        parts.append(part)
        size += len(part)
        if size > MOST:
            raise ReadError(f"{name}: holds more than the {MOST >> 20} MB that are read of a file")
