"""A JSON schema of every format that is read or written, made from the code that does it (docs/schemas)."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.files.format_version import (
    BUG,
    CAPTURE,
    DUMP,
    FORMATS,
    FRAME_REPORTS,
    KEY,
    PLACES,
    SCENE,
    SIM_SCRIPT,
    TICKS,
    WORK_STATE,
    Format,
)
from engine.replay.capture import parse_record
from engine.replay.scenarios.scenario import ScenarioResult
from engine.replay.sim import parse_recorded
from engine.replay.sim_script import parse_script
from engine.world.sources.dump_records import parse_cell, parse_gfx_obj, parse_stored
from engine.world.sources.dump_setups import parse_setup
from engine.world.sources.json_node import Node
from engine.world.sources.places_file import parse_places
from engine.world.sources.scene_file import parse_scene
from scripts.environment import ROOT
from scripts.formats.traced import traced
from scripts.formats.typed import of_fields, typed
from scripts.fuzzing import samples
from viewer.report.picture_report import PictureReport
from viewer.window.sharing.bug_facts import parse_facts

FOLDER = ROOT / "docs" / "schemas"
DIALECT = "https://json-schema.org/draft/2020-12/schema"


@dataclass(frozen=True, slots=True)
class Schema:
    """A schema by its file's name: of which form, of one part of it or all, and how it is made.

    ``form`` is None for what is printed and never read again, which carries no stamp.
    """

    name: str
    form: Format | None
    holds: str
    make: Callable[[], dict[str, Any]]

    def document(self) -> dict[str, Any]:
        """The whole of it, with the stamp that a file of ours carries."""
        head = {"$schema": DIALECT, "title": self.name, "description": self.holds}
        made = self.make()
        if self.form is None:
            return {**head, **made}
        stamp = {
            "type": "object",
            "properties": {
                "format": {"const": self.form.name},
                "version": {"type": "integer", "minimum": 0, "maximum": self.form.version},
            },
            "required": ["format", "version"],
        }
        properties = {KEY: stamp, **{k: v for k, v in made.get("properties", {}).items() if k != KEY}}
        return {**head, **made, "properties": properties}

    def text(self) -> str:
        """The file's text."""
        return json.dumps(self.document(), indent=2, ensure_ascii=False) + "\n"


def _of_lines(read: Callable[[str, str], object], lines: Callable[[], list[Any]]) -> dict[str, Any]:
    return traced(lambda line: read(json.dumps(line), ""), lines())


def _dumps(ending: str, parse: Callable[[Node], object]) -> dict[str, Any]:
    found = [item for name, item in samples.box_dumps().items() if name.endswith(ending)]
    return traced(lambda item: parse(Node(item, "")), found)


def _setups() -> dict[str, Any]:
    """Frames stand by themselves, or by the keys of their placements."""
    setup: dict[str, Any] = samples.box_dumps()["0x02000010.setup.json"]  # type: ignore[assignment]
    placed = {**setup, "PlacementFrames": {"101": setup["PlacementFrames"]}}
    return traced(lambda item: parse_setup(Node(item, ""), 0x02000010), [setup, placed])


def _scenes() -> dict[str, Any]:
    flat = {"terrain": {"height": 94.0}, "objects": [], "buildings": [], "setups": []}
    bare: dict[str, Any] = samples.scene()  # type: ignore[assignment]
    placed = {"gfxobj": "0x01000A00", "at": samples.PLACE}
    exactly = {"origin": [110.0, 30.0, 94.0], "orientation": [1.0, 0.0, 0.0, 0.0]}
    in_setup = {"setup": "0x02000A12", "at": "0xA9B40022 [110 30 94]", "exactly": exactly}
    at_night = {**placed, "entity": "0x7A9B4020", "hours": [17.5, 6.75]}
    least = {**flat, "setups": [{"id": "0x02FF0002"}], "objects": [placed, at_night], "buildings": [in_setup]}
    heights = {"terrain": {"heights": [94.0] * 81, "missing": ["0x0B0C0000"]}}
    return traced(lambda item: parse_scene(item, ""), [bare, least, heights, {}])


def _places() -> dict[str, Any]:
    return traced(lambda item: parse_places(item, ""), [samples.places()])


def _scripts() -> dict[str, Any]:
    whole: dict[str, Any] = samples.script()  # type: ignore[assignment]
    return traced(
        lambda item: parse_script(item, ""), [whole, samples.case_script(), samples.walked_script()]
    )


def _bugs() -> dict[str, Any]:
    return traced(lambda item: parse_facts(Node(item, "")), [samples.bug(), samples.bare_bug()])


def _capture_lines() -> list[Any]:
    """The samples, and a record of the least that one may hold."""
    lines: list[Any] = samples.capture_lines()
    capsule = ("sphereRadius", "sphereHeight", "moverFlags", "movingEntityId")
    asked = {key: value for key, value in lines[1]["input"].items() if key not in capsule}
    return [*lines, {"tick": 3, "input": asked, "bodyBefore": {}}]


def _captures() -> dict[str, Any]:
    """A record, or the stamp alone: what is written where a walk of no tick is recorded."""
    made = _of_lines(lambda line, where: parse_record(line, 1, where), _capture_lines)
    required = made.pop("required")
    return {**made, "anyOf": [{"required": required}, {"required": [KEY], "maxProperties": 1}]}


def _results() -> dict[str, Any]:
    """What checks print; `doctor` adds to each result how to get what is missing."""
    one = of_fields(ScenarioResult)
    properties = {"ok": {"type": "boolean"}, "results": {"type": "array", "items": one}}
    return {"type": "object", "properties": properties, "required": list(properties)}


def _work_state() -> dict[str, Any]:
    return {"type": "object", "description": "nothing but the program that wrote it should read it"}


SCHEMAS = (
    Schema("scene", SCENE, "scene.json: doors, objects, and the land around dumps", _scenes),
    Schema("places", PLACES, "places.json: places by their names", _places),
    Schema("sim-script", SIM_SCRIPT, "a scripted movement, for `sim` and in a case", _scripts),
    Schema(
        "ticks",
        TICKS,
        "one line of `sim --json`, as `--expect` reads it; more is written, and taken",
        lambda: _of_lines(parse_recorded, lambda: [samples.recorded_line(0)]),
    ),
    Schema(
        "capture",
        CAPTURE,
        "one line of a capture",
        _captures,
    ),
    Schema("dump-cell", DUMP, "0xA9B40170.json: a dumped cell", lambda: _dumps("0170.json", parse_cell)),
    Schema(
        "dump-gfxobj", DUMP, "0x01000010.gfxobj.json: a model", lambda: _dumps("gfxobj.json", parse_gfx_obj)
    ),
    Schema(
        "dump-setup",
        DUMP,
        "0x02000010.setup.json: a setup",
        _setups,
    ),
    Schema(
        "dump-record",
        DUMP,
        "0x09000202.record.json: what moves a door, as dats store it",
        lambda: _dumps("record.json", lambda node: parse_stored(node, 0x09000202)),
    ),
    Schema("frame-reports", FRAME_REPORTS, "one line of `walk --report`", lambda: typed(PictureReport)),
    Schema("bug", BUG, "bug.json: what a bug folder tells", _bugs),
    Schema(
        "results",
        None,
        "what `verify`, `audit`, `bench`, `replay`, `dat check` and `doctor` print with --json",
        _results,
    ),
    Schema("work-state", WORK_STATE, "what `--state` keeps of long work", _work_state),
)


def schema_texts() -> dict[Path, str]:
    """Every schema's file and text; each form of the program has one at least."""
    without = {form.name for form in FORMATS} - {schema.form.name for schema in SCHEMAS if schema.form}
    assert not without, f"formats without a schema: {without}"
    return {FOLDER / f"{schema.name}.schema.json": schema.text() for schema in SCHEMAS}
