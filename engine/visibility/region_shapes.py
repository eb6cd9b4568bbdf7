"""A picture's portals by what became of them, and its regions as pyramids in space (views 8.2 no. 3, 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple
from engine.visibility import flood_rules
from engine.visibility.flood import Flood
from engine.visibility.look_in import NOT_TESTED, Refusal
from engine.visibility.picture_view import PictureView
from engine.world.cell_graph import CellGraph
from engine.world.cells import BldPortal, Building, EnvCell, Portal
from engine.world.debug_shapes import DebugShapes, Rgba, hue
from engine.world.ids import rebase

GREEN: Final = (0.2, 1.0, 0.3)
YELLOW: Final = (1.0, 0.9, 0.2)
ORANGE: Final = (1.0, 0.55, 0.1)
RED: Final = (1.0, 0.25, 0.2)
BLUE: Final = (0.3, 0.5, 1.0)
CYAN: Final = (0.2, 0.9, 1.0)
GREY: Final = (0.6, 0.6, 0.65)
WHITE: Final = (1.0, 1.0, 1.0)

Color = tuple[float, float, float]

_VERDICTS: Final = {
    flood_rules.REASONS[flood_rules.PASSED]: GREEN,
    flood_rules.REASONS[flood_rules.NOTHING_NEW]: GREEN,
    flood_rules.REASONS[flood_rules.CLIPPED_AWAY]: YELLOW,
    flood_rules.REASONS[flood_rules.MISSING]: ORANGE,
    flood_rules.REASONS[flood_rules.NOT_IN_STAB_LIST]: ORANGE,
    flood_rules.REASONS[flood_rules.UNTRIED]: GREY,
    Refusal.CLIPPED.value: YELLOW,
    Refusal.MISSING.value: ORANGE,
    NOT_TESTED: GREY,
}
_ORDER: Final = (GREY, RED, ORANGE, YELLOW, CYAN, BLUE, GREEN)
_FACE_ALPHA: Final = 0.05
MOST_CORNERS: Final = 1 << 18  # of the portals of a picture; the demo's town has 500


def verdict_color(verdict: str) -> Color:
    """The colour of a verdict on a portal, whoever shows it; by the traversal's word, red for all others."""
    return _VERDICTS.get(verdict, RED)


class PortalShape(NamedTuple):
    """A portal with the colour of its verdict; corners in the block frame of the picture's root."""

    color: Color
    corners: list[Vec3]
    label: str


def portal_shapes(picture: PictureView, rest: CellGraph | None = None) -> DebugShapes:
    """Portals of the visited cells and openings of the buildings that were tried.

    Their labels are ``i→cell``; a building's openings begin with its number in its block, ``b2/i→cell``.

    Green passed, yellow clipped away, orange neighbour missing or not in the stab list, red faces away,
    blue an exit, cyan an opening that is looked through; of the ``rest`` of the loaded world in grey, those
    of cells that were not visited and of buildings that were not tried. Of two that coincide the later in
    grey, red, orange, yellow, cyan, blue, green lies on top. A detached picture shows those of the one
    that it looks at. Of more than MOST_CORNERS it is ``cut_short``.
    """
    picture = picture.frozen if picture.frozen is not None else picture
    out = DebugShapes(picture.root)
    found: list[PortalShape] = []
    corners = 0
    for shape in chain(_tried(picture), () if rest is None else _untried(picture, rest)):
        corners += len(shape.corners)
        if corners > MOST_CORNERS:
            out.cut_short = True
            break
        found.append(shape)
    labels: dict[tuple[str, Vec3], Rgba] = {}  # where several floods came through a portal it has one
    for color, points, label in sorted(found, key=lambda item: _ORDER.index(item.color)):
        if points:
            out.outline(points, (*color, 1.0))
            out.fan(points, (*color, _FACE_ALPHA))
            labels[label, _middle(points)] = (*color, 1.0)
    for (label, at), rgba in labels.items():
        out.label(at, label, rgba)
    return out


def _tried(picture: PictureView) -> Iterator[PortalShape]:
    for flood in picture.floods:
        for cell_id in flood.order:
            yield from _portals_of(picture, flood, cell_id)
    for x in picture.look_ins:
        yield _opening(picture, x.block_id, x.building, x.portal, color=CYAN)
    for refused in picture.refused_look_ins:
        color = verdict_color(refused.reason.value)
        yield _opening(picture, refused.block_id, refused.building, refused.portal, color=color)


def _portals_of(picture: PictureView, flood: Flood, cell_id: int) -> Iterator[PortalShape]:
    view = flood.cells[cell_id]
    for portal, reason in zip(view.cell.portals, view.reasons, strict=True):
        if reason == flood_rules.ENTERED:
            continue  # drawn as the portal of the cell one came from
        color = verdict_color(flood_rules.REASONS[reason])
        if portal.is_exit and reason >= flood_rules.EXIT_IGNORED:
            color = BLUE
        yield _portal(picture, view.cell, portal, color)


def _untried(picture: PictureView, graph: CellGraph) -> Iterator[PortalShape]:
    """The portals that no flood came to, in grey."""
    visited = {cell_id for flood in picture.floods for cell_id in flood.order}
    tried = {id(x.portal) for x in picture.look_ins} | {id(x.portal) for x in picture.refused_look_ins}
    for block_id, block in graph.blocks.items():
        for cell in block.env_cells.values():
            if cell.id not in visited:
                for portal in cell.portals:
                    yield _portal(picture, cell, portal, GREY)
        for building in block.buildings:
            for opening in building.portals:
                if id(opening) not in tried:
                    yield _opening(picture, block_id, building, opening, color=GREY)


def _portal(picture: PictureView, cell: EnvCell, portal: Portal, color: Color) -> PortalShape:
    corners = [rebase(cell.frame.to_global(v), cell.id, picture.root) for v in portal.polygon.vertices]
    other = "out" if portal.is_exit else f"{portal.other_cell_id & 0xFFFF:04X}"
    return PortalShape(color, corners, f"{portal.index}→{other}")


def _opening(
    picture: PictureView, block_id: int, building: Building, portal: BldPortal, *, color: Color
) -> PortalShape:
    polygon, place = portal.polygon, building.pos.frame
    corners = [] if polygon is None else [place.to_global(v) for v in polygon.vertices]
    label = f"b{building.index}/{portal.index}→{portal.other_cell_id & 0xFFFF:04X}"
    return PortalShape(color, [rebase(p, block_id, picture.root) for p in corners], label)


def _middle(points: Sequence[Vec3]) -> Vec3:
    n = len(points)
    return (sum(p[0] for p in points) / n, sum(p[1] for p in points) / n, sum(p[2] for p in points) / n)


def pyramid_shapes(picture: PictureView) -> DebugShapes:
    """The screen's own frustum, and every region as a pyramid from the eye to its cell.

    A detached picture shows those of the picture that it looks at.
    """
    picture = picture.frozen if picture.frozen is not None else picture
    out = DebugShapes(picture.root)
    _pyramid(
        out, picture, ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)), 1.0, color=(1.0, 1.0, 1.0, 0.9)
    )
    for row in picture.cells:
        for region in row.regions:
            if row.distance > 0.0:
                _pyramid(out, picture, region.points, row.distance, color=hue(row.cell & 0xFFFF, 0.8))
    return out


def _pyramid(
    out: DebugShapes,
    picture: PictureView,
    region: Sequence[tuple[float, float]],
    reach: float,
    *,
    color: Rgba,
) -> None:
    ex, ey, ez = picture.view.eye
    base: list[Vec3] = []
    for x, y in region:
        rx, ry, rz = picture.view.ray(x, y)
        length = (rx * rx + ry * ry + rz * rz) ** 0.5
        k = reach / length
        base.append((ex + rx * k, ey + ry * k, ez + rz * k))
    for p in base:
        out.line(picture.view.eye, p, color)
    out.outline(base, color)
