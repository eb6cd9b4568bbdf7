"""``holtwalk probe``: words, JSON, states to be set first, and what it refuses."""

from __future__ import annotations

from tests.viewer.programs import Program

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
