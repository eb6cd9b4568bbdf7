"""Doors: what each does and what comes next; its bit, its pose and its lock, each to be changed by itself."""

from __future__ import annotations

from imgui_bundle import imgui

from engine.physics.objects.door_phase import DoorPhase
from engine.physics.objects.door_status import NOT_ASKED
from viewer.overlay.actions import OverlayActions
from viewer.overlay.panel_kit import (
    AMBER,
    GREEN,
    GREY,
    Widgets,
    beside,
    heading,
    scaled,
    slider_width,
    table,
    tip,
)
from viewer.report.picture_report import DoorReport, PictureReport, front_first


def draw_doors(report: PictureReport, actions: OverlayActions, widgets: Widgets) -> None:
    """A door to put down and the scene to save; below them every door near by, those ahead first."""
    if imgui.button("place a door"):
        actions.questions.place_door()
    tip("a house door where the picked thing is, else before the body")
    widgets.mark("place a door")
    beside(scaled(70.0))
    if imgui.button("save scene"):
        actions.questions.save_scene()
    tip("every door and entity as it stands now, into a scene.json")
    widgets.mark("save scene")
    if not report.doors:
        imgui.text_colored(GREY, "no door near by")
    for door in front_first(report.doors):
        imgui.push_id(f"{door.entity}")
        _door(door, actions, widgets)
        imgui.pop_id()


def _door(door: DoorReport, actions: OverlayActions, widgets: Widgets) -> None:
    heading(f"{door.entity}  {door.where}")
    changed, ethereal = imgui.checkbox("ethereal", door.ethereal)
    widgets.mark(f"ethereal {door.entity}")
    tip("the state's bit, and the pose that goes with it")
    if changed:
        actions.set_ethereal(door.entity, ethereal=ethereal)
    beside(scaled(30.0))
    if imgui.button("use"):
        actions.use(door.entity)
    widgets.mark(f"use {door.entity}")
    beside(scaled(42.0))
    if imgui.button("probe"):
        actions.questions.probe(door.entity)
    widgets.mark(f"probe of {door.entity}")
    beside(scaled(60.0))
    changed, locked = imgui.checkbox("locked", door.is_locked)
    widgets.mark(f"locked {door.entity}")
    if changed:
        actions.questions.lock_door(door.entity, locked=locked)
    imgui.text_colored(AMBER if door.ethereal else GREEN, door.does)
    if door.disagrees:
        imgui.text_colored(AMBER, f"bit and pose disagree: it looks {door.phase.partition(',')[0]}")
    if door.held_by:
        imgui.text_colored(AMBER, f"held open by {door.held_by}")
    _bit(door, actions, widgets)
    _pose(door, actions, widgets)
    imgui.text_wrapped(" | ".join(door.flags))
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
    if any(shape.does == NOT_ASKED for shape in door.shapes):
        imgui.text_colored(GREY, "not asked: its BSPs alone collide")
    imgui.text_wrapped("each in " + " ".join(f"{cell & 0xFFFF:04X}" for cell in door.cells))
    tip("the cells that its shapes are tested in")


def _bit(door: DoorReport, actions: OverlayActions, widgets: Widgets) -> None:
    """The state word alone."""
    imgui.set_next_item_width(slider_width("state"))
    entered, text = imgui.input_text(
        "state",
        f"0x{door.state:X}",
        imgui.InputTextFlags_.enter_returns_true | imgui.InputTextFlags_.auto_select_all,
    )
    widgets.mark(f"state {door.entity}")
    tip("the PhysicsState word alone, in hexadecimal; the pose stays")
    if entered:
        actions.questions.type_door_state(door.entity, text)


def _pose(door: DoorReport, actions: OverlayActions, widgets: Widgets) -> None:
    """The pose alone: the clip, to be scrubbed."""
    phase = DoorPhase(door.phase.partition(",")[0])
    share = 1.0 if phase is DoorPhase.OPEN else 0.0
    if door.clip > 0.0 and phase in (DoorPhase.OPENING, DoorPhase.CLOSING):
        share = min(1.0, door.since / door.clip)
        share = share if phase is DoorPhase.OPENING else 1.0 - share
    imgui.set_next_item_width(slider_width("pose"))
    changed, wanted = imgui.slider_float(
        "pose", share, 0.0, 1.0, "%.2f open", imgui.SliderFlags_.always_clamp
    )
    widgets.mark(f"pose {door.entity}")
    tip(f"the pose alone, along its clip of {door.clip:.2f} s; the state word stays")
    if changed:
        actions.questions.pose_door(door.entity, wanted)
