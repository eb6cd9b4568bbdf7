"""The openings of an answer, drawn in the picture, and the region that came to the one that ends it."""

from __future__ import annotations

from engine.visibility.picture_view import PictureView
from engine.visibility.region_shapes import GREY, WHITE, verdict_color
from engine.visibility.why.why_answer import Chain, Gate, Outline, WhyAnswer
from engine.world.debug_shapes import DebugShapes

NEARER = 1.02  # times the near plane's distance: a region lies before all that it is seen through
FACE = 0.16  # opacity of the opening that stops a chain
SHOWN = 6  # chains of a visible cell


def why_shapes(answer: WhyAnswer, picture: PictureView) -> DebugShapes:
    """Openings in the colours of their verdicts, the one that stopped it filled, with the region before it.

    Regions are white, that left behind a chain's last opening too. What was not come to is grey. Of a
    visible cell every chain is drawn, up to a few.
    """
    seen = picture.frozen if picture.frozen is not None else picture
    out = DebugShapes(seen.root)
    for chain in answer.chains[:SHOWN]:
        stop = chain.stopped_at
        for number, gate in enumerate(chain.gates, 1):
            _gate(out, gate, number, stop)
        last = stop if stop is not None else chain.gates[-1] if chain.gates else None
        if last is not None:
            _regions(out, seen, chain, last)
    return out


def _gate(out: DebugShapes, gate: Gate, number: int, stop: Gate | None) -> None:
    color = verdict_color(gate.verdict) if gate.passed or gate is stop else GREY
    corners = gate.corners
    out.outline(corners, (*color, 1.0))
    if gate is stop:
        out.fan(corners, (*color, FACE))
    if corners:
        x, y, z = (sum(axis) / len(corners) for axis in zip(*corners, strict=True))
        out.label((x, y, z), f"{number} {gate.verdict}", (*color, 1.0))


def _regions(out: DebugShapes, picture: PictureView, chain: Chain, gate: Gate) -> None:
    """What came to an opening, or was left behind the last one of a chain that arrives."""
    for outline in gate.after if chain.arrives else gate.before:
        out.outline(_on_screen(picture, outline), (*WHITE, 0.9))


def _on_screen(picture: PictureView, outline: Outline) -> list[tuple[float, float, float]]:
    """A region of the screen in space, just behind the near plane."""
    view, points = picture.view, []
    k = NEARER * view.near
    for x, y in outline:
        # A little inside the picture: what lies on its very edge is not drawn.
        ray = view.ray(max(-0.996, min(0.996, x)), max(-0.996, min(0.996, y)))
        points.append((view.eye[0] + k * ray[0], view.eye[1] + k * ray[1], view.eye[2] + k * ray[2]))
    return points
