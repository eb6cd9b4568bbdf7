"""Captures: what a line says, what may be left out, and one clear line for what makes no sense."""

import json
import os

import pytest

import engine.files.read
import engine.replay.capture
from engine.dat.values import Plane, Sphere
from engine.files.format_version import CAPTURE, stamp
from engine.replay.capture import BrokenRecord, CaptureLines, parse_record, read_capture
from engine.world.sources.json_node import JsonError
from tests.needed import posix
from tests.replay.capture_lines import line, xyz

DOOR = {
    "id": "0x7F000001", "model": "0x02000001", "cell": "0xA9B40170", "origin": [1, 2, 3],
    "orientation": [1, 0, 0, 0], "scale": 1, "entity": True, "motion_table": "0x00000000", "weenie_type": 0,
}  # fmt: skip


def record(**changes):
    return parse_record(line(**changes), 1, "capture")


def test_a_line_says_what_was_asked_and_what_came_of_it():
    found = record()
    assert (found.tick, found.cell, found.mover, found.flags) == (7, 0xA9B40170, 1000000, 0x300)
    assert (found.current, found.target) == ((1.5, 2.5, 94.0), (1.5, 2.9, 94.0))
    assert (found.step_up, found.step_down, found.on_ground) == (0.6, 1.5, True)
    assert found.before.contact_plane == Plane((0, 0, 1), -94)
    assert (found.before.transient_state, found.before.state) == (135, 1040)
    assert found.before.orientation == found.target_orientation == (0.8, 0, 0, 0.6)
    assert (found.result.cell, found.result.normal) == (0xA9B40170, None)
    assert found.requested == pytest.approx(0.4)


def test_the_spheres_stand_at_the_radius_and_at_the_height_less_the_radius():
    assert record().spheres == (Sphere((0, 0, 0.48), 0.48), Sphere((0, 0, 1.2 - 0.48), 0.48))
    assert record(input__sphereHeight=0.96).spheres == (Sphere((0, 0, 0.48), 0.48),)
    given = [[0, 0, 0.475, 0.48], [0, 0, 1.35, 0.48]]
    assert record(input__spheres=given).spheres == (Sphere((0, 0, 0.475), 0.48), Sphere((0, 0, 1.35), 0.48))


def test_numbers_keep_double_precision():
    x = 0.1 + 0.2
    assert record(input__currentPos=xyz(x, 0, 0)).current[0] == x


def test_what_is_not_needed_may_be_left_out():
    bare = record(bodyBefore=None, bodyAfter=None, result=None, input__moverFlags=None)
    assert (bare.before, bare.target_orientation, bare.result, bare.flags) == (None, None, None, 0)


def test_a_collision_normal_counts_where_it_is_valid():
    hit = record(result__collisionNormalValid=True, result__collisionNormal=xyz(0, 1, 0))
    assert hit.result.normal == (0, 1, 0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON that can be read"),
        ("[]", "expected an object"),
        (line(tick=0.5), "tick: expected a whole number"),
        (line(input__currentPos=None), "input: 'currentPos' is missing"),
        (line(input__targetPos=[1, 2, 3]), "targetPos: expected an object"),
        (line(input__targetPos=xyz(1, "a", 3)), "targetPos: y: expected a number"),
        (line(input__targetPos=xyz(1, 10**400, 3)), "too large for what it says"),
        (line(input__targetPos=xyz(1, float("nan"), 3)), "not a finite number"),
        (line(input__cellId=-1), "cellId: -1 is not an unsigned"),
        (line(input__sphereRadius=0), "sphereRadius: must be positive"),
        (line(input__stepUpHeight=-1), "stepUpHeight: must not be negative"),
        (line(input__isOnGround="yes"), "isOnGround: expected true or false"),
        (line(input__spheres=[]), "spheres: a mover has one or two spheres"),
        (line(bodyBefore__orientation={"x": 0, "y": 0, "z": 0, "w": 0}), "orientation's length is 0.000"),
        (line(bodyBefore__contactPlane=None), "contactPlane' is missing"),
        (line(bodyBefore__contactPlane__normal=xyz(0, 0, 0)), "contactPlane: the normal's length is 0.000"),
        (line(result__cellId="banana"), "'banana' is not a number"),
        (line(entityStates={"door": 4}), "'door' is not a number"),
        (line(entityStates={"0x10": 4, "16": 12}), "entityStates: 0x00000010 is given twice"),
        (line(entitiesPlaced=[{}]), "entitiesPlaced[0]: 'origin' is missing"),
        (line(entitiesPlaced=[{**DOOR, "scale": 0}]), "entitiesPlaced[0]: scale: is not above 0"),
        (
            line(entitiesPlaced=[{**DOOR, "scale": 1e4}]),
            "entitiesPlaced[0]: scale: is not above 0 and up to 1000",
        ),
        (line(entitiesPlaced=[{**DOOR, "origin": [1e300, 0, 0]}]), "entitiesPlaced[0]: origin"),
        (line(entitiesPlaced=[{**DOOR, "orientation": [0, 0, 0, 0]}]), "entitiesPlaced[0]: orientation"),
        (line(entitiesGone=["door"]), "entitiesGone[0]: 'door' is not a number"),
        (line().replace('"tick"', '"tick": 3, "tick"', 1), 'line 3: "tick" is given twice'),
        (line().replace('"cellId"', '"cellId": 3, "cellId"', 1), 'input: "cellId" is given twice'),
    ],
)
def test_a_bad_line_is_one_clear_line_that_names_file_and_line(tmp_path, text, words):
    path = tmp_path / "capture.jsonl"
    path.write_text(f"{line()}\n\n{text}\n")
    with pytest.raises(JsonError) as error:
        read_capture(path)
    assert str(error.value).startswith(f"{path}: line 3")
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_a_capture_that_is_not_there_or_empty_or_no_text(tmp_path):
    path = tmp_path / "capture.jsonl"
    with pytest.raises(JsonError, match="there is no such file"):
        read_capture(path)
    path.write_text("\n \n")
    with pytest.raises(JsonError, match="holds no records"):
        read_capture(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(JsonError, match="can't be read"):
        read_capture(path)
    with pytest.raises(JsonError, match="can't be read"):
        read_capture(tmp_path)


def test_a_capture_that_says_its_form_alone_is_one_of_no_tick(tmp_path):
    path = tmp_path / "capture.jsonl"
    path.write_text(json.dumps(stamp(CAPTURE)) + "\n")
    assert read_capture(path) == []
    assert CaptureLines(path).is_empty
    path.write_text(f"{json.dumps(stamp(CAPTURE))}\n{line()}\n")
    assert not CaptureLines(path).is_empty


@posix("pipes")
def test_a_record_is_given_before_the_next_one_is_read(tmp_path, monkeypatch):
    """However long a capture is, no more of it is held; the second line of this one never comes."""
    monkeypatch.setattr(engine.files.read, "PATIENCE", 0.1)
    path = tmp_path / "pipe"
    os.mkfifo(path)
    fd = os.open(path, os.O_RDWR)
    try:
        os.write(fd, f"nonsense\n{line()}\n".encode())
        records = iter(CaptureLines(path))
        broken, record = next(records), next(records)
        assert isinstance(broken, BrokenRecord)
        assert (broken.line, record.line) == (1, 2)
        with pytest.raises(JsonError, match="nothing came through this pipe"):
            next(records)
    finally:
        os.close(fd)


def test_of_a_capture_that_is_not_read_to_its_end_the_file_is_let_go(tmp_path, monkeypatch):
    """It was closed whenever Python came to it, and an interrupt just then was lost."""
    opened = []
    monkeypatch.setattr(engine.files.read, "_opened", keeping(opened, engine.files.read._opened))
    path = tmp_path / "capture"
    path.write_text(f"{line()}\n{line()}\n")
    lines = CaptureLines(path)
    lines.close()
    assert not lines.is_empty
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(opened[0])


def keeping(kept, function):
    """The same function, whose results are kept."""

    def kept_result(*args, **named):
        kept.append(function(*args, **named))
        return kept[-1]

    return kept_result


def test_so_many_lines_that_are_no_records_are_no_capture(tmp_path, monkeypatch):
    monkeypatch.setattr(engine.replay.capture, "MOST_BROKEN", 20)
    path = tmp_path / "capture.jsonl"
    path.write_text("nonsense\n" * 20 + line())
    with pytest.raises(JsonError, match="so are 19 lines before it"):
        CaptureLines(path)
    path.write_text("nonsense\n" * 19 + line() + "\nnonsense")
    assert len(list(CaptureLines(path))) == 21
    path.write_text((line() + "\n") * 2 + "nonsense\n" * 22)
    records = iter(CaptureLines(path))
    assert [next(records).line for _ in range(23)] == list(range(1, 24))
    with pytest.raises(JsonError, match=r"line 24: .* so are 21 lines before it"):
        next(records)
