"""Going about: back and forth, bookmarks that are kept, the body that comes to the camera, a locked list."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.physics.enums import TICK
from engine.physics.objects.door_phase import DoorPhase
from tests.viewer.broken_files import NO_FILES, put_broken
from tests.viewer.goings import walking
from tests.viewer.walks import BEFORE_THE_DOOR, DOOR, FORWARD, SIZE, VESTIBULE
from viewer.window.message import Message
from viewer.window.walking.going import Bookmarks, Visited
from viewer.window.walking.walk import STANDING, Walk

A, B, C = "0xA9B40031 [1 2 3] 1 0 0 0", "0xA9B40031 [4 5 6] 1 0 0 0", "0xA9B40031 [7 8 9] 1 0 0 0"


def test_back_and_forth_again_and_a_new_way_ends_the_old_one() -> None:
    visited = Visited()
    assert visited.back(A) == visited.forth(A) == ""
    visited.leave(A)
    visited.leave(B)
    assert visited.back(C) == B
    assert visited.back(B) == A
    assert visited.forth(A) == B
    assert visited.forth(B) == C
    assert visited.back(C) == B  # forth left the way back behind
    visited.leave(B)
    assert visited.forth(A) == ""


def test_bookmarks_are_kept_with_any_name(tmp_path: Path) -> None:
    marks = Bookmarks(tmp_path)
    assert marks.put('the "door"', A) == f'the "door" is {A}'
    marks.put("cellar", B)
    assert Bookmarks(tmp_path).places == {'the "door"': A, "cellar": B}
    assert marks.forget("cellar") == "cellar is forgotten"
    assert Bookmarks(tmp_path).places == {'the "door"': A}


def test_a_file_of_bookmarks_that_makes_no_sense_is_one_line_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "bookmarks.toml"
    path.write_text('number = 7\nhere = "nowhere"\nthere = "' + A + '"\n')
    marks = Bookmarks(tmp_path)
    assert marks.places == {"there": A}
    assert marks.complaint == f"{path}: here: 'nowhere' is no location"
    assert marks.put("new", B) == marks.complaint
    assert "nowhere" in path.read_text()
    path.write_text("number = 7\n")
    assert Bookmarks(tmp_path).complaint == f"{path}: number: '7' is no location"
    path.write_text("here = \n")
    complaint = Bookmarks(tmp_path).complaint
    assert complaint.startswith(f"{path}: ") and complaint.endswith("; there are no bookmarks")
    assert "\n" not in complaint


@pytest.mark.parametrize("how", NO_FILES)
def test_what_is_no_file_in_the_place_of_bookmarks_is_one_line(tmp_path: Path, how: str) -> None:
    path = tmp_path / "bookmarks.toml"
    put_broken(path, how, {})
    marks = Bookmarks(tmp_path)
    assert (marks.places, marks.complaint.count("\n")) == ({}, 0)
    assert marks.complaint.startswith(f"{path}: ")
    assert marks.put("new", B) == marks.complaint


def test_without_a_folder_bookmarks_hold_as_long_as_the_walk() -> None:
    marks = Bookmarks(None)
    assert marks.put("cellar", B) == f"cellar is {B} until the window is closed: no folder keeps it"
    assert marks.places == {"cellar": B}
    assert marks.complaint == ""


@pytest.mark.parametrize(
    "name",
    ["a tab\there", "two\nlines", "del \x7f", "nul \0", "\u2028", "\x85", "\U0001f600", "", "[a]", "a.b = 1"],
)
def test_a_bookmark_of_any_signs_leaves_a_file_that_can_be_read(tmp_path: Path, name: str) -> None:
    marks = Bookmarks(tmp_path)
    marks.put("first", A)
    for place in (B, C):
        said = marks.put(name, place)
        assert len(said.splitlines()) == 1
        again = Bookmarks(tmp_path)
        assert again.complaint == ""
        assert again.places == {"first": A, name: place}
    marks.forget(name)
    assert Bookmarks(tmp_path).places == {"first": A}


def test_a_name_that_is_no_unicode_loses_no_other(tmp_path: Path) -> None:
    marks = Bookmarks(tmp_path)
    marks.put("first", A)
    said = marks.put("half \udcff", B)
    assert said.endswith("is no UTF-8, and the file is; not written")
    assert len(said.splitlines()) == 1
    assert Bookmarks(tmp_path).places == {"first": A}


@pytest.mark.parametrize("key", ["cellar", '"cellar"', "'cellar'"])
def test_a_bookmark_that_is_put_elsewhere_keeps_its_line_and_the_remark_behind_it(
    tmp_path: Path, key: str
) -> None:
    path = tmp_path / "bookmarks.toml"
    path.write_text(f"{key} = '{A}' # the hatch\nfirst = '{B}' # of all")
    marks = Bookmarks(tmp_path)
    assert marks.put("cellar", C) == f"cellar is {C}"
    lines = path.read_text().splitlines()[-2:]
    assert lines == [f'"cellar" = "{C}" # the hatch', f"first = '{B}' # of all"]
    marks.forget("cellar")
    assert path.read_text().splitlines()[-1] == lines[1]
    assert "the hatch" not in path.read_text()


def test_two_windows_and_an_editor_keep_each_others_bookmarks(tmp_path: Path) -> None:
    one, other = Bookmarks(tmp_path), Bookmarks(tmp_path)
    one.put("one", A)
    other.put("other", B)
    path = tmp_path / "bookmarks.toml"
    path.write_text(f"# by hand\n{path.read_text()}mine = '{C}'  # kept")
    one.put("one", B)
    assert Bookmarks(tmp_path).places == {"one": B, "other": B, "mine": C}
    assert "# by hand\n" in path.read_text() and "# kept\n" in path.read_text()
    path.write_text("in the midst of")
    assert one.put("new", A).endswith("; not written")
    assert path.read_text() == "in the midst of"


def test_the_body_comes_to_where_the_camera_has_flown() -> None:
    walk = walking()
    walk.look_out((320, 180), 0.0)
    assert walk.flown_to() == ""
    walk.toggle_flight()
    assert walk.flight is not None
    cell, (x, y, z) = walk.flight.cell_id, walk.flight.eye
    walk.flight.eye = (x + 1.0, y, z)
    assert walk.teleport(walk.flown_to()) == ""
    position = walk.simulation.position
    assert position.cell_id == cell
    assert abs(position.frame.origin[0] - (x + 1.0)) < 0.01
    assert abs(position.frame.origin[2] - 94.0) < 0.02


@pytest.mark.parametrize(("east", "cell"), [(24.0, 0xA9B40039), (60.0, 0xAAB40001)])
def test_the_body_that_comes_here_gets_the_landcell_there_of_the_next_landblock_too_without_a_warning(
    capsys: pytest.CaptureFixture[str], east: float, cell: int
) -> None:
    walk = walking()
    walk.look_out((320, 180), 0.0)
    walk.teleport("0xA9B40031 [155.4 23.0 94.0] 1 0 0 0")
    walk.look_out((320, 180), 0.0)
    walk.toggle_flight()
    assert walk.flight is not None
    x, y, z = walk.flight.eye
    walk.flight.eye = (x + east, y, z)
    said = walk.teleport(walk.flown_to(), levels=False, finds_cell=True)
    assert (said, walk.notice, capsys.readouterr().err) == ("", "", "")
    assert walk.simulation.position.cell_id == cell


def test_a_place_that_somebody_names_with_a_wrong_cell_is_told_of_and_one_without_a_cell_is_not() -> None:
    walk = walking()
    place = "0xA9B40032 [155.4 23.0 94.0] 1 0 0 0"
    walk.teleport(place)
    assert walk.notice.endswith("in cell 0xA9B40031, not 0xA9B40032: the place lies there")
    walk.teleport(place, finds_cell=True)
    assert walk.notice == "" and walk.simulation.position.cell_id == 0xA9B40031


def test_a_locked_list_is_drawn_from_wherever_one_walks_to() -> None:
    walk = walking()
    seen = walk.look_out((320, 180), 0.0)
    assert "locked" in walk.toggle_lock()
    walk.teleport("0xA9B40031 [155.4 25.2 94.0] 1 0 0 0")
    walk.advance(0.1, STANDING)
    picture = walk.look_out((320, 180), 0.0)
    assert [row.cell for row in picture.cells] == [row.cell for row in seen.cells]
    assert picture.root == seen.root
    assert walk.seen is not None
    assert walk.seen.root != seen.root
    assert picture.view.eye != seen.view.eye
    walk.toggle_lock()
    assert walk.look_out((320, 180), 0.0).root == walk.seen.root


def test_a_place_is_looked_at_straight_on_and_the_body_that_comes_to_the_camera_looks_as_it_did(
    walk: Walk,
) -> None:
    walk.turn(0.0, 60.0)
    assert walk.teleport(BEFORE_THE_DOOR, levels=False) == ""
    assert walk.camera.pitch == 60.0
    assert walk.teleport(BEFORE_THE_DOOR) == ""
    assert walk.camera.pitch == 0.0


def test_one_goes_back_to_where_something_stood_in_the_way_whatever_came_between(walk: Walk) -> None:
    walk.advance(0.2, STANDING)
    assert walk.travel.to_blocked() == "nothing stood in the way before this tick"
    walk.advance(1.0, FORWARD)
    walk.use(DOOR)
    walk.advance(1.0, STANDING)
    said = walk.travel.to_blocked()
    assert said.endswith("s before the last: hit")
    assert walk.watch.now is not None and walk.watch.now.pushing
    walk.travel.back()
    assert walk.blocked == ""
    assert walk.travel.to_blocked() == "nothing stood in the way before this tick"


def test_a_line_about_a_tick_goes_with_it_whoever_says_it(walk: Walk) -> None:
    walk.advance(0.2, STANDING)
    walk.advance(1.0, FORWARD)
    travel, message = walk.travel, Message(holding=walk.travel.holds)
    for tell in (
        lambda: travel.to_mark(-1, "hit"),
        lambda: travel.to_mark(1, "door"),
        lambda: f"a folder, {travel.show(7)}: held",
        travel.to_blocked,
        travel.back,
    ):
        said = tell()
        walk.questions.tell(said)  # as panels say it
        walk.look_out(SIZE, 0.0)
        message.say(walk.notice)
        assert message.shown == said
        travel.show(walk.history.shown)
        assert message.shown == said
        travel.forward()
        assert message.shown == ""
        travel.back()
    message.say("saved")
    travel.back()
    assert message.shown == "saved"


def test_a_line_is_shown_as_long_as_it_is_read_from_when_it_is_first_shown() -> None:
    now = [100.0]
    message = Message(clock=lambda: now[0])
    for text, seconds in (("saved", 5.0), ("p" * 160, 10.0), ("p" * 400, 15.0)):
        message.say(text)
        now[0] += 60.0  # the work went on for a minute
        assert message.shown == text
        now[0] += seconds - 0.1
        assert message.shown == text
        now[0] += 0.2
        assert message.shown == ""


def test_going_back_says_what_becomes_of_what_was_done_while_time_stood_still() -> None:
    walk = walking()
    for _ in range(6):
        walk.advance(TICK, STANDING)
    walk.toggle_pause()
    doors = walk.questions.doors
    doors.set_pose(DOOR, 0.5)
    walk.camera.toggle()
    assert walk.travel.back() == "tick 4, 0.03 s before the last"
    assert (walk.simulation.doors[DOOR].phase, walk.camera.third_person) == (DoorPhase.CLOSED, False)
    assert walk.travel.show(walk.history.last) == "tick 5, the last one, with what was done after it"
    assert (walk.simulation.doors[DOOR].phase, walk.camera.third_person) == (DoorPhase.OPENING, True)
    walk.travel.show(3)
    doors.lock(DOOR, locked=True)
    assert walk.travel.show(3) == "tick 3, 0.07 s before the last"
    assert walk.simulation.doors[DOOR].locked  # nobody went anywhere
    assert walk.travel.back().endswith(
        "; what was done at tick 3 is dropped: time went on from there already"
    )
    assert not walk.simulation.doors[DOOR].locked
    doors.lock(DOOR, locked=True)
    walk.step()  # a key that says nothing by itself
    assert walk.notice == "what was done at tick 2 is dropped: time went on from there already"
    walk.travel.show(1)
    walk.toggle_pause()
    walk.advance(TICK, STANDING)  # as a branch
    walk.travel.show(0)
    doors.lock(DOOR, locked=True)
    assert walk.travel.take_branch(0) == (
        "tick 1, 0.13 s before the last; what was done at tick 0 is dropped: time went on from there already"
    )
    doors.lock(DOOR, locked=True)
    assert walk.travel.take_branch(0) == "tick 1, 0.03 s before the last"
    assert walk.simulation.doors[DOOR].locked  # both went on from this tick


def test_what_was_told_of_a_sweep_is_not_told_where_the_body_was_put(walk: Walk) -> None:
    walk.advance(1.0, FORWARD)
    walk.toggle_pause()
    assert walk.blocked and walk.last_move.now is not None
    ticks = walk.comparison.ticks
    assert walk.teleport("0xA8B40039 [180.0 12.0 97.0] 0.6 0 0 -0.8") == ""
    sweep = walk.report().sweep
    assert sweep is not None and sweep.lookup is not None
    assert (sweep.lookup.cell, sweep.lookup.ticks) == (0xA8B40039, ticks)
    assert (walk.blocked, sweep.blocked, sweep.last_move) == ("", None, None)
    assert sweep.steps[0] == "placement asked for [180.0000 12.0000 97.0000] in 0xA8B40039"
    assert sweep.steps[-1] == "  placement: placed to [180.0000 12.0000 97.0050] in 0xA8B40039"
    walk.travel.back()
    walk.travel.show(walk.history.last)
    assert (walk.blocked, walk.comparison.last.found) == ("", 0xA8B40039)
    walk.step()
    assert walk.comparison.ticks == ticks + 1 and walk.blocked == ""


def test_the_list_tells_of_no_change_after_a_jump_in_time_and_of_one_after_a_tick_on(walk: Walk) -> None:
    for _ in range(6):
        walk.advance(TICK, STANDING)

    def changes() -> tuple[int, int]:
        walk.look_out(SIZE, 0.0)
        return len(walk.listing.came), len(walk.listing.went)

    walk.toggle_pause()
    changes()
    walk.travel.show(3)
    changes()
    assert walk.teleport(VESTIBULE) == ""
    assert min(changes()) > 0  # seen from elsewhere
    walk.travel.show(1)
    assert changes() == (0, 0)
    walk.turn(90.0, 0.0)
    assert max(changes()) > 0
    walk.travel.back()
    assert changes() == (0, 0)
    walk.turn(90.0, 0.0)
    assert max(changes()) > 0
    walk.travel.forward()
    assert max(changes()) > 0
