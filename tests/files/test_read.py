"""Files that a user names are read with a bound, from pipes too, and devices are refused."""

import importlib
import os
import threading
import time
import tracemalloc
import zipfile

import pytest

import engine.files.read
from engine.files.read import ReadError, TextLines, read_text, readable
from tests.needed import left_out, needs, posix

on_posix = posix("pipes and devices")


def test_text_without_its_mark_and_with_plain_line_ends(tmp_path):
    path = tmp_path / "f"
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo\rthree\n")
    assert read_text(path) == "one\ntwo\nthree\n"


def test_what_is_no_text_is_refused_or_marked(tmp_path):
    path = tmp_path / "f"
    path.write_bytes(b"ab\xff")
    with pytest.raises(ReadError, match=r"f: can't be read .byte 0xFF at offset 2 is not UTF-8"):
        read_text(path)
    assert read_text(path, lossy=True) == "ab\ufffd"


@pytest.mark.parametrize("lossy", [True, False])
@pytest.mark.parametrize("name", ["gzip", "bz2", "lzma", "zip"])
def test_what_is_packed_is_called_so(tmp_path, name, lossy):
    """A spawn list was said to have lost a piece."""
    path = tmp_path / "f"
    if name == "zip":
        with zipfile.ZipFile(path, "w") as packed:
            packed.writestr("a.sql", "text")
    else:
        path.write_bytes(importlib.import_module(name).compress(b"text"))
    called = {"bz2": "bzip2", "lzma": "xz"}.get(name, name)
    with pytest.raises(ReadError) as raised:
        read_text(path, lossy=lossy)
    assert str(raised.value) == f"{path}: is packed by {called}; unpack it first"
    with pytest.raises(ReadError) as again:
        list(TextLines(path))
    assert str(again.value) == str(raised.value)


def test_missing_files_and_folders_are_named(tmp_path):
    with pytest.raises(ReadError, match="none: there is no such file"):
        read_text(tmp_path / "none")
    with pytest.raises(ReadError, match="it is a folder"):
        read_text(tmp_path)


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_a_name_that_no_file_can_have_is_one_of_none(name):
    """A file that somebody else wrote may name it."""
    with pytest.raises(ReadError, match="there is no such file"):
        read_text(name)


def test_there_is_a_bound(tmp_path, monkeypatch):
    monkeypatch.setattr(engine.files.read, "MOST", 1 << 20)
    path = tmp_path / "f"
    path.write_bytes(bytes((1 << 20) + 1))
    with pytest.raises(ReadError, match="f: holds more than the 1 MB"):
        read_text(path)


def test_a_file_of_any_size_is_refused_before_any_of_it_is_read(tmp_path):
    path = tmp_path / "f"
    path.touch()
    os.truncate(path, 1 << 40)
    tracemalloc.start()
    with pytest.raises(ReadError, match="f: holds more than the 1024 MB"):
        read_text(path)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 1 << 20


def test_a_line_without_an_end_is_not_looked_for_for_ever(tmp_path, monkeypatch):
    monkeypatch.setattr(engine.files.read, "MOST", 1 << 16)
    monkeypatch.setattr(engine.files.read, "LONGEST_LINE", 1 << 12)
    path = tmp_path / "f"
    path.touch()
    os.truncate(path, 1 << 40)
    with pytest.raises(ReadError, match="f: line 1: is longer than 0 MB"):
        list(TextLines(path))


@pytest.mark.parametrize("coding", ["utf-8-sig", "utf-16", "utf-16-be", "utf-32"])
def test_a_text_is_read_as_its_mark_says(tmp_path, coding):
    path = tmp_path / "f"
    mark = "\ufeff" if coding.endswith("be") else ""
    path.write_bytes(f"{mark}a door: Tür\r\nand another".encode(coding))
    assert read_text(path) == "a door: Tür\nand another"


def test_half_a_letter_of_utf_16_is_told(tmp_path):
    path = tmp_path / "f"
    path.write_bytes("ab".encode("utf-16")[:-1])
    with pytest.raises(ReadError, match="byte 0x62 at offset 4 is not UTF-16"):
        read_text(path)


def needed_device(name):
    return pytest.param(name, marks=needs(os.path.exists(name), f"no {name} here"), id=name)


@on_posix
@pytest.mark.parametrize("device", [needed_device(name) for name in ("/dev/zero", "/dev/null", "/dev/tty")])
def test_a_device_is_refused(device):
    with pytest.raises(ReadError, match=rf"{device}: can't be read .it is a device, not a file"):
        read_text(device)


@pytest.fixture
def many_descriptors():
    """So many are open that the next one is past what select takes."""
    import resource  # which Windows has not

    few, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 1200
    if most != resource.RLIM_INFINITY and most < wanted:
        left_out(f"a process may open no more than {most} files here: raise the hard limit, ulimit -Hn")
    if few != resource.RLIM_INFINITY and few < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
    opened = [os.open(os.devnull, os.O_RDONLY)]
    try:
        while opened[-1] < 1024:
            opened.append(os.open(os.devnull, os.O_RDONLY))
        yield
    finally:
        for fd in opened:
            os.close(fd)
        resource.setrlimit(resource.RLIMIT_NOFILE, (few, most))


@on_posix
def test_a_pipe_is_read_and_given_up_whatever_the_number_of_its_descriptor(
    tmp_path, monkeypatch, many_descriptors
):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    thread = threading.Thread(target=pipe.write_text, args=("x" * 300_000,))
    thread.start()
    assert read_text(pipe) == "x" * 300_000
    thread.join()
    monkeypatch.setattr(engine.files.read, "PATIENCE", 0.1)
    with pytest.raises(ReadError, match="nothing came through this pipe"):
        read_text(pipe)


@on_posix
def test_a_pipe_is_read_to_its_end(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    text = "x" * 300_000

    def feed():
        with pipe.open("w") as file:
            for start in range(0, len(text), 100_000):
                file.write(text[start : start + 100_000])
                file.flush()
                time.sleep(0.02)

    thread = threading.Thread(target=feed)
    thread.start()
    assert read_text(pipe) == text
    thread.join()


@on_posix
def test_a_pipe_is_refused_where_it_makes_no_sense(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ReadError, match="is a pipe, not a file"):
        read_text(tmp_path / "pipe", pipes=False)


@on_posix
@pytest.mark.parametrize("held_open", [False, True])
def test_a_pipe_through_which_nothing_comes_is_given_up(tmp_path, monkeypatch, held_open):
    monkeypatch.setattr(engine.files.read, "PATIENCE", 0.05)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = os.open(pipe, os.O_RDWR) if held_open else -1
    with pytest.raises(ReadError, match=r"nothing came through this pipe for 0\.05 seconds"):
        read_text(pipe)
    if held_open:
        os.close(writer)


@on_posix
def test_a_pipe_without_end_has_the_bound(tmp_path, monkeypatch):
    monkeypatch.setattr(engine.files.read, "MOST", 1 << 20)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def feed():
        with pytest.raises(BrokenPipeError), pipe.open("wb") as file:
            while True:
                file.write(bytes(1 << 16))

    thread = threading.Thread(target=feed)
    thread.start()
    with pytest.raises(ReadError, match="more than the 1 MB"):
        read_text(pipe)
    thread.join()


def test_lines_come_one_by_one_and_what_is_no_text_or_too_long_is_said_in_its_place(tmp_path, monkeypatch):
    monkeypatch.setattr(engine.files.read, "LONGEST_LINE", 8)
    path = tmp_path / "f"
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo\rab\xff\n" + b"x" * 30 + b"\n1234567\n\n12345678\nend")
    lines = TextLines(path)
    assert [line if isinstance(line, str) else str(line) for line in lines] == [
        "one", "two", f"{path}: line 3: can't be read (byte 0xFF after 2 characters is not UTF-8)",
        f"{path}: line 4: is longer than 0 MB", "1234567", "", "12345678", "end",
    ]  # fmt: skip
    assert lines.share == 1.0
    for name in (tmp_path, tmp_path / "none"):
        with pytest.raises(ReadError, match=name.name):
            TextLines(name)


@on_posix
def test_who_was_stopped_while_waiting_for_a_pipe_has_not_waited_meanwhile(monkeypatch):
    select, asked = engine.files.read._Selector.select, []

    def stopped(selector, timeout=None):
        """Each time it is stopped for as long as it would wait, and once another writes meanwhile."""
        asked.append(timeout)
        if len(asked) == 5:
            os.write(into, b"x")
        return [] if timeout and len(asked) <= 5 else select(selector, timeout)

    monkeypatch.setattr(engine.files.read._Selector, "select", stopped)
    out, into = os.pipe()
    assert readable(out, 30.0)
    assert asked == [1.0] * 6
    os.read(out, 1)
    asked.clear()
    assert not readable(out, 2.5)
    assert asked == [1.0, 1.0, 0.5, 0]
    os.close(out)
    os.close(into)


def test_what_calls_itself_a_file_and_has_nothing_yet_is_given_up(tmp_path, monkeypatch):
    """The system's log is one: every read of it says that it would wait."""
    path = tmp_path / "log"
    path.write_text("")

    def nothing(_fd, _most):
        raise BlockingIOError

    monkeypatch.setattr(engine.files.read, "PATIENCE", 0.05)
    monkeypatch.setattr("engine.files.read.os.read", nothing)
    with pytest.raises(ReadError, match=r"log: nothing came out of it for 0\.05 seconds$"):
        read_text(path)
