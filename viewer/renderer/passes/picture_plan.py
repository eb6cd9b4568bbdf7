"""What a PictureView uploads before the first draw: marks, seals and look-ins (passes 9.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple
from engine.visibility.cell_view import FloodCell
from engine.visibility.flood import Flood
from engine.visibility.look_in import LookIn
from engine.visibility.picture_view import PictureView
from engine.visibility.pview import MAX_EXITS
from engine.visibility.view_polygon import ViewPolygon, dilate
from engine.world.cells import Landblock
from engine.world.frame import Frame
from engine.world.polygon import Polygon
from viewer.renderer.passes.exit_depth import EXIT_LAYOUT, ExitCorner, SeenExit
from viewer.renderer.passes.regions import NOTHING, PixelBox, Span, TriangleBuffer, pixel_box
from viewer.renderer.scene.matrices import EyeSpace
from viewer.renderer.scene.sight import RegionSight

if TYPE_CHECKING:
    import moderngl


class PlannedCell(NamedTuple):
    """A cell, the 2-D mark of its regions, what may show in them and, where asked for, the box around."""

    cell_id: int
    mark: Span
    sight: RegionSight
    box: PixelBox | None = None


class PlannedLookIn(NamedTuple):
    """A look-in: its opening, or seen edge-on its visible part in 2-D, the box that P7 clears, its cells."""

    look_in: LookIn
    opening: Span
    region: Span
    box: PixelBox | None
    cells: tuple[PlannedCell, ...]


class PicturePlan(NamedTuple):
    """The spans of one frame in the two buffers of a Planner; cells are near to far.

    ``loose`` cells are drawn whole, without regions. ``exits`` are the regions of ``outside`` with the depth
    of the exits there, and ``exits_box`` the pixels that they lie within.
    """

    outside: Span
    seals: Span
    cells: tuple[PlannedCell, ...]
    look_ins: tuple[PlannedLookIn, ...]
    loose: tuple[int, ...] = ()
    exits: Span = NOTHING
    exits_box: PixelBox | None = None


class Planner:
    """Owns the buffers: 2-D regions in NDC, portal polygons relative to the eye, regions with depths."""

    def __init__(self, ctx: moderngl.Context, blocks: Mapping[int, Landblock]) -> None:
        self._blocks = blocks
        self.flat = TriangleBuffer(ctx, 2)
        self.solid = TriangleBuffer(ctx, 3)
        self.deep = TriangleBuffer(ctx, *EXIT_LAYOUT)
        self._only: frozenset[int] | None = None
        self._boxes = False
        self._width = 1
        self._height = 1

    def plan(
        self, picture: PictureView, eye: EyeSpace, *, width: int, height: int, boxes: bool = False
    ) -> PicturePlan:
        """Lay out and upload all marks of a frame, the look-ins' too; ``boxes`` asks for those of cells."""
        self.flat.clear()
        self.solid.clear()
        self.deep.clear()
        self._width, self._height = width, height
        self._only = picture.only
        self._boxes = boxes
        flood = None if picture.loose else picture.flood
        look_ins = tuple(self._look_in(x, eye) for x in picture.look_ins)
        plan = PicturePlan(
            outside=self._mark(picture.outside) if picture.flood is not None else NOTHING,
            seals=NOTHING if flood is None and picture.frozen is not None else self._seals(picture, eye),
            cells=self._cells(flood) if flood is not None else (),
            look_ins=look_ins,
            loose=picture.loose,
            exits=self._exits(picture, eye),
            exits_box=pixel_box(picture.outside, width, height),
        )
        self.flat.upload()
        self.solid.upload()
        self.deep.upload()
        return plan

    def _look_in(self, x: LookIn, eye: EyeSpace) -> PlannedLookIn:
        opening = _placed(x.aperture.opening.polygon, x.building.pos.frame, eye, x.block_id)
        return PlannedLookIn(
            look_in=x,
            opening=self.solid.add_fans([opening]),
            region=self._mark(x.region) if x.straddling else NOTHING,
            box=pixel_box(x.region, self._width, self._height),
            cells=self._cells(x.flood),
        )

    def _cells(self, flood: Flood) -> tuple[PlannedCell, ...]:
        only = self._only
        return tuple(self._cell(flood, c) for c in flood.drawn_cells() if only is None or c.id in only)

    def _cell(self, flood: Flood, found: FloodCell) -> PlannedCell:
        box = pixel_box(found.views, self._width, self._height) if self._boxes else None
        return PlannedCell(found.id, self._mark(found.views), RegionSight(flood, found.views), box)

    def _mark(self, views: Sequence[ViewPolygon]) -> Span:
        return self.flat.add_fans([dilate(v, self._width, self._height) for v in views])

    def _seals(self, picture: PictureView, eye: EyeSpace) -> Span:
        polygons: list[list[Vec3]] = []
        flood = picture.flood
        if flood is None or not picture.outside:
            return NOTHING
        for cell_id, index in flood.exit_portals()[:MAX_EXITS]:
            cell = flood.cells[cell_id].cell
            polygons.append(_placed(cell.portals[index].polygon, cell.frame, eye, cell_id))
        return self.solid.add_fans(polygons)

    def _exits(self, picture: PictureView, eye: EyeSpace) -> Span:
        """The regions that show the outdoors, with depths; none where one looks from another eye."""
        if picture.flood is None or picture.frozen is not None:
            return NOTHING
        width, height = self._width, self._height
        fans: list[list[ExitCorner]] = []
        for region, cell_id, index in picture.flood.exits:
            cell = picture.flood.cells[cell_id].cell
            seen = SeenExit(cell, cell.portals[index], self._blocks.get(cell_id & 0xFFFF0000), eye)
            fans.append(seen.corners(dilate(region, width, height), width, height))
        return self.deep.add_fans(fans)


def _placed(polygon: Polygon, frame: Frame, eye: EyeSpace, cell_id: int) -> list[Vec3]:
    """A local polygon relative to the eye."""
    return [eye.relative(cell_id, frame.to_global(v)) for v in polygon.vertices]
