"""A capture that is still being written is read line by line, whole lines alone."""

from __future__ import annotations

import json

import pytest

from engine.replay.capture import BrokenRecord, CaptureRecord
from engine.replay.follow import CaptureTail
from engine.world.sources.json_node import JsonError
from scripts.fuzz_samples import capture_lines


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
