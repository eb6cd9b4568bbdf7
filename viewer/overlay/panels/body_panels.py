"""Cell and Collision: where the body is, and what its last sweep met."""

from __future__ import annotations

from imgui_bundle import imgui

from engine.dat.hex_id import hex_id
from engine.files.shown import counted
from viewer.overlay.actions import OverlayActions
from viewer.overlay.panel_kit import AMBER, GREEN, GREY, Widgets, beside, copyable, heading, length, tip
from viewer.overlay.panels.why_panel import cell_buttons
from viewer.report.picture_report import PictureReport

BLOCKED_CLICK = (
    "its polygon is one of the physics tree; a stale sliding normal is a wall's that the body pushed against "
    "and is kept though no wall was met again; click: back to the tick where it began"
)
ROOT = (
    "the cell that the picture's traversal begins at; carried: from the body's cell to the eye's, through "
    "these portals, a cell and the number of its portal"
)
STEPS = (
    "each line is what the sweep tried, and what came of it; step up and step down are its feeling for "
    "ground, with the metres that it tried, and done where it found some"
)


def draw_cell(report: PictureReport, actions: OverlayActions, widgets: Widgets) -> None:
    """The body\'s cell, what its record says, the view root and how it was carried there."""
    facts, view = report.cell, report.view
    imgui.text_colored(GREEN, str(facts.cell))
    where = "outdoors" if facts.outdoor else f"environment {hex_id(facts.environment)}, "
    if not facts.outdoor and not facts.environment:  # dumps tell none
        where = ""
    seen = "" if facts.outdoor else "seen outside" if facts.seen_outside else "not seen outside"
    beside(imgui.calc_text_size(where + seen).x)
    imgui.text(where + seen)
    imgui.text(report.body.location)
    if report.body.coordinates:
        beside(imgui.calc_text_size(report.body.coordinates).x)
        imgui.text(report.body.coordinates)
        tip("where that is on the game's map, as it shows it; the teleport box takes such coordinates, too")
    if not facts.outdoor:
        portals = ", ".join(
            f"{index}:{'out' if other == 0xFFFF else f'{other & 0xFFFF:04X}'}"
            for index, other, _, _ in facts.portals
        )
        imgui.text_wrapped(f"portals {portals or 'none'}")
        imgui.text_wrapped(f"stab list{':' if facts.stab_list else ' empty'}")
        tip("the cells that can be seen from this one, by the dats; click one: why it is seen, or not")
        cell_buttons(facts.stab_list, actions, widgets, report)
    if view is None:
        return
    carried = "".join(f" > {cell & 0xFFFF:04X}:{portal}" for cell, portal in view.carried)
    if view.drawn_cell != view.body_cell:
        imgui.text(f"body {view.body_cell}, drawn in {view.drawn_cell}")
    imgui.text_wrapped(f"root {view.root}{f', carried{carried}' if carried else ''}")
    tip(ROOT)
    outside = "seen" if view.outside_visible else "not seen"
    imgui.text(f"outside {outside}, {counted(len(view.cells), 'cell')} visible")


def draw_collision(report: PictureReport, actions: OverlayActions, widgets: Widgets) -> None:
    """What the body stands on, what blocks it, and the last sweep with all that changed its outcome."""
    body, sweep = report.body, report.sweep
    imgui.text(f"{'on ground' if body.on_ground else 'in the air'}, {length(body.feet_velocity):.2f} m/s")
    if body.contact_plane is not None:
        x, y, z, d = body.contact_plane
        imgui.text(f"contact {x:z.3f} {y:z.3f} {z:z.3f} {d:z.3f} in {body.contact_cell}")
        tip("the plane that the body stands on: its normal, and how far from the landblock's corner it is")
    touched = " ".join(f"{cell & 0xFFFF:04X}" for cell in body.cells)
    imgui.text_wrapped(f"touches {touched or 'no cell'}")
    tip("the cells that the body's spheres touch; what stands in them can stop it")
    if sweep is None:
        imgui.text_colored(GREY, "no sweep yet: nothing moved")
        return
    if sweep.blocked is not None:
        imgui.text_colored(AMBER if sweep.blocked.pushing else GREY, sweep.blocked.words)
        if imgui.is_item_hovered() and imgui.is_mouse_clicked(0):
            actions.travel.to_blocked()
        copyable(sweep.blocked.words, actions, click=BLOCKED_CLICK)
        widgets.mark("blocked")
    verdict = "accepted" if sweep.ok else "refused: position and cell are kept"
    holds = sweep.ok and sweep.blocked is not None and sweep.blocked.pushing
    color = GREY if holds else GREEN if sweep.ok else AMBER
    imgui.text_colored(color, f"last sweep {verdict}{', as far as it came' if holds else ''}")
    told = None if sweep.blocked is None else sweep.blocked.hit
    for hit in sweep.hits:
        if hit == told:
            continue  # the verdict tells of it
        polygon = f" physics polygon {hit.polygon}" if hit.polygon >= 0 else ""
        model = f" {hit.gfxobj}" if hit.gfxobj and polygon else ""
        part = f" part {hit.part}" if hit.part >= 0 else ""
        imgui.text_colored(AMBER, f"{hit.kind} {hit.owner}{part}{model}{polygon}")
        copyable(f"{hit.kind} {hit.owner}{part}{model}{polygon}", actions)
        x, y, z = hit.normal
        imgui.indent()
        imgui.text(f"{hit.response}, normal {x:z.2f} {y:z.2f} {z:z.2f}")
        imgui.unindent()
    if sweep.steps:
        heading("sub-steps")
        tip(STEPS)
    for step in sweep.steps:
        imgui.text_wrapped(step)
    if sweep.blocked is not None and not sweep.steps and sweep.last_move is not None:
        heading(f"sub-steps of tick {sweep.last_move.tick}, which moved last")
        tip(STEPS)
        for step in sweep.last_move.steps:
            imgui.text_wrapped(step)
