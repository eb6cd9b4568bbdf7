"""Membership: why the body is in its cell, sub-step by sub-step, and what a static look-up says beside it."""

from __future__ import annotations

from collections.abc import Sequence

from imgui_bundle import imgui

from viewer.overlay.actions import OverlayActions
from viewer.overlay.panel_kit import AMBER, GREEN, GREY, Widgets, heading, short, tip
from viewer.overlay.text_table import table
from viewer.report.picture_report import CandidateReport, LookUpReport, PickReport, PictureReport, StepReport

PROBES = {
    "sub-step": "the cells that the body's spheres touch where this sub-step ends, and the one picked",
    "step down": "the same below the body, where the sweep feels for ground to stand on",
    "placement": "the same once more at the place come to, without a step down: the cell that is kept",
}
SEED = "from: the cell that the search began at (the seed); picked: the one that holds the foot's centre"
TITLES = ("cell", "added by", "centre", "answers", "result")
"""A column in which nothing stands is left out: ``answers`` where no neighbour was asked."""


def draw_membership(report: PictureReport, actions: OverlayActions, widgets: Widgets) -> None:
    """The last sweep that moved: candidates, who holds the centre, which was picked, what others answered."""
    imgui.text_colored(GREEN, str(report.body.cell))
    sweep = report.sweep
    move = None if sweep is None else sweep.last_move
    if sweep is not None and sweep.lookup is not None:
        _lookup(sweep.lookup)
    if move is None:
        imgui.text_colored(
            GREY, "it has not moved since it was put here: the cell is the one that it was put into"
        )
        if sweep is not None and sweep.candidates:
            rows = [
                (short(cell), why, "", "", _pruned(is_kept=stab, is_picked=picked))
                for cell, why, stab, picked in sweep.candidates
            ]
            _table("candidates", rows)
        return
    imgui.text_wrapped(move.title)
    for step in move.sub_steps:
        imgui.push_id(step.index)
        _step(step, widgets)
        imgui.pop_id()


def _lookup(look: LookUpReport) -> None:
    says = str(look.cell) if look.cell else "no cell"
    imgui.text_colored(
        AMBER if look.disagrees else GREY,
        f"a static look-up says {says}; wrong in {look.disagreements} of {look.ticks} ticks",
    )
    tip("a look-up by the position alone, as other programs do it; the cell itself is carried by the sweep")


def _step(step: StepReport, widgets: Widgets) -> None:
    took = "accepted" if step.advanced else f"put back ({step.result})"
    heading(f"sub-step {step.index}: {took}")
    tip("a tick moves a body in steps shorter than its radius; one that can't be done is put back")
    widgets.mark(f"sub-step {step.index}")
    imgui.text(f"{short(step.cell)} to {short(step.end_cell)}, {step.insertion or 'no sweep'}")
    for number, pick in enumerate(step.picks):
        picked = short(pick.picked) if pick.picked else "none"
        imgui.text_colored(GREY, f"{pick.probe}: from {short(pick.seed)}, picked {picked}")
        tip(f"{PROBES.get(pick.probe, '')}\n{SEED}".strip())
        _table(f"picks {number}", [_row(candidate, pick) for candidate in pick.candidates])
    for note in step.notes:
        imgui.text_wrapped(note)


def _table(name: str, rows: Sequence[tuple[str, ...]]) -> None:
    kept = [k for k in range(len(TITLES)) if any(row[k] for row in rows)]
    table(name, [TITLES[k] for k in kept], [[row[k] for k in kept] for row in rows], ("result",))


def _row(candidate: CandidateReport, pick: PickReport) -> tuple[str, ...]:
    source = "" if candidate.added_by == candidate.cell else f" of {short(candidate.added_by)}"
    answer = next((answer for cell, answer in pick.asked if cell == candidate.cell), "")
    centre = "holds it" if candidate.holds else "not loaded" if not candidate.loaded else ""
    last = _pruned(is_kept=not candidate.pruned, is_picked=candidate.picked)
    return short(candidate.cell), f"{candidate.why}{source}", centre, answer, last


def _pruned(*, is_kept: bool, is_picked: bool) -> str:
    words = (["picked"] if is_picked else []) + ([] if is_kept else ["a prune would drop it"])
    return ", ".join(words)
