"""What panels offer, done from the palette: upon what is picked, selected or ahead, else it says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine.replay.audit.finding import Finding
from viewer.asking.audits.audit_run import AuditRun
from viewer.asking.pick import names_in
from viewer.overlay.command_palette import found
from viewer.renderer.render_options import RenderOptions
from viewer.report.asked import AuditReport
from viewer.report.timeline_report import tick_name
from viewer.tables.keys import ACTION_BY_NAME
from viewer.window.user_files.user_settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from viewer.window.app import App

pytestmark = pytest.mark.gl
HERE = 0xA9B40171
MISSING = {
    "why": "no cell is selected",
    "go_selected": "no cell is selected",
    "select": "nothing is picked: point at it and press I",
    "follow": "nothing is picked",
    "copy_pick": "nothing is picked",
    "copy_id": "nothing is picked",
    "copy_followed": "no record's fields are shown",
    "copy_blocked": "nothing blocks the body",
    "finding_next": "there is no finding to go to: audit",
    "finding_back": "there is no finding to go to: audit",
    "probe_again": "nothing was probed yet",
    "branch": "no branch was left",
}


@pytest.fixture
def app(made: App) -> App:
    """The app with nothing asked or selected."""
    made.walk.modes_off()
    made._frame(1 / 60)
    made.message.say("")
    return made


def do(app: App, name: str) -> None:
    """Choose an action in the palette, by its own words."""
    action = ACTION_BY_NAME[name]
    text = f"{action.group}: {action.help}"
    (entry,) = [entry for entry in found(app.deeds.entries(text), text) if entry.text == text]
    entry.run()
    for _ in range(2):
        app._frame(1 / 60)


def pick(app: App) -> None:
    """Pick what is in the middle of the picture, as a frame that is drawn does."""
    walk = app.walk
    walk.questions.pick.pointed = (40, 30)
    picture = walk.look_out((80, 60), 0.0)
    options = RenderOptions()
    questions = walk.questions
    answer = questions.pick.picker.pick(
        picture, walk.objects(), names_in(walk.simulation), (40, 30), particles=False, options=options
    )
    questions.pick.pointed = None
    questions.pick.take(answer)


@pytest.mark.parametrize("name", MISSING)
def test_where_its_object_is_missing_an_action_says_what(app: App, name: str) -> None:
    do(app, name)
    assert app.message.shown.startswith(MISSING[name])


def test_a_cell_that_is_selected_is_asked_about_and_gone_to(app: App) -> None:
    app.walk.select(0xA9B40170)
    do(app, "why")
    assert app.walk.questions.why.cell == 0xA9B40170
    do(app, "go_selected")
    assert app.walk.simulation.position.cell_id == 0xA9B40170
    do(app, "select_nothing")
    assert app.walk.listing.selected == 0
    assert app.deeds.go("0xA9B40171 [155.4 12.6 94] 1 0 0 0") == ""


def test_what_is_picked_is_copied_followed_and_its_cell_selected(app: App) -> None:
    pick(app)
    picked = app.walk.questions.picked
    assert picked is not None and picked.facet is not None
    do(app, "copy_id")
    assert app.clipboard.get() == f"0x{picked.facet.owner:08X}"
    do(app, "copy_pick")
    assert app.clipboard.get() == "\n".join(picked.words)
    do(app, "select")
    assert app.walk.listing.selected == picked.facet.cell
    do(app, "follow")
    assert app.walk.questions.followed is not None
    do(app, "copy_followed")
    assert app.clipboard.get() == f"0x{app.walk.questions.followed.id:08X}"
    do(app, "follow_nothing")
    assert app.walk.questions.followed is None
    rows = [entry.text for entry in app.deeds.entries("picked") if entry.text.startswith("Picked: ")]
    assert [row for row in rows if row.startswith("Picked: copy normal: ")]
    assert [row for row in rows if row.startswith("Picked: fields of surface 0x08")]


def test_the_door_ahead_is_locked_made_ethereal_posed_and_given_a_word(app: App) -> None:
    panel_deeds = app.deeds._panels
    door = panel_deeds.door()
    assert door is not None
    controller = app.walk.simulation.doors[door.entity]
    do(app, "door_lock")
    assert controller.locked and app.message.shown == f"{door.entity} is locked now"
    do(app, "door_lock")
    assert not controller.locked
    do(app, "door_ethereal")
    assert app.walk.simulation.doors[door.entity].target.state & 4
    do(app, "door_ethereal")
    closed = controller.pose(app.walk.simulation.time)
    app.walk.toggle_pause()
    for _ in range(3):
        do(app, "door_pose_on")
    now = panel_deeds.door()
    assert now is not None and now.open_share == pytest.approx(0.3)
    for _ in range(4):
        do(app, "door_pose_back")
    assert controller.pose(app.walk.simulation.time) == closed
    do(app, "door_state")
    assert app.message.shown.startswith("write state and then a word of hexadecimal")
    (entry,) = [e for e in app.deeds.entries("state 0x1000C") if e.text.startswith("State word ")]
    entry.run()
    assert controller.target.state == 0x1000C
    assert not [e for e in app.deeds.entries("state of it") if e.text.startswith("State word ")]
    app.walk.questions.type_door_state(door.entity, "0x10008")
    app.walk.toggle_pause()


def test_findings_are_gone_to_one_after_another_and_round(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    some = tuple(Finding("gap", f"0xA9B4017{n} portal 0") for n in range(3))
    monkeypatch.setattr(AuditRun, "report", lambda _: AuditReport(findings=some))
    gone: list[Finding] = []
    for name in ("finding_next", "finding_next", "finding_next", "finding_next", "finding_back"):
        app.walk.questions.go_to_next(1 if name == "finding_next" else -1)
        chosen = app.walk.questions.report().audit.chosen
        assert chosen is not None
        gone.append(chosen)
    assert gone == [some[0], some[1], some[2], some[0], some[2]]


def test_a_start_that_was_set_is_taken_back_from_the_palette(app: App, tmp_path: Path) -> None:
    do(app, "start_here")
    assert app.message.shown == "the start can't be kept: there is no folder for settings.toml"
    assert app.walk.settings["start"] is None
    app.walk.settings = Settings(tmp_path)
    do(app, "start_here")
    assert app.walk.settings["start"] == app.walk.location()
    (entry,) = [e for e in app.deeds.entries("start") if e.text.startswith("Setting: start as usual")]
    entry.run()
    assert app.walk.settings["start"] is None
    assert not [e for e in app.deeds.entries("start") if e.text.startswith("Setting: start as usual")]
    app._frame(1 / 60)
    (tmp_path / "settings.toml").unlink()
    (tmp_path / "settings.toml").mkdir()
    app.walk.set_setting("vsync", value=False)
    app._frame(1 / 60)
    assert app.message.shown.startswith(f"{tmp_path / 'settings.toml'}: ")  # it is not kept


@pytest.mark.parametrize("by", ["finding", "map", "palette"])
def test_the_place_before_is_gone_back_to_however_one_was_taken_away(app: App, by: str) -> None:
    before = app.walk.location()
    if by == "finding":
        app.walk.questions.go_to_finding(Finding("gap", "0xA9B40176 portal 0"))
    elif by == "map":
        app.walk.questions.going_place = "0xA9B40031 [155.4 21.0 94.0] 0 0 0 -1"
    else:
        assert app.deeds.go("0xA9B40031 [155.4 21.0 94.0] 0 0 0 -1") == ""
    app._frame(1 / 60)
    assert app.walk.location() != before
    do(app, "place_back")
    assert app.walk.location().partition("]")[0] == before.partition("]")[0]


def test_four_digits_are_a_cell_of_the_landblock_one_is_in_else_a_landblock(app: App) -> None:
    before = app.walk.location()
    named = {"0171": "0xA9B40171", " 0x0171": "0xA9B40171", "A9B4": "A9B4", "0xA9B40171": "0xA9B40171"}
    assert {text: app.walk.meant(text) for text in named} == named
    assert app.deeds.go("0170") == "" and app.walk.simulation.position.cell_id == 0xA9B40170
    texts = [entry.text for entry in found(app.deeds.entries("0171"), "0171")]
    assert "Go: 0xA9B40171" in texts and "Why is 0xA9B40171 seen, or not" in texts and "Go: 0171" not in texts
    assert app.deeds.go(before) == ""


def test_a_typed_place_that_turns_out_to_be_none_stands_in_its_box_again(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    residency, box, typed = app.walk.simulation.residency, app.boxes.teleport, "0x01020304"
    monkeypatch.setattr(type(residency), "approach", lambda *_: False)
    assert app.deeds.go_from_box(typed) == ""
    app._frame(1 / 60)
    assert not box.is_open and app.walk.destination is not None
    monkeypatch.undo()
    monkeypatch.setattr(type(residency), "approach", lambda *_: True)
    app._frame(1 / 60)
    assert box.is_open and box.text == typed and "0x01020304" in box.complaint
    box.is_open = False
    app._frame(1 / 60)
    assert not box.is_open


def test_what_was_picked_is_told_as_of_its_tick_once_it_stands_otherwise_or_one_has_gone(app: App) -> None:
    assert app.deeds.go("0xA9B40171 [155.4 12.6 94] 1 0 0 0") == ""
    pick(app)
    questions, walk = app.walk.questions, app.walk
    picked = questions.picked
    assert picked is not None and picked.facet is not None and picked.facet.owner in walk.simulation.doors
    shown = len(questions.shapes(walk.look_out((80, 60), 0.0)))
    assert shown == 1 and walk.report().asked.pick_note == ""
    tick = walk.simulation.tick
    walk.use(picked.facet.owner)
    assert walk.report().asked.pick_note.startswith(f"as of {tick_name(tick)}: it stands another way now")
    assert questions.shapes(walk.look_out((80, 60), 0.0)) == []
    walk.simulation.wait(2.0)
    walk.use(picked.facet.owner)
    walk.simulation.wait(2.0)
    pick(app)
    tick = walk.simulation.tick
    assert app.deeds.go("0xA9B40171 [155.4 13.6 94] 1 0 0 0") == ""
    assert walk.report().asked.pick_note == f"as of {tick_name(tick)}: you stood 1.0 m from here"
    assert app.deeds.go("0xA9B40171 [155.4 12.6 94] 1 0 0 0") == ""


def test_a_door_that_was_placed_is_taken_away_again_the_last_one_first(app: App) -> None:
    doors = app.walk.simulation.doors
    before = {*doors}
    do(app, "remove_door")
    assert app.message.shown == "no door was placed here by hand"
    for _ in range(2):
        do(app, "place_door")
    first, last = sorted({*doors} - before)
    assert [door.is_placed for door in app.walk.report().doors if door.entity in (first, last)] == [
        True,
        True,
    ]
    do(app, "remove_door")
    assert {*doors} - before == {first} and app.message.shown == f"door 0x{last:08X} is gone"
    do(app, "remove_door")
    assert {*doors} == before
