"""What reaches the terminal: messages in one line each, and no control characters from names or data."""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from io import BufferedWriter, RawIOBase, TextIOWrapper
from typing import Any, TextIO

from engine.files.shown import harmless, one_line
from engine.files.unhurried import Unhurried
from engine.files.write import moved_apart, write_nowhere

OUTPUT = "standard output"
NEWLINE = "\n" if sys.platform != "win32" else None  # as Python's own

WRITTEN_OUT = "backslashreplace"
STDERR = 2
DUMB = (None, "", "dumb", "unknown")
AT_ONCE, AT_LAST = 0.05, 1.0  # seconds: hardly any are needed where somebody reads
WIDTH = 78  # of a line that is written over, where there is room


def say(text: object) -> None:
    """A message on stderr: one line, however it is worded; nothing where nobody can be told."""
    with suppress(OSError):
        print(f"holtwalk: {one_line(str(text))}", file=sys.stderr, flush=True)


def print_if_read(text: str) -> None:
    """A line on stdout beside what a window shows; where it can't be written the window goes on without."""
    try:
        print(text, flush=True)
    except OSError:
        reader_has_gone()


def reader_has_gone() -> None:
    """Let what is still to be printed vanish: who read it has gone, or there is no room for it."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            write_nowhere(stream.fileno())


def is_terminal() -> bool:
    """Whether messages go to a terminal where a line can be written over, which a dumb one can't."""
    stream = sys.stderr.stream if isinstance(sys.stderr, _Harmless) else sys.stderr
    return stream is not None and stream.isatty() and (os.name == "nt" or os.environ.get("TERM") not in DUMB)


def last_heard() -> float:
    """When something was last written for somebody to see, by the monotonic clock.

    That is to stderr, or to a stdout that is a terminal.
    """
    heard = sys.stderr.written if isinstance(sys.stderr, _Harmless) else 0.0
    if isinstance(sys.stdout, _Harmless) and sys.stdout.isatty():
        return max(heard, sys.stdout.written)
    return heard


def say_over(text: str) -> None:
    """A message in place of the one before it, on a terminal; an empty one clears the line there."""
    stream = sys.stderr.stream if isinstance(sys.stderr, _Harmless) else sys.stderr
    if stream is not None and (text or is_terminal()):
        if isinstance(sys.stderr, _Harmless):
            sys.stderr.written = time.monotonic()
        with suppress(OSError):
            stream.write(f"\r\x1b[K{one_line(text)[: _room()]}" if text else "\r\x1b[K")
            stream.flush()


def _room() -> int:
    """How many letters a line that is written over may have: a second row would stay behind."""
    columns = 0
    with suppress(OSError):
        columns = os.get_terminal_size(STDERR).columns
    return min(WIDTH, columns - 1) if columns > 1 else WIDTH


def say_beside(text: str) -> None:
    """A message as ``say`` has it, of a thread beside the one that works, in place of what is written over.

    Written past the stream's buffer: where nobody reads, the one that works would wait for the lock of that,
    and Python hears no interrupt meanwhile.
    """
    place = _innermost(sys.stderr)
    stream = None if place is None else place.stream
    fd = -1
    with suppress(OSError):
        fd = -1 if stream is None else stream.fileno()
    if stream is None or fd < 0:
        say(text)  # nobody has to wait there
        return
    clear = "\r\x1b[K" if is_terminal() else ""
    rest = f"{clear}holtwalk: {harmless(one_line(text))}\n".encode(stream.encoding, WRITTEN_OUT)
    if isinstance(sys.stderr, _Harmless):
        sys.stderr.written = time.monotonic()
    with suppress(OSError):
        while rest:
            rest = rest[os.write(fd, rest) :]


@contextmanager
def harmless_output() -> Iterator[None]:
    """Keep control characters, but for line ends and tabs, out of all that is printed meanwhile."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # names in files may hold what the terminal has no letter for
            stream.reconfigure(encoding=_able(stream.encoding), errors=WRITTEN_OUT)
    with (
        _taken_whole(sys.stdout) as stdout,
        redirect_stdout(_Harmless(stdout, OUTPUT)),
        redirect_stderr(_Harmless(sys.stderr, "")),
    ):
        yield


def _able(encoding: str) -> str:
    """A stream's encoding, or UTF-8 where that can't be written with (PYTHONIOENCODING may name any)."""
    try:
        "a".encode(encoding, WRITTEN_OUT)
    except UnicodeError:
        return "utf-8"
    return encoding


@contextmanager
def _taken_whole(stream: TextIO | None) -> Iterator[TextIO | None]:
    """A stream that nothing is lost of, line by line, where Python was asked for one without a buffer.

    There it doesn't look at how much of a text the system took (PYTHONUNBUFFERED, -u).
    """
    if not isinstance(stream, TextIOWrapper) or not isinstance(stream.buffer, RawIOBase):
        yield stream
        return
    whole = TextIOWrapper(
        BufferedWriter(stream.buffer), stream.encoding, stream.errors, newline=NEWLINE, line_buffering=True
    )
    try:
        yield whole
    finally:
        with suppress(OSError):
            whole.detach().detach()  # else they would close it when they go


def hush_strangers() -> None:
    """Let what libraries write to stderr by themselves vanish from now on, but nothing that is said here.

    Not with --verbose, nor where Python is to tell there what it was doing when it crashed.
    """
    place = sys.stderr
    if not isinstance(place, _Harmless) or "--verbose" in sys.argv or _tells_of_crashes():
        return
    stream: Any = place.stream
    while isinstance(stream, _Harmless):
        place, stream = stream, stream.stream
    if not isinstance(stream, TextIOWrapper) or stream is not sys.__stderr__ or stream.fileno() != STDERR:
        return  # it was done, or somebody else looks after it
    with suppress(OSError):
        place.stream = moved_apart(stream)


def _tells_of_crashes() -> bool:
    faulthandler = sys.modules.get("faulthandler")
    return faulthandler is not None and faulthandler.is_enabled()


@contextmanager
def nobody_waits() -> Iterator[None]:
    """Meanwhile, go on where nobody reads what is printed: a window would stand still with its terminal.

    At the end that is waited for, but not for long where an error or an interrupt ends it.
    """
    places = [place for place in map(_innermost, (sys.stdout, sys.stderr)) if place is not None]
    begun = [place for place in places if place.begin_unhurried()]
    seconds: float | None = AT_LAST
    try:
        yield
        if not all(place.is_read_within(AT_LAST) for place in begun):
            say("what was printed waits to be read; Ctrl+C leaves it out")
        seconds = None
    finally:
        for place in begun:
            place.end_unhurried(seconds)


def _innermost(place: Any) -> _Harmless | None:
    """The one that writes to Python's own stream."""
    while isinstance(place, _Harmless):
        inner: Any = place.stream
        if not isinstance(inner, _Harmless):
            return place
        place = inner
    return None


@contextmanager
def heard(hear: Callable[[str], object]) -> Iterator[None]:
    """Let somebody hear what is written to stderr meanwhile, as it is written."""
    with redirect_stderr(_Heard(sys.stderr, hear)):
        yield


class _Harmless:
    """A stream of text as another one, its control characters written out, its errors named ``name``.

    Where there is no stream, as in a program without a console, nothing is written.
    """

    def __init__(self, stream: TextIO | None, name: str) -> None:
        self.stream = stream
        self.written = 0.0
        """When something was last written, by the monotonic clock."""
        self._name = name
        self._unhurried: Unhurried | None = None
        self._is_read = True

    def begin_unhurried(self) -> bool:
        """Have a thread write from now on, to what may let it wait; whether it does."""
        if isinstance(self.stream, TextIOWrapper) and sys.platform != "win32":  # there line ends are others
            with suppress(OSError, RuntimeError):  # as where no more threads are to be had
                self.stream.flush()
                if not stat.S_ISREG(os.fstat(self.stream.fileno()).st_mode):
                    self._unhurried = Unhurried(self.stream.fileno())
        return self._unhurried is not None

    def is_read_within(self, seconds: float | None) -> bool:
        """Whether all that was given to a thread to write is written, at last after so many seconds."""
        with suppress(OSError):  # who read it has gone
            return self._unhurried is None or self._unhurried.is_read_within(seconds)
        return True

    def end_unhurried(self, seconds: float | None) -> None:
        """Write as ever from now on, once all is written or, if any are given, so many seconds have gone."""
        try:
            self.is_read_within(seconds)
        finally:
            if self._unhurried is not None:
                self._unhurried.end()
            self._unhurried = None

    def write(self, text: str) -> int:
        self.written = time.monotonic()
        if self.stream is not None:
            try:
                if self._unhurried is not None:
                    self._unhurried.write(harmless(text).encode(self.stream.encoding or "utf-8", WRITTEN_OUT))
                else:
                    self.stream.write(harmless(text))
            except BrokenPipeError:
                raise
            except OSError as error:
                raise OSError(error.errno, error.strerror, self._name or None) from error
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        if self.stream is not None:
            try:
                if self._unhurried is not None:  # somebody may end the process as soon as it is said why
                    self._is_read = self._unhurried.is_read_within(AT_ONCE if self._is_read else 0.0)
                self.stream.flush()
            except BrokenPipeError:
                raise
            except OSError as error:
                raise OSError(error.errno, error.strerror, self._name or None) from error

    def isatty(self) -> bool:
        return self.stream is not None and self.stream.isatty()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


class _Heard(_Harmless):
    """A stream of text as another one, which somebody hears, too."""

    def __init__(self, stream: TextIO | None, hear: Callable[[str], object]) -> None:
        super().__init__(stream, "")
        self._hear = hear

    def write(self, text: str) -> int:
        self._hear(harmless(text))
        return super().write(text)
