"""The formats on the pages are those that the program prints, writes and reads."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.dat.object_types import DatKind
from engine.dat.records.codecs import encode
from tests.dat.small_world import CELL, PORTAL, SETUP
from tests.dat_writing import write_dat
from tests.viewer.docs import json_page
from tests.viewer.docs.forms import PROMISES, keys_of, lacking, paths, read_form, sketch
from tests.viewer.docs.told_forms import TOLD, Told
from viewer.main import main

PUSH = {
    "start": "0xA9B40031 [155.4 17.0 94.0] 0 0 0 1",
    "steps": [
        {"ticks": 10, "walk": [0, -0.1, 0]}, {"use": "0x7A9B4015"}, {"wait": 2.0},
        {"teleport": "0xA9B40171 [157.2 11.0 94.0]"}, {"ticks": 5, "walk": [0.1, 0, 0]},
    ],
}  # fmt: skip
ELSEWHERE = {"tick": 5, "cell": "0xA9B40031", "position": [155.4, 11.0, 94.0], "ok": True, "on_ground": True}
AT_THE_DOOR = "0xA9B40031 [155.4 19.0 94.0] 0 0 0 1"
BY_THE_FIRE = "0xA9B40171 [155.4 12.6 94.0] 1 0 0 0"
SMALL = ("--size", "64x36", "--radius", "0", "--objects", "0")
COMMANDS: dict[str, tuple[str, ...]] = {
    "sim": (
        "sim", "push.json", "--demo", "--trace", "--record", "capture.jsonl",
        "--expect", "cases/one/expected.jsonl",
    ),
    "cases": ("sim", "--cases", "cases", "--demo"),
    "replay": ("replay", "capture.jsonl", "again.jsonl", "--demo", "--compare", "capture", "--jobs", "1"),
    "render": ("render", "--demo", "--at", AT_THE_DOOR, *SMALL, "--out", "picture.png"),
    "pvs": ("pvs", "--demo", "--at", AT_THE_DOOR, "--why", "0xA9B40171", "--compare"),
    "cell": ("cell", "--demo", "--at", "0xA9B40170 [155.4 15.2 94.0]"),
    "pick": ("pick", "--demo", "--at", AT_THE_DOOR, *SMALL, "--pixel", "32,18"),
    "pick a flame": (
        "pick", "--demo", "--at", BY_THE_FIRE, "--look", "90,0", "--size", "320x180", "--pixel", "137,152",
    ),
    "pick the ground": ("pick", "--demo", "--at", AT_THE_DOOR, *SMALL, "--look", "0,-60"),
    "pick the sky": (
        "pick", "--demo", "--at", AT_THE_DOOR, *SMALL, "--look", "90,0", "--pixel", "32,4", "--no-history",
    ),
    "probe": ("probe", "0x7A9B4015", "--demo", "--spacing", "0.8"),
    "verify": ("verify", "--only", "door-closed-centre"),
    "audit": ("audit", "--demo", "--landblock", "0x0107"),
    "bench": ("bench", "--only", "load-landblock-country"),
    "doctor": ("doctor",),
    "ls": ("dat", "ls", "--demo", "--type", "Setup"),
    "check": ("dat", "check", "--dats", "a", "--jobs", "1"),
    "show": ("dat", "show", "0x020019FF", "--demo"),
    "grep": ("dat", "grep", "0x010044B6", "--demo"),
    "diff": ("dat", "diff", "a", "b"),
}  # fmt: skip
Printed = Callable[..., list[Any]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the commands run: a script, and two worlds that differ."""
    made = tmp_path_factory.mktemp("printed")
    (made / "push.json").write_text(json.dumps(PUSH))
    (made / "cases" / "one").mkdir(parents=True)
    (made / "cases" / "one" / "sim.json").write_text(json.dumps(PUSH))
    (made / "cases" / "one" / "expected.jsonl").write_text(json.dumps(ELSEWHERE))
    other = {SETUP.id: SETUP._replace(step_up=SETUP.step_up + 1), 0x0A000001: b"RIFX and more"}
    for name, more in (("a", {0x0A000001: b"RIFF"}), ("b", other)):
        (made / name).mkdir()
        portal = {key: r if isinstance(r, bytes) else encode(r) for key, r in (PORTAL | more).items()}
        write_dat(made / name / "client_portal.dat", portal, DatKind.PORTAL)
        write_dat(
            made / name / "client_cell_1.dat", {key: encode(r) for key, r in CELL.items()}, DatKind.CELL
        )
    return made


@pytest.fixture(scope="module")
def printed(folder: Path) -> Printed:
    """The documents that a command prints, each run once."""

    @cache
    def run(name: str, *form: str) -> list[Any]:
        if name == "replay":
            run("sim")  # it records what is replayed
            first = (folder / "capture.jsonl").read_text().split("\n", 1)[0]
            (folder / "again.jsonl").write_text(first)
        out, err = io.StringIO(), io.StringIO()
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            patch.chdir(folder)
            code = main([*COMMANDS[name], *(form or ("--json",))])
        assert code in (0, 1), err.getvalue()
        return [json.loads(line) for line in out.getvalue().splitlines()]

    return run


@pytest.mark.parametrize(
    "told",
    [pytest.param(t, marks=[pytest.mark.gl] * ("pick" in t.commands)) for t in TOLD],
    ids=lambda told: f"{told.path.stem} {told.begins}",
)
def test_what_a_page_says_that_commands_print_is_printed(printed: Printed, told: Told) -> None:
    """Every key where it is said to be, an object or a list as sketched, and each seen at least once."""
    form = read_form(sketch(told.path, told.begins))
    for command in told.commands:
        seen: set[str] = set()
        for document in told.part(printed(command)):
            missing = set(lacking(form, document, seen))
            assert missing <= told.seldom, f"{command}: {missing}"
        assert paths(form) <= seen, f"{command}: {paths(form) - seen} stand nowhere in what is printed"


WORDS = (
    (PROMISES, "* Each tick's line holds", "sim", {"true"}),
    (PROMISES, "A replay has one result a record", "replay", {"true"}),
    (PROMISES, '`--json`: `{"root"', "pvs", {"true", "CELL"}),
    (PROMISES, '`--json`: `{"cell"', "cell", set()),
    (PROMISES, "`doctor --json` has the same form", "doctor", {"null", "doctor"}),
)


@pytest.mark.parametrize("told", WORDS, ids=[f"{path.stem} {begins}" for path, begins, _, _ in WORDS])
def test_the_keys_that_a_paragraph_names_are_in_what_the_command_prints(
    printed: Printed, told: tuple[Path, str, str, set[str]]
) -> None:
    path, begins, command, others = told
    text = path.read_text(encoding="utf-8")
    paragraph = text[text.index("\n" + begins) + 1 :].split("\n", 1)[0]
    named = {
        word
        for span in re.findall("`([^`]+)`", paragraph)
        if re.fullmatch(r"[a-z_]+(, [a-z_]+)*|[a-z_]+: \[.*", span)
        for word in re.findall(r"[a-z_]+", span.split(":")[0])
    } - others
    assert named and named <= keys_of(printed(command)), named - keys_of(printed(command))


OF_COMMANDS = {heading.split()[-1].strip("-"): heading for heading in json_page.headings(level=2)}
"""The headings of docs/json.md by the commands that they are of."""
NOT_HERE = {
    ("bench", "results.figures.*"), ("dat diff", "fields.a_letters"), ("dat diff", "fields.b_letters"),
    ("dat diff", "fields_left_out"),
    ("dat grep", "bytes"), ("dat grep", "more"),
    ("pvs", "missing.cell"), ("pvs", "missing.portal"), ("pvs", "missing.other"),
    ("With --jsonl", "figures.file"), ("With --jsonl", "figures.id"),
    ("With --jsonl", "figures.records"), ("With --jsonl", "figures.off"),
    *(("bench", f"results.figures.{word}_us") for word in ("measured", "scaled", "target")),
    *(("bench", f"results.figures.{word}_times") for word in ("measured", "scaled", "target")),
}  # fmt: skip
"""What these worlds have no occasion to print."""


@pytest.mark.gl
def test_every_key_that_a_command_prints_is_told_and_every_key_that_is_told_is_printed(
    printed: Printed,
) -> None:
    seen: set[json_page.Origin] = set()
    for name in COMMANDS:
        keys = json_page.told(OF_COMMANDS[name.split()[0]])
        assert sorted(set(json_page.untold(printed(name), keys, seen))) == [], name
    lines = printed("audit", "--jsonl", "--landblock", "0xA9B4") + printed("check", "--jsonl")
    for line in lines:
        below = {"results": []} if "results" in line else {}
        keys = json_page.told("With --jsonl")
        assert sorted(set(json_page.untold({**line, **below}, keys, seen))) == []
    of_page = {origin for heading in OF_COMMANDS.values() for origin in json_page.told(heading).values()}
    assert sorted(of_page - seen) == sorted(NOT_HERE)
