"""Writing to pipes that nobody reads just now: nobody waits, and nothing is lost or swapped."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator

import pytest

from engine.files.unhurried import Unhurried
from engine.files.write import LineFile
from tests.files.handed_on import hand_on
from tests.needed import posix

pytestmark = posix("pipes that can be written to by their number")
LINES = [f"{number:05d} {'x' * 90}" for number in range(5000)]
WHOLE = "".join(f"{line}\n" for line in LINES).encode()


class Pipe:
    """Both ends of a pipe, each closed once: a number may be another file's afterwards."""

    def __init__(self) -> None:
        self.reader, self.writer = os.pipe()
        hand_on(self.writer)
        self._open = {self.reader, self.writer}

    def close(self, *ends: int) -> None:
        """Close ends, or what is open still."""
        for end in ends or tuple(self._open):
            self._open.remove(end)
            os.close(end)


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    made = Pipe()
    yield made
    made.close()


def read_all(fd: int) -> bytes:
    pieces = []
    while piece := os.read(fd, 1 << 16):
        pieces.append(piece)
    return b"".join(pieces)


@pytest.mark.parametrize("is_patient", [True, False])
def test_all_is_read_in_order_though_nobody_waited(pipe: Pipe, *, is_patient: bool) -> None:
    reader, writer = pipe.reader, pipe.writer
    os.set_blocking(writer, is_patient)
    unhurried = Unhurried(writer)
    pipe.close(writer)  # its number may be another file's from now on
    for line in LINES:
        unhurried.write(f"{line}\n".encode())
    assert not unhurried.is_read_within(0.05)
    found: list[bytes] = []
    reading = threading.Thread(target=lambda: found.append(read_all(reader)))
    reading.start()
    assert unhurried.is_read_within(None)
    unhurried.end()
    reading.join(30.0)
    assert found == [WHOLE]


def test_two_that_write_to_one_pipe_cut_no_piece_of_the_other_in_two(pipe: Pipe) -> None:
    """A line of a report was torn by what the window printed."""
    writers = [Unhurried(pipe.writer) for _ in range(2)]
    pieces = [letter * 9000 + b"\n" for letter in (b"a", b"b")]
    for _ in range(100):
        for writer, piece in zip(writers, pieces, strict=True):
            writer.write(piece)
    pipe.close(pipe.writer)
    found: list[bytes] = []
    reading = threading.Thread(target=lambda: found.append(read_all(pipe.reader)))
    reading.start()
    assert all(writer.is_read_within(None) for writer in writers)
    for writer in writers:
        writer.end()
    reading.join(30.0)
    lines = found[0].splitlines(keepends=True)
    assert sorted(lines) == sorted(pieces * 100)


def test_so_much_may_wait_and_no_more(pipe: Pipe) -> None:
    writer = pipe.writer
    unhurried = Unhurried(writer, most=3 << 20)
    unhurried.write(bytes(4 << 20))  # one is always taken
    with pytest.raises(OSError, match="nobody reads it, and 3 MB wait to be read"):
        unhurried.write(b"more")
    unhurried.end()


def test_that_its_reader_has_gone_comes_with_the_next_call(pipe: Pipe) -> None:
    reader, writer = pipe.reader, pipe.writer
    pipe.close(reader)
    unhurried = Unhurried(writer)
    unhurried.write(b"a")
    with pytest.raises(BrokenPipeError):
        unhurried.is_read_within(20.0)
    with pytest.raises(BrokenPipeError):
        unhurried.write(b"b")


def test_what_is_ended_leaves_no_descriptor_open(pipe: Pipe) -> None:
    reader, writer = pipe.reader, pipe.writer
    Unhurried(writer).end()
    pipe.close(writer)
    assert read_all(reader) == b""


def test_a_file_of_lines_whose_owner_is_told_waits_at_its_end_alone(pipe: Pipe) -> None:
    reader, writer = pipe.reader, pipe.writer
    told: list[str] = []
    path = f"/dev/fd/{writer}"
    lines = LineFile(path, on_end=told.append)
    for line in LINES:
        lines.write(line)
    found: list[bytes] = []

    def read_once_told() -> None:
        while not told:
            time.sleep(0.02)
        pipe.close(writer)
        found.append(read_all(reader))

    reading = threading.Thread(target=read_once_told)
    reading.start()
    lines.close()
    reading.join(30.0)
    assert told == [f"{path}: its last lines wait to be read; Ctrl+C leaves them out"]
    assert found == [WHOLE]


def test_a_file_of_lines_that_is_left_in_a_hurry_says_what_is_missing(pipe: Pipe) -> None:
    writer = pipe.writer
    told: list[str] = []
    with pytest.raises(KeyboardInterrupt), LineFile(f"/dev/fd/{writer}", on_end=told.append) as lines:
        for line in LINES:
            lines.write(line)
        raise KeyboardInterrupt
    assert told == [f"/dev/fd/{writer}: nobody reads it; its last lines may be missing"]


def test_a_file_of_lines_whose_reader_goes_ends_with_a_word(pipe: Pipe) -> None:
    told: list[str] = []
    path = f"/dev/fd/{pipe.writer}"
    with LineFile(path, on_end=told.append) as lines:
        pipe.close(pipe.reader)
        until = time.monotonic() + 20.0
        while not told and time.monotonic() < until:
            lines.write("a line")
    assert told == [f"{path}: Broken pipe; its last lines are missing"]
