"""Rooms by their names and sizes: what somebody looks for stands in one place, and no folder is crowded."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Final

from tests.places import ROOT

COMMAND_AND_ITS_ROOM: Final = {"bench", "pick", "replay", "sim", "tour", "walk"}
"""Named for the command: ``viewer/commands/NAME.py`` is a word about the room of that name."""

CROWDED: Final = {
    "engine/dat/records": "a codec a type of record",
    "engine/physics/transition": "state and rules of one sweep, cut by its order",
    "engine/visibility": "the flood, with all that it is cut by, beside its wing `why`",
}
"""Folders with more rooms than others may have, each with the reason."""

MOST: Final = 20


def test_no_two_rooms_of_the_program_have_one_name() -> None:
    rooms: defaultdict[str, list[str]] = defaultdict(list)
    for package in ("engine", "viewer"):
        for path in (ROOT / package).rglob("*.py"):
            if not path.name.startswith("__"):
                rooms[path.stem].append(path.relative_to(ROOT).as_posix())
    twice = {name: paths for name, paths in rooms.items() if len(paths) > 1}
    assert {*twice} == COMMAND_AND_ITS_ROOM
    assert all(f"viewer/commands/{name}.py" in paths and len(paths) == 2 for name, paths in twice.items())


def test_no_folder_is_crowded() -> None:
    """What is too much for one is cut into wings; tests stand in the wings of what they test."""
    rooms: Counter[str] = Counter()
    for top in ("engine", "viewer", "scripts", "tests"):
        for path in (ROOT / top).rglob("*.py"):
            rooms[path.parent.relative_to(ROOT).as_posix()] += path.stem != "__init__"
    assert {folder for folder, count in rooms.items() if count > MOST} == {*CROWDED}
