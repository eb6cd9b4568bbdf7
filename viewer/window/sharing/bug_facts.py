"""What a bug folder tells of itself, ``bug.json``: one record, which is written and read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from engine.files.format_version import BUG, stamp
from engine.files.json_form import Json
from engine.files.shown import can_be_a_name, shown
from engine.replay.history.surroundings import Dumped
from engine.replay.told import exact_numbers
from engine.visibility.camera import MAX_HORIZONTAL, MAX_VERTICAL, MIN_DISTANCE, MIN_VERTICAL
from engine.world.sources.json_node import Node, read_json
from viewer.tables.shared_options import WORLD_OPTIONS

LIBRARIES: Final = ("moderngl", "moderngl-window", "pyglet", "numpy", "imgui-bundle", "pillow")


@dataclass(frozen=True, slots=True)
class BugDumps:
    """What the folder's dumps hold, and what came of the stretch when it was run in them, in one line."""

    dumped: Dumped
    told_again: str


@dataclass(frozen=True, slots=True)
class Facts:
    """What was asked, at which tick, in which world, seen how, and who says so.

    ``first`` to ``last`` are the ticks of the stretch, ``tick`` the one that was shown. ``look`` is yaw and
    pitch in degrees, ``size`` the picture's in pixels. ``world_words`` are the options that open the world
    where it was written, ``world_name`` what it was called there. ``clouds`` are the seconds that the clouds
    had drifted for, ``day_group`` the kind of day. ``offset`` is where a camera in third person stands from
    the pivot, ``distance`` how far it is zoomed away, metres. ``staged`` says what was done after the tick
    while time stood still: the script ends with it. ``blocked`` says what held the body, empty where nothing
    did. ``command`` draws the picture but for what is ``left_out``; ``told_again`` says whether the stretch
    came to the same twice; ``versions`` is by name of program, library, system and driver. A folder that
    somebody made by hand may leave out what has a value here.
    """

    tick: int
    look: tuple[float, float]
    third_person: bool
    modes: tuple[str, ...]
    hour: float
    world_words: tuple[str, ...]
    world_name: str
    clouds: float = 0.0
    day_group: int | None = None
    asked: str = ""
    blocked: str = ""
    location: str = ""
    size: tuple[int, int] | None = None
    versions: tuple[tuple[str, str], ...] = ()
    first: int | None = None
    last: int | None = None
    offset: tuple[float, float] | None = None
    distance: float | None = None
    staged: str = ""
    command: str = ""
    left_out: str = ""
    told_again: str = ""
    dumps: BugDumps | None = None

    @property
    def written_by(self) -> str:
        """The version of the program that wrote it; empty where that isn't told."""
        return dict(self.versions).get("holtwalk", "")

    def to_json(self) -> Json:
        """The document, with what is known only."""
        told: Json = {
            "asked": self.asked,
            "blocked": self.blocked,
            "location": self.location,
            "look": list(self.look),
            "third_person": self.third_person,
            "offset": None if self.offset is None else list(self.offset),
            "distance": self.distance,
            "size": None if self.size is None else list(self.size),
            "modes": list(self.modes),
            "hour": self.hour,
            "clouds": self.clouds,
            "day_group": self.day_group,
            "world": {"name": self.world_name, "words": list(self.world_words)},
            "versions": dict(self.versions),
            "first": self.first,
            "last": self.last,
            "tick": self.tick,
            "staged": self.staged,
            "command": self.command,
            "left_out": self.left_out,
            "told_again": self.told_again,
        }
        if self.dumps is not None:
            much = asdict(self.dumps.dumped)
            del much["lost"]  # ``told_again`` says it in words
            told["dumps"] = {**much, "told_again": self.dumps.told_again}
        return {**stamp(BUG), **{key: value for key, value in told.items() if value is not None}}


def read_facts(path: Path) -> Facts:
    """What a file tells of a bug. Raises JsonError with one line."""
    return parse_facts(Node(read_json(path, pipes=False), str(path)))


def parse_facts(node: Node) -> Facts:
    """What a document tells of a bug; errors as ``read_facts``."""
    node.of_form(BUG)
    world = node.get("world")
    yaw, pitch = exact_numbers(node.get("look"), 2)
    first, last = (node.get(key).whole() if node.has(key) else None for key in ("first", "last"))
    tick = node.get("tick").whole()
    if (first is not None and tick < first) or (last is not None and tick > last):
        node.get("tick").fail(f"{tick} is not of the stretch from {first} to {last}")
    return Facts(
        tick=tick,
        look=(yaw, max(-89.0, min(pitch, 89.0))),
        third_person=node.get("third_person").flag(),
        modes=tuple([member.text() for member in node.items("modes")]),
        hour=node.get("hour").exact() % 24.0,
        world_words=tuple(_world_words(world.items("words"))),
        world_name=world.get("name").text(),
        clouds=max(0.0, node.get("clouds").exact()) if node.has("clouds") else 0.0,
        day_group=node.get("day_group").whole() if node.has("day_group") else None,
        asked=_text(node, "asked"),
        blocked=_text(node, "blocked"),
        location=_text(node, "location"),
        size=_size(node.get("size")) if node.has("size") else None,
        versions=_versions(node.get("versions")) if node.has("versions") else (),
        first=first,
        last=last,
        offset=_offset(node.get("offset")) if node.has("offset") else None,
        distance=_distance(node.get("distance")) if node.has("distance") else None,
        staged=_text(node, "staged"),
        command=_text(node, "command"),
        left_out=_text(node, "left_out"),
        told_again=_text(node, "told_again"),
        dumps=_dumps(node.get("dumps")) if node.has("dumps") else None,
    )


def _text(node: Node, key: str) -> str:
    return node.get(key).text() if node.has(key) else ""


def _size(node: Node) -> tuple[int, int]:
    members = [member.whole() for member in node.members()]
    if len(members) != 2 or min(members) < 1:
        node.fail("expected a width and a height in pixels")
    return members[0], members[1]


def _offset(node: Node) -> tuple[float, float]:
    forward, up = exact_numbers(node, 2)
    return max(-MAX_HORIZONTAL, min(forward, MAX_HORIZONTAL)), max(MIN_VERTICAL, min(up, MAX_VERTICAL))


def _distance(node: Node) -> float:
    return max(MIN_DISTANCE, min(node.exact(), MAX_VERTICAL))


def _versions(node: Node) -> tuple[tuple[str, str], ...]:
    return tuple([(name, node.get(name).text()) for name in node.mapping() if node.has(name)])


def _dumps(node: Node) -> BugDumps:
    cells, models, size = (node.get(key).whole() for key in ("cells", "models", "size"))
    return BugDumps(Dumped(cells, models, size), node.get("told_again").text())


def _world_words(members: list[Node]) -> Iterator[str]:
    """The options that open a world, and no other: some write files, and the folder is somebody else's."""
    options = {option.name: option for option in WORLD_OPTIONS}
    left = iter(members)
    for member in left:
        option = options.get(member.text())
        if option is None:
            member.fail(f"'{shown(member.value)}' is no option that opens a world")
        yield option.name
        if option.metavar:
            value = next(left, None)
            if value is None or value.text().startswith("-"):
                member.fail(f"{option.name} has no {option.metavar}")
            if not can_be_a_name(value.text()):
                value.fail(f"'{shown(value.text())}' can be no file's name")
            yield value.text()
