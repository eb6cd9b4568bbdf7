"""A bug folder: a stretch of a walk with all that somebody else needs to see it; how it is read."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.files.shown import name_of
from engine.physics.enums import TICK
from engine.replay.begin import Begin, go_to_begin
from engine.replay.case_names import SCRIPT_NAME
from engine.replay.sim import run_steps
from engine.replay.sim_script import SimScript, read_script, ticks_of
from engine.visibility.camera import Camera
from engine.world.sources.json_node import JsonError
from viewer.report.progress import Progress
from viewer.tables.modes import parse_modes
from viewer.user_error import BadValueError, UserError
from viewer.window.sharing.bug_facts import Facts, read_facts
from viewer.window.walking.walk import Walk

FACTS_NAME: Final = "bug.json"
CAPTURE_NAME: Final = "capture.jsonl"
PICTURE_NAME: Final = "picture.png"
REPORT_NAME: Final = "report.json"
SCENE_NAME: Final = "scene.json"
QUIET: Final = 2.0  # seconds of running a script until it is said how far it is


@dataclass(frozen=True, slots=True)
class Bug:
    """A bug folder: what it tells, and the script of its stretch with where that begins."""

    folder: Path
    facts: Facts
    script: SimScript
    begin: Begin

    @property
    def name(self) -> str:
        """What its folder is called."""
        return name_of(self.folder)


def is_bug_folder(path: Path) -> bool:
    """Whether a path is a folder that says so of itself."""
    return os.path.isfile(path / FACTS_NAME)  # not where that may not be known


def read_bug(folder: Path) -> Bug:
    """The bug of a folder. UserError with one line where it is none or can't be read."""
    if not is_bug_folder(folder):
        if is_bug_folder(folder.parent) and folder.is_file():
            raise UserError(f"{folder}: is a file of the bug folder {folder.parent}: name that")
        with suppress(PermissionError):
            if not folder.exists():
                raise UserError(f"{folder}: there is no such folder")
        raise UserError(f"{folder}: is no bug folder: it has no {FACTS_NAME}")
    try:
        facts = read_facts(folder / FACTS_NAME)
        script = read_script(folder / SCRIPT_NAME, pipes=False)  # a window would stand still for it
    except JsonError as error:
        raise UserError(str(error)) from error
    if script.begin is None:
        raise UserError(f"{folder / SCRIPT_NAME}: has no 'begin': it was not written by the bug key")
    return Bug(folder, facts, script, script.begin)


def _run(walk: Walk, bug: Bug) -> None:
    """Run a bug's script; how far it is is told where that takes long, which no stretch of ours does.

    The clouds drift along, so that every tick has its own. What the script does after its last tick is done.
    """
    progress = Progress(bug.name, asked=True, quiet=QUIET)
    progress.total = sum(ticks_of(step) for step in bug.script.steps)
    facts, clock = bug.facts, walk.clock
    clock.put(facts.hour, _clouds_at(facts, bug.begin.tick), facts.day_group)
    walk.camera.third_person = facts.third_person
    walk.history.begin_anew()
    clock.clouds = _clouds_at(facts, bug.begin.tick + 1)
    for number, report in enumerate(run_steps(walk.simulation, bug.script), 1):
        clock.clouds = _clouds_at(facts, report.tick + 1)
        progress(number, f"tick {number}")
    progress.make_way()


def _clouds_at(facts: Facts, tick: int) -> float:
    return max(0.0, facts.clouds + (tick - facts.tick) * TICK)


def open_bug(walk: Walk, bug: Bug) -> str:
    """Let a walk that was begun anew go through a bug's stretch and show its tick; a line that says so.

    UserError for modes that there are not, and where the stretch needs what is not in the walk's world.
    """
    facts = bug.facts
    modes = _modes_of(bug)
    try:
        go_to_begin(walk.simulation, bug.begin)
        _run(walk, bug)
    except ValueError as error:
        raise UserError(f"{bug.folder / SCRIPT_NAME}: {error}: the stretch can't be run here") from error
    walk.modes = modes
    said = walk.travel.show(facts.tick)
    walk.clock.put(facts.hour, facts.clouds, facts.day_group)
    _look_as(walk.camera, facts)
    walk.began = walk.location()  # what one calls the start from now on
    asked = f": {facts.asked}" if facts.asked else ""
    if facts.blocked and facts.blocked != walk.blocked:
        asked += "; that was met before the first tick of the folder, or not in this world: panels can't tell"
    return f"{bug.name}, {said}{asked}"


def _look_as(camera: Camera, facts: Facts) -> None:
    """Look as it was looked when the folder was written; a camera on its way there goes on."""
    camera.third_person = facts.third_person
    camera.target_yaw, camera.target_pitch = facts.look
    camera.distance = facts.distance if facts.distance is not None else camera.distance
    camera.settle()
    if facts.third_person and facts.offset is not None:
        camera.offset = facts.offset


def _modes_of(bug: Bug) -> tuple[str, ...]:
    try:
        return parse_modes(",".join(bug.facts.modes)) if bug.facts.modes else ()
    except BadValueError as error:
        raise UserError(f"{bug.folder / FACTS_NAME}: modes: {error}") from error
