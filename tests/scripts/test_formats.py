"""The schemas of the formats say what the readers take and the writers write (promises 10)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from PIL import Image

from engine.files.format_version import FORMATS, KEY, stamp
from engine.physics.enums import TICK
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.simulation import Simulation
from engine.replay.capture import parse_record
from engine.replay.sim import parse_recorded
from engine.replay.sim_script import parse_script
from engine.world.loading.world import World
from engine.world.sources.dump_records import parse_cell, parse_gfx_obj
from engine.world.sources.dump_setups import parse_setup
from engine.world.sources.dump_writer import setup_document
from engine.world.sources.json_node import Node
from engine.world.sources.open_source import demo_source
from engine.world.sources.places_file import parse_places
from engine.world.sources.scene_file import parse_scene
from scripts.formats.schemas import FOLDER, SCHEMAS, schema_texts
from scripts.fuzzing import samples
from tests.viewer.goings import walking
from viewer.main import main
from viewer.places import put
from viewer.window.sharing import bug_report
from viewer.window.sharing.bug_facts import parse_facts
from viewer.window.walking.walk import Walk

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
TEXTS = schema_texts()
# Keys that the readers want only where others are missing: [x, y, z] or {X, Y, Z}, spheres or a capsule.
INSTEAD = ("X", "Y", "Z", "W", "sphereRadius", "sphereHeight", "contactPlane")
Read = Callable[[Any], object]
READERS: dict[str, tuple[Read, list[Any]]] = {
    "scene": (lambda d: parse_scene(d, ""), [samples.scene()]),
    "sim-script": (
        lambda d: parse_script(d, ""),
        [samples.script(), samples.case_script(), samples.walked_script()],
    ),
    "places": (lambda d: parse_places(d, ""), [samples.places()]),
    "bug": (lambda d: parse_facts(Node(d, "")), [samples.bug(), samples.bare_bug()]),
    "capture": (lambda d: parse_record(json.dumps(d), 1, ""), samples.capture_lines()),
    "ticks": (lambda d: parse_recorded(json.dumps(d), ""), [samples.recorded_line(3)]),
    "dump-cell": (lambda d: parse_cell(Node(d, "")), [samples.box_dumps()["0xA9B40170.json"]]),
    "dump-gfxobj": (lambda d: parse_gfx_obj(Node(d, "")), [samples.box_dumps()["0x01000010.gfxobj.json"]]),
    "dump-setup": (
        lambda d: parse_setup(Node(d, ""), 0x02000010),
        [samples.box_dumps()["0x02000010.setup.json"]],
    ),
}


def schema(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.schema.json").read_text(encoding="utf-8"))


def fits(name: str, document: Any) -> bool:
    return bool(jsonschema.Draft202012Validator(schema(name)).is_valid(document))


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_the_schema_is_in_sync_with_the_code(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == TEXTS[path]
    jsonschema.Draft202012Validator.check_schema(json.loads(TEXTS[path]))


def test_every_form_has_a_schema_and_no_schema_is_left_over() -> None:
    assert {schema.form.name for schema in SCHEMAS if schema.form} == {form.name for form in FORMATS}
    assert sorted(FOLDER.glob("*.json")) == sorted(TEXTS)


@pytest.mark.parametrize("name", READERS)
def test_what_the_reader_takes_fits_stamped_or_not_and_a_newer_version_does_not(name: str) -> None:
    form = next(schema.form for schema in SCHEMAS if schema.name == name)
    read, documents = READERS[name]
    for document in documents:
        read(document)
        assert fits(name, document)
        assert fits(name, {**document, **stamp(form)})
        newer = {KEY: {"format": form.name, "version": form.version + 1}}
        assert not fits(name, {**document, **newer})


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container of a document with a key in it."""
    items = list(
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, item in items:
        yield value, key
        yield from places(item)


@pytest.mark.parametrize("name", READERS)
def test_what_the_schema_refuses_the_reader_refuses_too(name: str) -> None:
    """Each key left out, each value of another type: the schema must not be stricter than the reader."""
    read, documents = READERS[name]
    refused = 0
    for document in documents[:1]:  # the others hold values beside those that stand in for them
        for damage in ("gone", "other"):
            for number in range(len(list(places(document)))):
                copy = json.loads(json.dumps(document))
                container, key = list(places(copy))[number]
                if damage == "gone" and isinstance(container, dict):
                    del container[key]
                else:
                    container[key] = {"no": "such"}
                if fits(name, copy):
                    continue
                refused += 1
                with pytest.raises(ValueError):
                    read(copy)
    assert refused > 2


@pytest.mark.parametrize("name", READERS)
def test_no_required_key_is_missing_from_the_schema(name: str) -> None:
    """What the reader says is missing, the schema requires: it must not be looser there."""
    read, documents = READERS[name]
    for document in documents:
        for number in range(len(list(places(document)))):
            copy = json.loads(json.dumps(document))
            container, key = list(places(copy))[number]
            if not isinstance(container, dict):
                continue
            del container[key]
            try:
                read(copy)
            except ValueError as error:
                if f"'{key}' is missing" in str(error) and key not in INSTEAD:
                    assert not fits(name, copy), (key, error)


@pytest.mark.parametrize("name", READERS)
def test_a_key_that_means_nothing_is_refused_by_both_or_taken_by_both(name: str) -> None:
    read, documents = READERS[name]
    odd = {**documents[0], "no_such_key": 1}
    try:
        read(odd)
    except ValueError:
        assert not fits(name, odd)
        assert name in ("scene", "sim-script", "places")
    else:
        assert fits(name, odd)
        assert name not in ("scene", "sim-script", "places")


def test_the_frames_reports_that_are_written_fit(tmp_path: Path) -> None:
    simulation = Simulation(World(demo_source(ROOT / "assets" / "demo")))
    put(simulation, "0xA9B40031 [155.4 16.9 94.0] 0 0 0 1")
    walk = Walk(simulation, report_file=tmp_path / "reports.jsonl")
    walk.look_out((320, 180), 0.0)
    walk.advance(5.5 * TICK, MovementInput(forward=1, run=True))
    walk.close()
    validator = jsonschema.Draft202012Validator(schema("frame-reports"))
    lines = [json.loads(line) for line in (tmp_path / "reports.jsonl").read_text().splitlines()]
    assert any(line["sweep"] and line["sweep"]["hits"] for line in lines)
    assert [error.message for line in lines for error in validator.iter_errors(line)] == []


@pytest.mark.parametrize(
    "words",
    [
        ("verify", "--only", "door-closed-centre"),
        ("audit", "--landblock", "0x0107", "--jobs", "1"),
        ("dat", "check", "--jobs", "1"),
        ("doctor",),
    ],
    ids=lambda words: words[0],
)
def test_the_results_that_commands_print_fit(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--json"]) in (0, 1)
    document = json.loads(capsys.readouterr().out)
    assert fits("results", document)
    assert not fits("results", {"ok": True, "results": [{"name": "x", "ok": True}]})


def test_what_sim_and_its_recorder_write_fits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "script.json"
    script.write_text(json.dumps(samples.case_script()))
    capture = tmp_path / "capture.jsonl"
    assert main(["sim", str(script), "--demo", "--json", "--trace", "--record", str(capture)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    records = [json.loads(line) for line in capture.read_text().splitlines()]
    assert lines and records
    assert all(fits("ticks", line) for line in lines)
    assert all(fits("capture", record) for record in records)


@pytest.mark.shared
def test_the_record_of_a_script_without_a_tick_fits(tmp_path: Path) -> None:
    """It is the stamp alone, which the schema wanted an input of."""
    script, capture = tmp_path / "sim.json", tmp_path / "capture.jsonl"
    script.write_text(json.dumps({"start": "0xA9B40170 [155.4 13.9 94.005]", "steps": []}), encoding="utf-8")
    assert main(["sim", str(script), "--demo", "--record", str(capture)]) == 0
    [line] = capture.read_text().splitlines()
    assert list(json.loads(line)) == [KEY]
    assert fits("capture", json.loads(line))
    assert not fits("capture", {**json.loads(line), "tick": 1})


def test_files_of_other_programs_fit() -> None:
    captures = list((SHARED / "examples").glob("*.jsonl"))
    lines = [json.loads(line) for path in captures for line in path.read_text().splitlines()[:30]]
    assert len(lines) > 30
    assert all(fits("capture", line) for line in lines)
    cases = sorted((SHARED / "cases").rglob("sim.json"))[:20]
    assert cases
    assert all(fits("sim-script", json.loads(path.read_text())) for path in cases)
    dumps = list(sorted((SHARED / "cases").rglob("0x*.json"))[:40])
    for path in dumps:
        kind = {".gfxobj": "dump-gfxobj", ".setup": "dump-setup"}.get(
            path.with_suffix("").suffix, "dump-cell"
        )
        assert fits(kind, json.loads(path.read_text())), path
    assert fits("scene", json.loads((ROOT / "assets" / "demo" / "scene.json").read_text()))


def test_a_bug_folders_own_files_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bug_report, "pictures_folder", lambda: tmp_path)
    walk = walking()
    try:
        walk.advance(TICK, MovementInput(forward=1))
        bug_report.write_bug(walk, lambda: Image.new("RGBA", (64, 48)), size=(64, 48), driver="a driver")
        setup = walk.simulation.world.source.setup(0x020019FF)
    finally:
        walk.close()
    [folder] = tmp_path.glob("*")
    for name in ("bug", "scene", "sim"):
        form = "sim-script" if name == "sim" else name
        jsonschema.validate(json.loads((folder / f"{name}.json").read_text(encoding="utf-8")), schema(form))
    assert setup is not None
    jsonschema.validate(setup_document(setup), schema("dump-setup"))
