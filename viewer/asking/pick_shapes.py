"""What was picked, drawn in the picture: its drawing polygon and the physics polygon there, or a particle."""

from __future__ import annotations

from typing import Final

from engine.dat.hex_id import hex_id
from engine.visibility.picture_view import PictureView
from engine.world.debug_shapes import DebugShapes, Rgba
from engine.world.ids import is_outdoor
from viewer.report.picked import PickAnswer

DRAWN: Final[Rgba] = (1.0, 1.0, 1.0, 1.0)
COLLIDES: Final[Rgba] = (1.0, 0.6, 0.15, 1.0)
_FACE = 0.18


def is_in_view(answer: PickAnswer, picture: PictureView) -> bool:
    """Whether a picture shows the cell that the picked face, or particle, is painted with."""
    facet = answer.facet
    if answer.flying:
        cell = answer.flying[0].cell
        cell = 0 if is_outdoor(cell) else cell
    elif facet is None:
        return False
    else:
        cell = facet.drawn_with
    return picture.outside_visible if not cell else any(row.cell == cell for row in picture.cells)


def pick_shapes(answer: PickAnswer) -> DebugShapes:
    """The drawing polygon in white, the physics polygon in orange, and what it is in words.

    Of a particle it is the face of it that was met: it flies on, and the outline stays where it was.
    """
    out = DebugShapes(answer.root)
    facet, solid = answer.facet, answer.solid
    if answer.flying:
        first = answer.flying[0]
        out.outline(first.corners, DRAWN)
        out.label(first.corners[0], f"emitter {hex_id(first.emitter)}", DRAWN)
        return out
    if solid is not None:
        out.outline(solid.corners, COLLIDES)
    if facet is not None:
        out.outline(facet.corners, DRAWN)
        out.fan(facet.corners, (*DRAWN[:3], _FACE))
        if answer.place is not None:
            out.label(answer.place, facet.title, DRAWN)
    return out
