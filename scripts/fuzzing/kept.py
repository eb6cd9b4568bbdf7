"""What the window keeps, or hands on, and reads again: bookmarks, and what a bug folder tells."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any, Final

from engine.files.write import write_bytes
from engine.world.sources.json_node import JsonError, Node, read_json
from scripts.fuzzing.samples import PLACE
from viewer.tables.shared_options import WORLD_OPTIONS
from viewer.window.sharing.bug_facts import parse_facts
from viewer.window.walking.going import Bookmarks

BOOKMARKS: Final = f'# mine\n"the door" = "{PLACE}"\ncellar = "{PLACE}" # below\n'
FACTS: Final[dict[str, Any]] = {
    "holtwalk": {"format": "bug", "version": 1},
    "asked": "tick 7: asked to move",
    "look": [12.5, -3.0],
    "third_person": False,
    "modes": ["portals"],
    "hour": 12.0,
    "world": {"name": "demo", "words": ["--demo", "--scene", "doors.json", "--no-doors"]},
    "tick": 7,
}
NO_UTF_8: Final = "\udcff"
NAMES: Final = ("new", "a\nb", "\x7f", "\0", "\u2028", NO_UTF_8, "", '"', "\\", "# x", "[a]", "cellar")


def use_bookmarks(folder: Path, data: bytes, dice: Random) -> list[str]:
    """A damaged file of bookmarks, one more put into it; what it complains of."""
    write_bytes(folder / "bookmarks.toml", data)
    marks = Bookmarks(folder)
    if marks.complaint:
        marks.put("new", PLACE)
        if (folder / "bookmarks.toml").read_bytes() != data:
            raise AssertionError("a file that makes no sense was written into")
        return [marks.complaint]
    name = dice.choice(NAMES)
    before = dict(marks.places) if name == NO_UTF_8 else {**marks.places, name: PLACE}
    is_refused = marks.put(name, PLACE).endswith("; not written")
    again = Bookmarks(folder)
    if again.complaint or again.places != before or is_refused != (name == NO_UTF_8):
        raise AssertionError(f"bookmarks were lost: {before!r:.200}, {again.complaint}")
    return []


def use_facts(folder: Path, data: bytes) -> None:
    """What a damaged bug folder tells: its options are those that open a world, each with its value."""
    write_bytes(folder / "bug.json", data)
    facts = parse_facts(Node(read_json(folder / "bug.json"), "bug.json"))
    words = iter(facts.world_words)
    for word in words:
        option = next((option for option in WORLD_OPTIONS if option.name == word), None)
        if option is None or (option.metavar and next(words, "-").startswith("-")):
            raise AssertionError(f"a world by {facts.world_words!r:.200}")


def refuse(complaints: list[str]) -> None:
    """Complaints count as a refusal."""
    if complaints:
        raise JsonError(complaints[0])
