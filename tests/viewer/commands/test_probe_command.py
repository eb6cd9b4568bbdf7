"""``holtwalk probe``: words, JSON, states to be set first, and what it refuses."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.viewer.programs import Program
from viewer.main import main

if TYPE_CHECKING:
    import pytest

DOOR = ("probe", "0x7A9B4015", "--demo", "--spacing", "0.5")


def test_a_closed_door_blocks_and_the_table_says_by_which_part(program: Program) -> None:
    lines = program.run(*DOOR).splitlines()
    assert lines[0] == "door 0x7A9B4015 blocks across its doorway, from both sides"
    rows = [line.split("|")[1] for line in lines if line.endswith("|")]
    assert rows and set("".join(rows)) <= set("012")
    assert any("stopped by door 0x7A9B4015, part 0 (0x010044B5)" in line for line in lines)


def test_a_door_used_first_is_passed(program: Program) -> None:
    document = program.json(*DOOR, "--use", "0x7A9B4015")
    assert document["ethereal"] and document["passes"]
    assert {pin["outcome"] for pin in document["pins"]} == {"passed"}
    assert program.json(*DOOR, "--state", "0x7A9B4015=0x1000C")["passes"]


def test_what_no_scene_places_needs_a_place(program: Program) -> None:
    assert "name a place near it with --at" in program.complaint("probe", "0x12345678", "--demo")
    there = ("--at", "0xA9B40164")
    assert "no entity 0x12345678" in program.complaint("probe", "0x12345678", "--demo", *there)


def test_why_a_spawn_list_has_no_such_entity_is_said_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spawns = tmp_path / "f.sql"
    columns = "guid, weenie_Class_Id, obj_Cell_Id, origin_X, origin_Y, origin_Z"
    row = "(0x12345678, 412, 'nan', 1, 1, 1)"
    spawns.write_text(f"INSERT INTO landblock_instance ({columns}) VALUES {row};\n", encoding="utf-8")
    assert main(["probe", "0x12345678", "--demo", "--spawns", str(spawns)]) == 2
    why, refusal = capsys.readouterr().err.splitlines()
    assert why.startswith(f"holtwalk: {spawns}, line 1: ")
    assert "name a place near it with --at" in refusal
