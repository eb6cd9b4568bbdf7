"""A bug folder: a stretch of a walk with all that somebody else needs to see it; how it is read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.files.format_version import BUG
from engine.files.shown import shown
from engine.replay.begin import Begin, go_to_begin
from engine.replay.case_names import SCRIPT_NAME
from engine.replay.sim import run_steps
from engine.replay.sim_script import SimScript, read_script
from engine.replay.told import exact_numbers
from engine.world.sources.json_node import JsonError, Node, read_json
from viewer.tables.shared_options import WORLD_OPTIONS
from viewer.user_error import UserError
from viewer.window.walking.walk import Walk

FACTS_NAME: Final = "bug.json"
CAPTURE_NAME: Final = "capture.jsonl"
PICTURE_NAME: Final = "picture.png"
REPORT_NAME: Final = "report.json"
SCENE_NAME: Final = "scene.json"


@dataclass(frozen=True, slots=True)
class Facts:
    """What was asked, at which tick, in which world, seen how.

    ``look`` is yaw and pitch in degrees; ``world_words`` are the options that open the world where it was
    written, ``world_name`` what it was called there.
    """

    asked: str
    tick: int
    look: tuple[float, float]
    third_person: bool
    modes: tuple[str, ...]
    hour: float
    world_words: tuple[str, ...]
    world_name: str


@dataclass(frozen=True, slots=True)
class Bug:
    """A bug folder: what it tells, and the script of its stretch with where that begins."""

    folder: Path
    facts: Facts
    script: SimScript
    begin: Begin


def is_bug_folder(path: Path) -> bool:
    """Whether a path is a folder that says so of itself."""
    return (path / FACTS_NAME).is_file()


def read_facts(path: Path) -> Facts:
    """What a file tells of a bug. Raises JsonError with one line."""
    return parse_facts(Node(read_json(path), str(path)))


def parse_facts(node: Node) -> Facts:
    """What a document tells of a bug; errors as ``read_facts``."""
    node.of_form(BUG)
    world = node.get("world")
    yaw, pitch = exact_numbers(node.get("look"), 2)
    return Facts(
        asked=node.get("asked").text() if node.has("asked") else "",
        tick=node.get("tick").whole(),
        look=(yaw, max(-89.0, min(pitch, 89.0))),
        third_person=node.get("third_person").flag(),
        modes=tuple([member.text() for member in node.items("modes")]),
        hour=node.get("hour").exact() % 24.0,
        world_words=tuple(_world_words(world.items("words"))),
        world_name=world.get("name").text(),
    )


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
            yield value.text()


def read_bug(folder: Path) -> Bug:
    """The bug of a folder. UserError with one line where it is none or can't be read."""
    if not is_bug_folder(folder):
        raise UserError(f"{folder}: is no bug folder: it has no {FACTS_NAME}")
    try:
        facts, script = read_facts(folder / FACTS_NAME), read_script(folder / SCRIPT_NAME)
    except JsonError as error:
        raise UserError(str(error)) from error
    if script.begin is None:
        raise UserError(f"{folder / SCRIPT_NAME}: has no 'begin': it was not written by the bug key")
    return Bug(folder, facts, script, script.begin)


def open_bug(walk: Walk, bug: Bug) -> str:
    """Let a walk that was begun anew go through a bug's stretch and show its tick; a line that says so."""
    simulation, facts = walk.simulation, bug.facts
    go_to_begin(simulation, bug.begin)
    walk.history.begin_anew()
    for _ in run_steps(simulation, bug.script):
        pass
    walk.camera.third_person = facts.third_person
    said = walk.travel.show(facts.tick)
    walk.camera.target_yaw, walk.camera.target_pitch = facts.look
    walk.camera.settle()
    asked = f": {facts.asked}" if facts.asked else ""
    return f"{bug.folder.name}, {said}{asked}"
