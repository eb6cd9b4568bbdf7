"""Doors: what each does and what comes next; its bit, its pose and its lock, each to be changed by itself."""

from __future__ import annotations

from collections.abc import Iterator

from imgui_bundle import imgui

from engine.physics.objects.door_status import NOT_ASKED
from viewer.overlay.actions import OverlayActions
from viewer.overlay.in_sight import draw_in_sight
from viewer.overlay.panel_kit import (
    AMBER,
    GREEN,
    GREY,
    Widgets,
    beside,
    button,
    heading,
    scaled,
    slider,
    slider_width,
    tick_box,
    tip_off_panel,
)
from viewer.overlay.text_table import table
from viewer.report.picture_report import DoorReport, PictureReport, nearest_first

POSED = "the state stays, and while that is solid the door blocks as the closed one does, however it is posed"


def draw_doors(report: PictureReport, actions: OverlayActions, widgets: Widgets) -> None:
    """A door to put down and the scene to save; below them every door near by, as a list has them."""
    if button("place a door", "place a door", widgets, action="place_door"):
        actions.questions.place_door()
    tip_off_panel(
        "puts a house door down, closed: where the thing is that Inspect shows, else before the body"
    )
    beside(scaled(70.0))
    if button("save scene", "save scene", widgets, action="save_scene"):
        actions.questions.save_scene()
    tip_off_panel("every door and entity as it stands now, into a scene.json")
    if not report.doors:
        imgui.text_colored(GREY, "no door near by")
    for door in nearest_first(report.doors, report.holders):
        imgui.push_id(f"{door.entity}")
        heading(f"{door.entity}  {door.where}")
        draw_in_sight("door", _told(door), _door(door, actions, widgets))
        imgui.pop_id()


def _told(door: DoorReport) -> tuple[object, ...]:
    """All that is told of a door in lines that come and go, or are as many as they need."""
    return door.does, door.phase, door.disagrees, door.held_by, door.flags, door.shapes, door.cells


def _door(door: DoorReport, actions: OverlayActions, widgets: Widgets) -> Iterator[None]:
    """Its buttons and what each changes; below them, what it does and where."""
    name = f"ethereal {door.entity}"
    if tick_box("ethereal", name, widgets, action="door_ethereal", on=door.ethereal):
        actions.set_ethereal(door.entity, ethereal=not door.ethereal)
    tip_off_panel("ticked, bodies pass at once and the door stands open; unticked it is solid and closed")
    beside(scaled(30.0))
    if button("use", f"use {door.entity}", widgets, action="door_use"):
        actions.use(door.entity)
    tip_off_panel("as a player does: open it, or close it")
    beside(scaled(42.0))
    if button("probe", f"probe of {door.entity}", widgets, action="probe"):
        actions.questions.probe(door.entity)
    tip_off_panel("does it block across its whole doorway?")
    beside(scaled(60.0))
    if tick_box("locked", f"locked {door.entity}", widgets, action="door_lock", on=door.is_locked):
        actions.questions.lock_door(door.entity, locked=not door.is_locked)
    tip_off_panel("locked it can't be used; the tick box ethereal works all the same")
    if door.is_placed:
        beside(scaled(60.0))
        if button("remove", f"remove {door.entity}", widgets, action="remove_door"):
            actions.questions.remove_door(door.entity)
        tip_off_panel("take this door away again: it was placed by hand")
    yield
    imgui.text_colored(does_color(door), door.does)
    _bit(door, actions, widgets)
    _pose(door, actions, widgets)
    # Below what is dragged: a line that comes meanwhile would push that from under the pointer.
    if door.disagrees:
        imgui.text_colored(AMBER, f"bit and pose disagree: it looks {door.phase.partition(',')[0]}")
    if door.held_by:
        imgui.text_colored(AMBER, f"held open by {door.held_by}")
    yield
    imgui.text_wrapped(" | ".join(door.flags))
    yield
    rows = [
        (
            shape.kind,
            str(shape.part) if shape.part >= 0 else "",
            shape.does,
            f"{shape.gfxobj}" if shape.gfxobj else "",
        )
        for shape in door.shapes
    ]
    table("shapes", ("shape", "part", "does", "model"), rows, ("does",))
    yield
    if any(shape.does == NOT_ASKED for shape in door.shapes):
        imgui.text_colored(GREY, "not asked: its BSPs alone collide")
        tip_off_panel(
            "a thing that has physics trees (BSPs) collides by these alone; its spheres are not looked at"
        )
    imgui.text_wrapped("in cells " + " ".join(f"{cell & 0xFFFF:04X}" for cell in door.cells))
    tip_off_panel("each of its shapes is registered in all of these cells, and tested there")


def does_color(door: DoorReport) -> imgui.ImVec4:
    """Green for a door that is as one expects, else the colour of a warning."""
    return AMBER if door.ethereal or door.disagrees else GREEN


def _bit(door: DoorReport, actions: OverlayActions, widgets: Widgets) -> None:
    """The state word alone."""
    imgui.set_next_item_width(slider_width("state"))
    entered, text = imgui.input_text(
        "state",
        f"0x{door.state:X}",
        imgui.InputTextFlags_.enter_returns_true | imgui.InputTextFlags_.auto_select_all,
    )
    widgets.mark(f"state {door.entity}", "door_state")
    tip_off_panel(
        "the PhysicsState word alone, in hexadecimal; the pose stays: it tells nothing of what blocks"
    )
    if entered:
        actions.questions.type_door_state(door.entity, text)


def _pose(door: DoorReport, actions: OverlayActions, widgets: Widgets) -> None:
    """The pose alone: the clip, to be scrubbed."""
    imgui.set_next_item_width(slider_width("pose"))
    wanted = slider("pose", door.open_share, (0.0, 1.0), "%.2f open")
    widgets.mark(f"pose {door.entity}", "door_pose_on")
    tip_off_panel(f"the pose alone, along its clip of {door.clip:.2f} s; {POSED}")
    if wanted is not None:
        actions.questions.pose_door(door.entity, wanted)
