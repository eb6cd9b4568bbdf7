"""Writing a bug folder: one key, and somebody else can see what was seen and run it again."""

from __future__ import annotations

import json
import platform
import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from engine import VERSION
from engine.files.dated import dated_path
from engine.files.write import whole_folder, write_text
from engine.physics.enums import TICKS_PER_SECOND
from engine.physics.simulation.simulation import Simulation
from engine.replay.case_names import DUMPS_NAME
from engine.replay.cases import CaseResult, run_case
from engine.replay.history.stretch import put_down_by_hand, write_capture, write_script
from engine.replay.history.surroundings import Dumped, scene_object, write_surroundings
from engine.replay.told import steps_of
from engine.world.loading.world import World
from engine.world.sources.scene_file import SceneFile
from engine.world.sources.scene_text import format_scene
from viewer.how_started import runs_here
from viewer.picture.picture_file import write_picture
from viewer.report.picture_report import plain
from viewer.report.timeline_report import tick_name
from viewer.user_folders import pictures_folder
from viewer.window.sharing.bug_facts import LIBRARIES, BugDumps, Facts
from viewer.window.sharing.bug_folder import CAPTURE_NAME, FACTS_NAME, PICTURE_NAME, REPORT_NAME, SCENE_NAME
from viewer.window.sharing.bug_readme import README_NAME, readme
from viewer.window.sharing.copied_command import left_out, render_command
from viewer.window.walking.walk import Walk

if TYPE_CHECKING:
    from PIL import Image

STRETCH_SECONDS, MOST_SECONDS = 10, 60  # usually; where the body is held since before that
MOST_NAMED = 3  # of what dumps lack
MOST_NAMES = 9  # that other windows may take first, all at once
DEMO_NAME = "demo"  # as its source calls itself
NO_TICK = "there is no tick to hand on yet"
OF_A_CAPTURE = "this tick is a record of the capture that is played: hand that file on, no input leads to it"


def write_bug(
    walk: Walk,
    picture: Callable[[], Image.Image],
    *,
    size: tuple[int, int],
    driver: str,
    with_dumps: bool = False,
) -> str:
    """Write the last seconds up to the tick shown, and what is seen now; a line that says where.

    What holds the body then is met within them, as far as it can be; what was done since the tick shown,
    while time stood still, goes with them. Records of a capture do not: no input leads there. The walk is
    afterwards as it was, to the bit.

    ``picture`` gives the picture that is seen, of a size in pixels; ``driver`` draws it. ``with_dumps`` puts
    the geometry around into it, so that it can be opened without these dats.
    """
    history = walk.history
    last = history.shown
    first = _first_tick(walk)
    if first == last:
        return NO_TICK if last == history.first or history.at(last).can_be_told else OF_A_CAPTURE
    seen = picture()  # a request to end amid the folder is raised wherever it comes: no place for OpenGL
    for left in reversed(range(MOST_NAMES)):
        place = dated_path(pictures_folder(), "bug")
        try:
            warnings = _write_folder(
                place, walk, seen, (first, last), size=size, driver=driver, with_dumps=with_dumps
            )
            break
        except FileExistsError as error:  # as where another window has taken the name meanwhile
            if not left:
                return f"{error.filename}: not written: {error.strerror}"
        except OSError as error:
            return f"{error.filename}: not written: {error.strerror}"
    what = " with dumps" if with_dumps else ""
    command = runs_here(shlex.join(["holtwalk", "open", str(place)]))
    return "; ".join([f"saved {place}{what}", f"{command} shows it", *warnings])


def _write_folder(
    place: Path,
    walk: Walk,
    picture: Image.Image,
    stretch: tuple[int, int],
    *,
    size: tuple[int, int],
    driver: str,
    with_dumps: bool,
) -> list[str]:
    """Write the folder of the ticks after the first and up to the last; what is to be said of it."""
    first, last = stretch
    history = walk.history
    with whole_folder(place) as folder:
        facts = _facts(walk, size, driver, (first + 1, last))
        report = walk.report()
        write_picture(picture, folder / PICTURE_NAME)
        write_script(history, first, last, folder)
        again = write_capture(history, first, last, folder / CAPTURE_NAME)
        write_text(folder / REPORT_NAME, json.dumps(plain(report), indent=1) + "\n")
        write_text(folder / SCENE_NAME, format_scene(_brought(walk.simulation)))
        facts, other = replace(facts, told_again=again.words), again.first_other is not None
        warnings = [again.words] if other else []
        if with_dumps:
            dumped, case = _write_dumps(walk, (first, last), folder)
            lost = _lost_line(dumped)
            came = "; ".join(filter(None, (case.describe(), lost)))
            facts = replace(facts, dumps=BugDumps(dumped, came))
            warnings += [] if case.passed else [f"in its dumps it comes out otherwise: {case.detail}"]
            warnings += [lost] if lost else []
        text = readme(facts, everywhere=is_everywhere(walk.simulation.world))
        write_text(folder / README_NAME, text)
        write_text(folder / FACTS_NAME, json.dumps(facts.to_json(), indent=1) + "\n")
    return warnings


def _first_tick(walk: Walk) -> int:
    """The tick after which the stretch begins: before that one in which what holds the body was met.

    And none before a tick that can't be told again.
    """
    history, last = walk.history, walk.history.shown
    free, earliest = last, max(history.first, last - MOST_SECONDS * TICKS_PER_SECOND)
    while free > earliest and walk.watch.is_held(history.kept_at(walk.watch, free)):
        free -= 1
    first = max(earliest, min(free, last - STRETCH_SECONDS * TICKS_PER_SECOND))
    return max([first, *(m.tick for m in history.stretch(first + 1, last) if not m.can_be_told)])


def is_everywhere(world: World) -> bool:
    """Whether whoever has the program has this world, too: the demo's geometry is the project's own."""
    return world.source.name == DEMO_NAME


def _write_dumps(walk: Walk, stretch: tuple[int, int], folder: Path) -> tuple[Dumped, CaseResult]:
    """Write what lies around a stretch of ticks, and run the stretch in it: how much, and what it came to."""
    first, last = stretch
    history = walk.history
    seen = () if walk.seen is None else [row.cell for row in walk.seen.cells]
    reports = [moment.report for moment in history.stretch(first, last)]
    reports.append(walk.simulation.report())  # who was put elsewhere since is there now
    world, by_hand = walk.simulation.world, put_down_by_hand(history, first, last)
    dumped = write_surroundings(world, reports, seen, folder / DUMPS_NAME, by_hand=by_hand)
    return dumped, run_case(folder)


def _lost_line(dumped: Dumped) -> str:
    """What the dumps lack, in words; empty for nothing."""
    if not dumped.lost:
        return ""
    more = len(dumped.lost) - MOST_NAMED
    names = ", ".join(dumped.lost[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
    return f"its dumps lack {names}, which the world's files give no longer"


def _brought(simulation: Simulation) -> SceneFile:
    """The entities as they came: what became of them before the stretch stands in its script."""
    return SceneFile(objects=tuple(map(scene_object, simulation.objects.brought.values())))


def _facts(walk: Walk, size: tuple[int, int], driver: str, stretch: tuple[int, int]) -> Facts:
    """What is known before anything is written; ``stretch`` is its first and its last tick."""
    camera = walk.camera
    first, last = stretch
    return Facts(
        asked=asked_line(walk),
        blocked=walk.blocked,
        location=walk.location(),
        look=(camera.yaw, camera.pitch),
        third_person=camera.third_person,
        offset=camera.offset if camera.third_person else None,
        distance=camera.distance,
        size=size,
        modes=tuple(walk.modes),
        hour=walk.clock.hour,
        clouds=walk.clock.clouds,
        day_group=walk.clock.group,
        world_name=walk.simulation.world.source.name,
        world_words=tuple(walk.world_words),
        versions=tuple(versions(driver).items()),
        first=first,
        last=last,
        tick=last,
        staged=_staged_line(walk),
        command=render_command(walk, size),
        left_out=left_out(walk),
    )


def _staged_line(walk: Walk) -> str:
    """What was done since the tick shown, as the steps that the script ends with; empty for nothing."""
    done = steps_of(walk.history.pending)
    if not done:
        return ""
    steps = ", ".join(json.dumps(step) for step in done)
    return f"done after {tick_name(walk.history.shown)}, while time stood still: {steps}"


def asked_line(walk: Walk) -> str:
    """What was asked of the body in the tick shown and what came of it, in one line."""
    report = walk.simulation.report()
    x, y, z = report.requested
    ax, ay, az = report.moved
    asked = f"asked to move ({x:.3f} {y:.3f} {z:.3f}), moved ({ax:.3f} {ay:.3f} {az:.3f}) m"
    asked = f"{tick_name(report.tick)}: {asked}"
    return f"{asked}; {walk.blocked}" if walk.blocked else asked


def versions(driver: str) -> dict[str, str]:
    """What the program and what lies under it are called."""
    from importlib import metadata  # loading it takes long, and most walks write no report

    found = {"holtwalk": VERSION, "python": platform.python_version(), "platform": platform.platform()}
    for name in LIBRARIES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return {**found, "driver": driver}
