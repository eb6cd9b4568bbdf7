"""The formats on the pages are those that the program writes and reads."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from engine.dat.values import StoredFrame
from engine.files.format_version import BUG, CAPTURE, KEY, stamp
from engine.physics.enums import TICK
from engine.physics.simulation.movement import MovementInput
from engine.replay.case_names import DUMPS_NAME
from engine.replay.sim import parse_recorded
from engine.replay.sim_script import parse_script
from engine.world.source import DOOR_WEENIE, DoorFacts
from engine.world.sources import ace_tables, spawns
from engine.world.sources.json_node import Node
from engine.world.sources.scene_file import parse_scene
from scripts.fuzzing import samples
from tests.viewer.docs.forms import (
    PROMISES,
    READ,
    SOURCES,
    complaints,
    keys_of_schema,
    paths,
    read_form,
    schema,
    sketch,
)
from tests.viewer.docs.pages import DOCS, blocks, spans
from tests.viewer.docs.told_forms import TOLD
from tests.viewer.goings import walking
from viewer.main import main
from viewer.window.sharing import bug_report
from viewer.window.sharing.bug_facts import parse_facts

AT_THE_DOOR = "0xA9B40031 [155.4 19.0 94.0] 0 0 0 1"
SCRIPT = {"start": AT_THE_DOOR, "steps": [{"use": "0x7A9B4015"}, {"wait": 2.0}]}


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The first tick of a recorded capture in which a door is open."""
    folder = tmp_path_factory.mktemp("recorded")
    (folder / "script.json").write_text(json.dumps(SCRIPT))
    capture = folder / "capture.jsonl"
    with redirect_stdout(io.StringIO()):
        assert main(["sim", str(folder / "script.json"), "--demo", "--record", str(capture)]) == 0
    lines = [json.loads(line) for line in capture.read_text().splitlines()]
    assert [line for line in lines if complaints("capture", line)] == []
    return next(line for line in lines if "entityStates" in line)


PASSED_OVER = {f"ResolvedPolygons.[].{name}" for name in ("Plane", "Plane.Normal", "Plane.D")} | {
    f"ResolvedPolygons.[].Plane.Normal.{axis}" for axis in "XYZ"
}
"""What dumps hold and the reader makes anew."""
READ_FORMS = (
    (PROMISES, "input {", ("capture", "")),
    (PROMISES, "result {", ("capture", "")),
    (SOURCES, '{"terrain"', ("scene", "")),
    (SOURCES, "Id, NumPoints", ("dump-cell", "ResolvedPolygons.[]")),
)


@pytest.mark.parametrize(("path", "begins", "of"), READ_FORMS, ids=[begins for _, begins, _ in READ_FORMS])
def test_what_a_page_says_that_a_reader_takes_is_in_its_schema(
    path: Path, begins: str, of: tuple[str, str]
) -> None:
    name, part = of
    known = keys_of_schema(schema(name))
    start = f"{part}." if part else ""
    told = {
        f"{start}{at}".replace(each, one)
        for at in paths(read_form(sketch(path, begins)))
        for each in re.findall(r"\w+\|\w+", at) or [""]
        for one in (each.split("|") if each else [""])
    }
    assert told <= known | PASSED_OVER, told - known


def test_captures_hold_the_keys_that_the_page_tells_and_no_others(record: dict[str, Any]) -> None:
    """Those of other clients in the text, our own in the table."""
    page = (DOCS / "captures.md").read_text(encoding="utf-8")
    first = " ".join(page[page.index("## Captures") : page.index("| key |")].split())
    theirs: dict[str, set[str]] = {}
    for key, inner in re.findall(
        r"`(\w+)`(?: \(((?:`\w+`(?:, )?)+)\))?", first[: first.index("Positions are feet")]
    ):
        theirs[key] = set(re.findall(r"\w+", inner))
    ours = re.findall(r"^\| `([\w.]+)` \| \S", page, re.M)[:4]
    for name in ours:
        key, _, inner = name.partition(".")
        theirs.setdefault(key, set()).update({inner} - {""})
    assert set(record) - set(stamp(CAPTURE)) == set(theirs)
    for key in ("input", "result"):
        assert set(record[key]) == theirs[key], key
    known = keys_of_schema(schema("capture"))
    assert set(ours) <= known | {"result.ok"}


def scripted(document: Any) -> None:
    parse_script(document, "")
    assert complaints("sim-script", document) == []


def placed(document: Any) -> None:
    parse_scene(document, "")
    assert complaints("scene", document) == []


def loose(part: Any) -> None:
    assert parse_recorded(json.dumps({**samples.recorded_line(3), **part}), "").loose  # type: ignore[dict-item]


def same_stamp(part: Any) -> None:
    assert set(part) == set(stamp(CAPTURE))
    (told,) = part.values()
    ours = json.loads(json.dumps(stamp(CAPTURE)))[KEY]
    assert set(told) == set(ours) and told["version"] == ours["version"]


def results(part: Any) -> None:
    result = {"name": "door", "ok": True, "figures": {}, "detail": "", **part}
    assert complaints("results", {"ok": True, "results": [result]}) == []
    assert set(part) <= set(result)


WHOLE: dict[str, Callable[[Any], object]] = {
    '{"ticks": 1, "move"': lambda d: scripted({"start": AT_THE_DOOR, "steps": [d]}),
    '{"objects": [{"setup"': placed,
    '"hours": [': lambda d: placed(
        {"objects": [{"setup": "0x020019FF", "entity": "0x7A9B4015", "at": AT_THE_DOOR, **d}]}
    ),
    '"loose": true': loose,
    '"holtwalk": {"format": ': same_stamp,
    '"ok": null': results,
}
"""Texts in code that are whole documents, or a key of one, and what reads them."""


def inline() -> Iterator[tuple[Path, str]]:
    for path in READ:
        for span in spans(path):
            if span.startswith(tuple(WHOLE)):
                yield path, span


@pytest.mark.parametrize(
    ("path", "text"), list(inline()), ids=lambda value: getattr(value, "stem", str(value)[:30])
)
def test_documents_in_the_text_of_a_page_are_read(path: Path, text: str) -> None:
    whole = text if text.startswith("{") else f"{{{text}}}"
    read = next(read for begins, read in WHOLE.items() if text.startswith(begins))
    read(json.loads(whole.replace("…", '"…"')))


def test_every_block_of_json_on_the_pages_is_a_script_that_is_read() -> None:
    found = [(path, text) for path in READ for language, text in blocks(path) if language == "json"]
    assert len(found) >= 4
    for _, text in found:
        scripted(json.loads(text))


def test_a_bug_folder_holds_what_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bug_report, "pictures_folder", lambda: tmp_path)
    walk = walking()
    for _ in range(3):
        walk.advance(TICK, MovementInput(forward=1))
    said = bug_report.write_bug(walk, lambda: Image.new("RGBA", (8, 6)), size=(8, 6), driver="a driver")
    made = Path(said.split("; ")[0].removeprefix("saved "))
    page = (DOCS / "formats.md").read_text(encoding="utf-8")
    table = page[page.index("| file | holds |") :].split("\n\n")[0]
    told = {name for row in table.splitlines()[2:] for name in re.findall("`([^`]+)`", row.split("|")[1])}
    written = {f"{path.name}/" if path.is_dir() else path.name for path in made.iterdir()}
    assert told == written | {f"{DUMPS_NAME}/"}  # where that was answered with yes
    facts = json.loads((made / "bug.json").read_text())
    assert complaints("bug", facts) == []
    for row in table.splitlines()[2:]:  # which files and keys the last column names
        for name in re.findall("`([^`]+)`", row.split("|")[2]):
            assert name in told, name


def leaves(document: dict[str, Any], at: str = "") -> set[str]:
    """Where a document has values that are no objects, but for its stamp."""
    inner = {key: leaves(value, f"{at}{key}.") for key, value in document.items() if isinstance(value, dict)}
    return {f"{at}{key}" for key in document if key not in inner}.union(
        *(found for key, found in inner.items() if key != KEY)
    )


def test_the_page_tells_every_key_of_what_a_bug_folder_tells_and_the_reader_knows_them_all() -> None:
    facts = parse_facts(Node(samples.bug(), ""))
    assert facts.to_json() == {**stamp(BUG), **samples.bug()}
    known = keys_of_schema(schema("bug"))
    assert leaves(samples.bug()) == {
        key for key in known if not any(k.startswith(f"{key}.") for k in known)
    } - {
        f"{KEY}.format",
        f"{KEY}.version",
    }
    page = (DOCS / "formats.md").read_text(encoding="utf-8")
    table = page[page.index("| key of `bug.json` |") :].split("\n\n", maxsplit=1)[0]
    told = {key for row in table.splitlines()[2:] for key in re.findall("`([^`]+)`", row.split("|")[1])}
    of_versions = {f"versions.{name}" for name, _ in facts.versions}
    assert told == leaves(samples.bug()) - of_versions | {"versions.…"}


class Watched(dict[int, Any]):
    """Properties that remember which of them were asked for."""

    def __init__(self, kind: str, asked: set[tuple[str, int]]) -> None:
        super().__init__()
        self._kind, self._asked = kind, asked

    def get(self, key: int, default: Any = None) -> Any:  # type: ignore[override]
        self._asked.add((self._kind, key))
        return default


def test_the_properties_of_spawn_lists_that_the_page_tells_are_those_that_are_asked_for() -> None:
    page = (DOCS / "worlds.md").read_text(encoding="utf-8")
    table = page[page.index("| property | effect |") :].split("\n\n")[0]
    told = {
        (kind, int(number))
        for kind, numbers in re.findall(r"^\| (\w+) ([\d, ]+?) \|", table, re.M)
        for number in numbers.split(", ")
    }
    asked: set[tuple[str, int]] = set()
    kinds = {name.removeprefix("weenie_properties_"): slot for name, slot in ace_tables.PROPERTIES.items()}
    weenie = spawns.Weenie(1, type=DOOR_WEENIE, **{s: Watched(k, asked) for k, s in kinds.items()})
    weenie.placed(
        spawns.Instance(
            guid=0x7A9B4015,
            class_id=1,
            cell_id=0xA9B40170,
            frame=StoredFrame((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)),
            where="",
        )
    )
    assert told == asked
    named = set(re.findall(r"`(landblock_\w+|weenie\w*)`", page))
    assert named == ace_tables.TABLES
    stored = re.findall(r"`(weenie_properties_\w+)`\s\(([^)]*)\)", SOURCES.read_text(encoding="utf-8"))
    assert told == {
        (name.removeprefix("weenie_properties_"), int(number))
        for name, text in stored
        for number in re.findall(r"(?:^|[,;] )(\d+) [A-Z]", text)
    }
    assert f"An object of type {DOOR_WEENIE} is a door" in page
    assert f"class {spawns.HOUSE_DOOR} has the house door's" in page
    assert f"{DoorFacts().reset_interval:g} where nothing is given" in page


def test_every_form_that_these_pages_sketch_is_compared() -> None:
    """With what is printed above, or with what is written or read below."""
    begun = [told.begins for told in TOLD] + [begins for _, begins, _ in READ_FORMS] + list(WHOLE)
    for path in READ:
        for span in spans(path):
            if re.search(r'^"\w+":|\{"?\w+"?[:,] ', span):
                assert [begins for begins in begun if span.startswith(begins)], f"{path.name}: {span}"
