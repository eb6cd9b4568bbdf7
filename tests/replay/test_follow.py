"""A capture that is still being written is read line by line, whole lines alone."""

from __future__ import annotations

import json
import os
import sys
import time

import pytest

from engine.files.read import LONGEST_LINE
from engine.replay import follow
from engine.replay.capture import BrokenRecord, CaptureRecord
from engine.replay.follow import CaptureTail
from engine.world.sources.json_node import JsonError
from scripts.fuzzing.samples import capture_lines
from tests.needed import posix
from viewer.commands.replay_window import _first


def test_what_has_come_is_given_once_and_half_a_line_waits(tmp_path):
    path = tmp_path / "capture.jsonl"
    lines = [json.dumps(line) + "\n" for line in capture_lines()]
    path.write_text(lines[0] + lines[1][:40])
    tail = CaptureTail(str(path))
    assert [record.line for record in tail.poll()] == [1]
    assert tail.poll() == []
    with path.open("a") as file:
        file.write(lines[1][40:])
    (record,) = tail.poll()
    assert isinstance(record, CaptureRecord)
    assert record.line == 2


def test_a_stamp_is_no_record_and_a_broken_line_is_one_line(tmp_path):
    path = tmp_path / "capture.jsonl"
    path.write_text('{"holtwalk": {"format": "capture", "version": 1}}\n{"tick": }\n\n')
    (broken,) = CaptureTail(str(path)).poll()
    assert isinstance(broken, BrokenRecord)
    assert broken.reason.startswith(f"{path}: line 2")
    assert "\n" not in broken.reason


def test_no_more_are_given_at_once_than_asked_for(tmp_path):
    path = tmp_path / "capture.jsonl"
    path.write_text((json.dumps(capture_lines()[0]) + "\n") * 5)
    tail = CaptureTail(str(path))
    assert [len(tail.poll(2)) for _ in range(4)] == [2, 2, 1, 0]


def test_a_file_that_is_not_there_is_one_line(tmp_path):
    with pytest.raises(JsonError, match="No such file"):
        CaptureTail(str(tmp_path / "none")).poll()


def given(tail, count):
    """So many records, waited for."""
    records = []
    until = time.monotonic() + 60.0
    while len(records) < count and time.monotonic() < until:
        records += tail.poll()
        time.sleep(0.01)
    return records


def test_standard_input_is_read_as_it_comes_until_it_ends(monkeypatch):
    read_end, write_end = os.pipe()
    lines = [json.dumps(line).encode() + b"\n" for line in capture_lines()]
    with os.fdopen(read_end) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        tail = CaptureTail("-")
        os.write(write_end, lines[0] + lines[1][:40])
        assert [record.line for record in given(tail, 1)] == [1]
        assert not tail.is_over
        os.write(write_end, lines[1][40:])
        assert [record.line for record in given(tail, 1)] == [2]
        os.close(write_end)
        until = time.monotonic() + 60.0
        while not tail.is_over and time.monotonic() < until:
            time.sleep(0.01)
        assert tail.is_over


def test_input_that_comes_faster_than_it_is_taken_waits_in_its_pipe(monkeypatch):
    read_end, write_end = os.pipe()
    line = json.dumps(capture_lines()[0]).encode() + b"\n"
    monkeypatch.setattr(follow, "CHUNK", len(line))
    monkeypatch.setattr(follow, "MOST_WAITING", 2 * len(line))
    with os.fdopen(read_end) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        os.write(write_end, line * 20)
        os.close(write_end)
        tail = CaptureTail("-")
        until = time.monotonic() + 60.0
        while len(tail._chunks) < 3 and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(0.02)
        assert len(tail._chunks) == 3
        assert not tail.is_over
        assert len(given(tail, 20)) == 20


@pytest.mark.parametrize("written", [b"", b'{"tick": 1'])
def test_input_that_ends_before_a_record_is_one_line_and_no_hang(monkeypatch, written):
    read_end, write_end = os.pipe()
    os.write(write_end, written)
    os.close(write_end)
    with os.fdopen(read_end) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        with pytest.raises(JsonError, match="standard input ended before a whole record had come"):
            _first(CaptureTail("-"))


@pytest.mark.parametrize("how", ["cut", "replaced"])
def test_a_file_that_is_cut_or_replaced_is_told_once_and_read_from_its_beginning(tmp_path, how):
    path = tmp_path / "capture.jsonl"
    line = json.dumps(capture_lines()[0]) + "\n"
    path.write_text(line * 3)
    tail = CaptureTail(str(path))
    assert len(tail.poll()) == 3
    other = path if how == "cut" else tmp_path / "other.jsonl"
    other.write_text(line * (1 if how == "cut" else 4))
    other.replace(path)
    told, *records = tail.poll()
    assert isinstance(told, BrokenRecord)
    assert "cut or replaced" in told.reason
    assert [record.line for record in records] == ([1] if how == "cut" else [1, 2, 3, 4])
    assert tail.poll() == []


@pytest.mark.parametrize("rows", [3, 4, 40])
def test_a_file_that_is_written_anew_in_its_place_is_no_continuation(tmp_path, rows):
    path = tmp_path / "capture.jsonl"
    line = json.dumps(capture_lines()[0]) + "\n"
    other = line.replace('"tick": ', '"tick": 2')
    path.write_text(line * 3)
    tail = CaptureTail(str(path))
    assert len(tail.poll()) == 3
    with path.open("r+") as file:
        file.write(other * rows)
    told, *records = tail.poll()
    assert isinstance(told, BrokenRecord)
    assert "written anew" in told.reason
    assert [record.line for record in records] == [n + 1 for n in range(rows)]
    assert all(isinstance(record, CaptureRecord) and record.tick >= 20 for record in records)
    assert tail.poll() == []


def test_a_file_that_goes_while_it_is_followed_is_told_once_and_may_come_again(tmp_path):
    path = tmp_path / "capture.jsonl"
    line = json.dumps(capture_lines()[0]) + "\n"
    path.write_text(line)
    tail = CaptureTail(str(path))
    tail.poll()
    path.rename(tmp_path / "elsewhere")
    (told,) = tail.poll()
    assert isinstance(told, BrokenRecord)
    assert "No such file" in told.reason
    assert tail.poll() == []
    (tmp_path / "elsewhere").rename(path)
    with path.open("a") as file:
        file.write(line)
    (record,) = tail.poll()
    assert record.line == 2


@posix("devices and pipes")
def test_a_device_or_a_pipe_is_refused_before_it_is_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for name in ("/dev/zero", str(tmp_path / "pipe")):
        with pytest.raises(JsonError, match="can be followed or played in the window"):
            CaptureTail(name).poll()


def test_a_line_without_end_is_told_once_and_each_look_at_it_has_an_end(tmp_path):
    path = tmp_path / "capture.jsonl"
    line = json.dumps(capture_lines()[0]).encode() + b"\n"
    with path.open("wb") as file:
        file.write(line)
        file.truncate(LONGEST_LINE + (4 << 20))
    tail = CaptureTail(str(path))
    records = [tail.poll() for _ in range(30)]
    assert max(map(len, records)) == 1
    (first, told) = [record for found in records for record in found]
    assert isinstance(told, BrokenRecord)
    assert told.reason == f"{path}: line 2: is longer than 16 MB"
    with path.open("ab") as file:
        file.write(b"\n" + line)
    (record,) = [record for _ in range(30) for record in tail.poll()]
    assert (first.line, record.line) == (1, 3)
