"""Every file of ours says its form and version; a newer one or another form is refused in one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from engine.dat.errors import DatError
from engine.files.format_version import (
    BUG,
    CAPTURE,
    DUMP,
    FORMATS,
    KEY,
    PLACES,
    SCENE,
    SIM_SCRIPT,
    TICKS,
    WORK_STATE,
    FirstStamped,
    Format,
    FormatError,
    check_stamp,
    stamp,
)
from engine.files.json_form import Json
from engine.replay.capture import CaptureLines, parse_record, read_capture
from engine.replay.jobs.work_state import StateError, WorkState
from engine.replay.sim import read_recording
from engine.replay.sim_script import read_script
from engine.world.sources.dump_records import parse_gfx_obj, read_dump
from engine.world.sources.json_node import JsonError, read_json
from engine.world.sources.places_file import parse_places
from engine.world.sources.scene_file import SceneFile, read_scene
from engine.world.sources.scene_text import format_scene
from scripts.fuzzing.samples import bug
from tests.places import ROOT
from viewer.window.sharing.bug_facts import read_facts

PLACE = "0xA9B40170 [155.4 15.2 94.0] 1 0 0 0"
POINT = {"x": 155.4, "y": 15.2, "z": 94.0}
ASKED = {
    "currentPos": POINT, "targetPos": POINT, "cellId": 0xA9B40170, "sphereRadius": 0.48, "sphereHeight": 1.2,
    "stepUpHeight": 0.6, "stepDownHeight": 1.5, "isOnGround": True,
}  # fmt: skip

# Every form that is read: a sound document of it, and its reader.
READ: dict[Format, tuple[Json, Callable[[Path], object]]] = {
    BUG: (cast("Json", bug()), read_facts),
    CAPTURE: ({"tick": 0, "input": ASKED}, read_capture),
    TICKS: ({"tick": 0, "cell": "0xA9B40170", "position": [155.4, 15.2, 94.0]}, read_recording),
    SIM_SCRIPT: ({"start": PLACE, "steps": []}, read_script),
    SCENE: ({"home": PLACE}, read_scene),
    PLACES: ({"home": PLACE}, lambda path: parse_places(read_json(path), str(path))),
    DUMP: (
        {"GfxObjId": "0x01000010", "ResolvedPolygons": []},
        lambda path: read_dump(path, 0x01000010, parse_gfx_obj),
    ),
    WORK_STATE: ({"work": {}}, lambda path: WorkState(path, {}).results),
}
LINES = (CAPTURE, TICKS)
each_form = pytest.mark.parametrize("form", READ, ids=lambda form: form.name)


def of_version(form: Format, version: object) -> Json:
    return {KEY: {"format": form.name, "version": version}}


def written(path: Path, *documents: Json) -> Path:
    path.write_text("".join(f"{json.dumps(document)}\n" for document in documents), encoding="utf-8")
    return path


def refusal(form: Format, path: Path) -> str:
    with pytest.raises((JsonError, StateError, DatError)) as caught:
        READ[form][1](path)
    return str(caught.value)


def test_every_form_that_is_read_is_tried_here() -> None:
    assert {form.name for form in FORMATS} - {form.name for form in READ} == {"frame-reports"}
    assert len({form.name for form in FORMATS}) == len(FORMATS)


@each_form
def test_a_file_of_the_version_that_is_written_is_read(form: Format, tmp_path: Path) -> None:
    document, read = READ[form]
    read(written(tmp_path / "file", {**stamp(form), **document}))


@pytest.mark.parametrize("form", [form for form in READ if form != WORK_STATE], ids=lambda form: form.name)
def test_a_file_without_a_version_is_read_as_version_0(form: Format, tmp_path: Path) -> None:
    document, read = READ[form]
    assert read(written(tmp_path / "bare", document)) == read(
        written(tmp_path / "bare", {**of_version(form, 0), **document})
    )
    assert check_stamp(document, form) == 0


@each_form
def test_a_newer_file_is_refused_in_one_line_with_both_versions(form: Format, tmp_path: Path) -> None:
    document, _ = READ[form]
    path = written(tmp_path / "newer", {**of_version(form, form.version + 1), **document})
    line = refusal(form, path)
    assert line.startswith(str(path)) and "\n" not in line
    assert f"is of version {form.version + 1}" in line and f"reads it up to {form.version}" in line


@each_form
def test_a_file_of_another_form_is_refused_by_name(form: Format, tmp_path: Path) -> None:
    document, _ = READ[form]
    line = refusal(form, written(tmp_path / "other", {**of_version(Format("song", 1, ""), 1), **document}))
    assert f"is of the form 'song', not '{form.name}'" in line


@pytest.mark.parametrize(
    "damage", [5, None, [], "capture", {}, {"format": "capture"}, {"format": "capture", "version": "1"},
               {"format": "capture", "version": True}, {"format": "capture", "version": -1},
               {"format": "capture", "version": 1.0}, {"format": 1, "version": 1}],
)  # fmt: skip
def test_a_damaged_stamp_is_no_version(damage: object) -> None:
    with pytest.raises(FormatError, match="'holtwalk' is "):
        check_stamp({KEY: damage}, CAPTURE)


@pytest.mark.parametrize("form", LINES, ids=lambda form: form.name)
def test_of_lines_only_the_first_is_stamped_and_each_is_checked(form: Format, tmp_path: Path) -> None:
    document, read = READ[form]
    stamped = FirstStamped(form)
    lines = [stamped({**document, "tick": tick}) for tick in range(3)]
    assert [line.get(KEY) for line in lines] == [stamp(form)[KEY], None, None]
    assert all(line["tick"] == tick for tick, line in enumerate(lines))
    assert len(read(written(tmp_path / "a", *lines))) == 3  # type: ignore[arg-type]
    late = {**of_version(form, 9), **document, "tick": 3}
    assert "line 4: is of version 9" in refusal(form, written(tmp_path / "a", *lines, late))


@pytest.mark.parametrize("form", LINES, ids=lambda form: form.name)
def test_a_stamp_may_stand_in_a_line_of_its_own(form: Format, tmp_path: Path) -> None:
    document, read = READ[form]
    assert len(read(written(tmp_path / "a", stamp(form), document))) == 1  # type: ignore[arg-type]
    assert "line 1: is of version 2" in refusal(form, written(tmp_path / "a", of_version(form, 2), document))


def test_a_newer_capture_is_no_capture_with_a_broken_line(tmp_path: Path) -> None:
    document, _ = READ[CAPTURE]
    path = written(tmp_path / "a", {**of_version(CAPTURE, 2), **document}, {**document, "tick": 1})
    with pytest.raises(JsonError, match="is of version 2"):
        CaptureLines(path)
    with pytest.raises(JsonError, match="there: is of version 2"):
        parse_record(json.dumps({**of_version(CAPTURE, 2), **document}), 1, "there")


def test_a_scene_that_is_written_says_its_form(tmp_path: Path) -> None:
    for scene in (format_scene(SceneFile()), (ROOT / "assets/demo/scene.json").read_text(encoding="utf-8")):
        assert check_stamp(json.loads(scene), SCENE) == SCENE.version


def test_the_docs_list_every_form() -> None:
    text = (ROOT / "docs/formats.md").read_text(encoding="utf-8")
    for form in FORMATS:
        assert f"| `{form.name}` | {form.version} | {form.holds} |" in text
