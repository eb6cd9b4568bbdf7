"""A frame's portals by what became of them, and its regions as pyramids in space (rendering 8.2 no. 3, 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.dat.values import Vec3
from engine.visibility import look_in, pview
from engine.visibility.frame_view import FrameView
from engine.visibility.pview import PView
from engine.world.debug_shapes import DebugShapes, Rgba, hue
from engine.world.ids import rebase

GREEN: Final = (0.2, 1.0, 0.3)
YELLOW: Final = (1.0, 0.9, 0.2)
ORANGE: Final = (1.0, 0.55, 0.1)
RED: Final = (1.0, 0.25, 0.2)
BLUE: Final = (0.3, 0.5, 1.0)
CYAN: Final = (0.2, 0.9, 1.0)

Color = tuple[float, float, float]

_VERDICTS: Final = {
    pview.PASSED: GREEN,
    pview.NOTHING_NEW: GREEN,
    pview.CLIPPED_AWAY: YELLOW,
    pview.MISSING: ORANGE,
    pview.NOT_IN_STAB_LIST: ORANGE,
}
_REFUSALS: Final = {look_in.CLIPPED: YELLOW, look_in.MISSING: ORANGE}
_ORDER: Final = (RED, ORANGE, YELLOW, CYAN, BLUE, GREEN)
_FACE_ALPHA: Final = 0.05


def portal_shapes(frame: FrameView) -> DebugShapes:
    """Portals of the visited cells and openings of the buildings that were tried.

    Green passed, yellow clipped away, orange neighbour missing or not in the stab list, red faces away,
    blue an exit, cyan an opening that is looked through. Of two that coincide the later in red, orange,
    yellow, cyan, blue, green lies on top.
    """
    found: list[tuple[Color, list[Vec3]]] = []
    for flood in frame.floods:
        for cell_id in flood.order:
            found += _portals_of(frame, flood, cell_id)
    for x in frame.look_ins:
        place = x.building.pos.frame
        corners = [place.to_global(v) for v in x.aperture.polygon.vertices]
        found.append((CYAN, [rebase(p, x.block_id, frame.root) for p in corners]))
    for refused in frame.refused_look_ins:
        polygon = refused.portal.polygon
        if polygon is not None:
            corners = [refused.building.pos.frame.to_global(v) for v in polygon.vertices]
            color = _REFUSALS.get(refused.reason, RED)
            found.append((color, [rebase(p, refused.block_id, frame.root) for p in corners]))
    out = DebugShapes(frame.root)
    for color, points in sorted(found, key=lambda item: _ORDER.index(item[0])):
        out.outline(points, (*color, 1.0))
        out.fan(points, (*color, _FACE_ALPHA))
    return out


def _portals_of(frame: FrameView, flood: PView, cell_id: int) -> list[tuple[Color, list[Vec3]]]:
    view = flood.cells[cell_id]
    out: list[tuple[Color, list[Vec3]]] = []
    for portal, reason in zip(view.cell.portals, view.reasons, strict=True):
        if reason == pview.ENTERED:
            continue  # drawn as the portal of the cell one came from
        color = _VERDICTS.get(reason, RED)
        if portal.is_exit and reason >= pview.EXIT_IGNORED:
            color = BLUE
        corners = [view.cell.frame.to_global(v) for v in portal.polygon.vertices]
        out.append((color, [rebase(p, cell_id, frame.root) for p in corners]))
    return out


def pyramid_shapes(frame: FrameView) -> DebugShapes:
    """The screen's own frustum, and every region as a pyramid from the eye to its cell."""
    out = DebugShapes(frame.root)
    _pyramid(out, frame, ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)), 1.0, (1.0, 1.0, 1.0, 0.9))
    for row in frame.cells:
        for region in row.regions:
            if row.distance > 0.0:
                _pyramid(out, frame, region.points, row.distance, hue(row.cell & 0xFFFF, 0.8))
    return out


def _pyramid(
    out: DebugShapes, frame: FrameView, region: Sequence[tuple[float, float]], reach: float, color: Rgba
) -> None:
    ex, ey, ez = frame.view.eye
    base: list[Vec3] = []
    for x, y in region:
        rx, ry, rz = frame.view.ray(x, y)
        length = (rx * rx + ry * ry + rz * rz) ** 0.5
        k = reach / length
        base.append((ex + rx * k, ey + ry * k, ez + rz * k))
    for p in base:
        out.line(frame.view.eye, p, color)
    out.outline(base, color)
