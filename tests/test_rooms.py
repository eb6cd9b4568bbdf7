"""Rooms by their names and sizes: what somebody looks for stands in one place, and no folder is crowded."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from tests.places import ROOT

COMMAND_AND_ITS_ROOM: Final = {"bench", "pick", "replay", "sim", "tour", "walk"}
"""Named for the command: ``viewer/commands/NAME.py`` is a word about the room of that name."""

CUT: Final = ("viewer/window", "viewer/overlay", "viewer/commands", "tests/viewer")
"""Folders that were crowded once, cut into wings of an idea each; what is new goes into one of them."""

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


def test_no_folder_that_was_cut_is_crowded_again() -> None:
    folders = {path.parent for name in CUT for path in (ROOT / name).rglob("*.py")}
    rooms = {folder: [path for path in folder.glob("*.py") if path.stem != "__init__"] for folder in folders}
    assert [str(folder.relative_to(ROOT)) for folder, paths in rooms.items() if len(paths) > MOST] == []
