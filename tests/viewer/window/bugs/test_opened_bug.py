"""An opened bug folder shows what was on the screen when it was written."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from engine.physics.enums import TICK
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.saved import save
from engine.physics.simulation.tick_report import TickReport
from engine.replay.begin import begin_document, begin_of
from engine.replay.cases import run_case
from engine.replay.history.surroundings import Dumped
from engine.replay.told import placed_document, steps_of
from engine.world.loading.world import World
from engine.world.sources.open_source import SourceArguments
from tests.needed import posix
from tests.places import DEMO
from tests.viewer.goings import walking
from tests.viewer.window.bugs.bug_walks import DOOR, SIZE, folder_of, write
from viewer.main import main
from viewer.user_error import UserError
from viewer.window.sharing import bug_report
from viewer.window.sharing.bug_folder import open_bug, read_bug
from viewer.window.sharing.copied_command import render_command
from viewer.window.walking.walk import Walk


def test_the_start_of_an_opened_bug_is_where_it_was_opened(walk: Walk, tmp_path: Path) -> None:
    write(walk)
    shown = walk.location()
    [folder] = [path.parent for path in tmp_path.glob("*/bug.json")]
    again = walking()
    assert again.began != shown
    open_bug(again, read_bug(folder))
    assert (again.began, again.location()) == (shown, shown)


def test_a_file_of_a_bug_folder_is_not_told_as_a_folder_without_it(walk: Walk, tmp_path: Path) -> None:
    folder = folder_of(write(walk))
    with pytest.raises(UserError) as caught:
        read_bug(folder / "bug.json")
    assert str(caught.value) == f"{folder / 'bug.json'}: is a file of the bug folder {folder}: name that"
    with pytest.raises(UserError, match=r"is no bug folder: it has no bug\.json"):
        read_bug(tmp_path)
    with pytest.raises(UserError, match="there is no such folder"):
        read_bug(tmp_path / "nope")


@posix("pipes")
@pytest.mark.parametrize("name", ["bug.json", "sim.json"])
def test_a_pipe_in_a_bug_folder_is_refused_at_once(walk: Walk, name: str) -> None:
    """A window that such a folder was dropped on stood still for half a minute."""
    folder = folder_of(write(walk))
    (folder / name).unlink()
    os.mkfifo(folder / name)
    with pytest.raises(UserError, match=r"it is a pipe, not a file|is no bug folder"):
        read_bug(folder)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda script: script["steps"].append({"use": "0x7A9B4099"}), "there is no entity 0x7A9B4099 in"),
        (lambda script: script["steps"].append({"teleport": "0xA9B4FFF0 [1 1 1]"}), "0xA9B4FFF0"),
        (lambda script: script["begin"]["body"].update(in_cell="0xA9B4FFF0"), "there is no cell 0xA9B4FFF0"),
    ],
)
def test_a_bug_that_needs_what_this_world_has_not_is_refused_in_one_line(
    walk: Walk, change: Callable[[Any], object], says: str
) -> None:
    """`open` called it an internal error: a door that another scene has, a cell that other dats have."""
    walk.advance(TICK, MovementInput())
    folder = folder_of(write(walk))
    script = json.loads((folder / "sim.json").read_text())
    change(script)
    (folder / "sim.json").write_text(json.dumps(script))
    with pytest.raises(UserError, match=says) as caught:
        open_bug(walking(), read_bug(folder))
    assert str(caught.value).startswith(f"{folder / 'sim.json'}: ")
    assert str(caught.value).endswith(": the stretch can't be run here")


def test_an_opened_bug_has_the_clouds_and_the_kind_of_day_of_its_picture_at_every_tick(walk: Walk) -> None:
    walk.clock.put(18.5, 70.25, None)
    walk.modes = ("portals",)
    for _ in range(3):
        walk.advance(TICK, MovementInput())
    bug = read_bug(folder_of(write(walk)))
    again = walking()  # at noon, under clouds that have not moved: as it is where a folder is dropped on it
    open_bug(again, bug)
    assert (again.clock.hour, again.clock.clouds) == (pytest.approx(18.5), walk.clock.clouds)
    assert (again.clock.group, again.modes, again.burning_time) == (
        walk.clock.group, ("portals",), walk.simulation.time,
    )  # fmt: skip
    for walked in (walk, again):
        walked.travel.back()
    assert again.clock.clouds == pytest.approx(walk.clock.clouds)


def test_the_stretch_of_a_bug_begins_before_what_holds_the_body_was_met(
    walk: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bug_report, "STRETCH_SECONDS", 1)
    for _ in range(150):
        walk.advance(TICK, MovementInput(forward=1))
    said = walk.blocked
    assert "held by " in said
    again = walking()
    open_bug(again, read_bug(folder_of(write(walk))))
    assert again.blocked == said


def test_what_was_met_before_the_first_tick_of_a_bug_is_said_when_it_is_opened(
    walk: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("STRETCH_SECONDS", "MOST_SECONDS"):
        monkeypatch.setattr(bug_report, name, 1)
    for _ in range(150):
        walk.advance(TICK, MovementInput(forward=1))
    bug = read_bug(folder_of(write(walk)))
    again = walking()
    said = open_bug(again, bug)
    assert "without meeting anything" in again.blocked
    assert walk.blocked in said and "met before the first tick of the folder" in said
    facts = replace(bug.facts, blocked="")  # one that tells nothing held it says nothing of that
    assert "met before" not in open_bug(walking(), replace(bug, facts=facts))


def test_a_bug_and_cases_that_are_named_by_a_dot_are_called_as_their_folder(
    walk: Walk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = folder_of(write(walk))
    monkeypatch.chdir(folder)
    assert open_bug(walking(), read_bug(Path("."))).startswith(f"{folder.name}, tick 4")
    for words in ((), ("--json",)):
        assert main(["sim", "--cases", ".", "--demo", *words]) == 0
        assert folder.name in capsys.readouterr().out


def test_the_readme_says_of_which_moment_the_scene_is(walk: Walk) -> None:
    text = (folder_of(write(walk)) / "README.txt").read_text()
    assert "scene.json has the doors and objects as their world brought them, and not as they stood" in text


def told_of(walk: Walk) -> dict[str, Any]:
    """All that a staged walk has, but for what its own folder begins with."""
    camera, report = walk.camera, walk.simulation.report()
    walk.look_out(SIZE, 0.0)
    begin = begin_document(begin_of(save(walk.simulation), walk.simulation))
    return {
        "report": {**report.to_json(), "trace": None},
        **begin,
        "look": (camera.third_person, camera.yaw, camera.pitch, camera.offset, camera.distance),
        "pending": steps_of(walk.history.pending),
        "shown": walk.history.shown,
        "objects": [placed_document(p) for p in walk.simulation.objects.placed.values() if p.is_entity],
        "clock": (walk.clock.hour, walk.clock.clouds),
        "blocked": walk.blocked,
        "command": render_command(walk, SIZE),
    }


def stage(walk: Walk) -> None:
    """All that is done by somebody who sets up a scene while time stands still."""
    doors = walk.questions.doors
    doors.set_pose(DOOR, 0.79)
    doors.lock(DOOR, locked=True)
    assert not walk.teleport("0xA8B40039 [180.0 12.0 97.0] 0.6 0 0 -0.8")
    assert doors.place_ahead(90.0).startswith("door ")
    doors.set_word(DOOR, 0x1000C)
    walk.camera.toggle()
    walk.camera.zoom(-2)
    walk.turn(31.0, -7.0)
    walk.camera.update(0.2)  # it is on its way yet


@pytest.mark.parametrize("ago", [0, 2])
def test_what_was_staged_since_the_tick_shown_stays_and_goes_with_a_bug_folder(walk: Walk, ago: int) -> None:
    for _ in range(ago):
        walk.travel.back()
    last = walk.history.last
    if not ago:
        walk.toggle_pause()
    stage(walk)
    before = told_of(walk)
    folder = folder_of(write(walk))
    assert told_of(walk) == before
    assert (walk.history.last, walk.history.branches) == (last, [])
    facts = read_bug(folder).facts
    assert facts.staged.startswith(f"done after tick {last - ago}, while time stood still: ")
    assert "stage_door" in facts.staged and "put" in facts.staged
    assert facts.location == walk.location()

    again = walking()
    said = open_bug(again, read_bug(folder))
    assert f"tick {last - ago}, the last one" in said
    opened = told_of(again)
    assert opened.keys() == before.keys()
    for part, value in before.items():
        assert opened[part] == value, part
    assert run_case(folder, world_of=SourceArguments(demo=DEMO)).passed
    write(again)  # of a walk that was opened, the same again
    assert told_of(again) == opened


def test_a_bug_is_opened_in_third_person_where_it_was_seen_so_at_every_tick(walk: Walk) -> None:
    walk.camera.toggle()
    walk.camera.zoom(-1)
    walk.camera.settle()
    again = walking()
    open_bug(again, read_bug(folder_of(write(walk))))
    look = walk.camera
    assert (again.camera.third_person, again.camera.offset) == (True, look.offset)
    assert (again.camera.yaw, again.camera.pitch) == (look.yaw, look.pitch)
    again.travel.back()
    assert again.camera.third_person


def test_the_dumps_of_a_bug_hold_what_lies_around_where_the_body_was_put_since(
    walk: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    dumped: list[set[int]] = []

    def surroundings(_world: World, reports: list[TickReport], *_: object, **__: object) -> Dumped:
        dumped.append({report.cell for report in reports})
        return Dumped(1, 1, 1)

    monkeypatch.setattr(bug_report, "write_surroundings", surroundings)
    walk.toggle_pause()
    stage(walk)
    bug_report.write_bug(walk, lambda: Image.new("RGBA", SIZE), size=SIZE, driver="a driver", with_dumps=True)
    assert 0xA8B40039 in dumped[0] and 0xA9B40171 in dumped[0]
