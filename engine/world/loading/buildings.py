"""Buildings: a shell in the landcell of its origin, the openings one looks in through (visibility 2.13)."""

from __future__ import annotations

from engine.dat.hex_id import hex_id
from engine.dat.records.env_cell import OWNER_ON_POSITIVE_SIDE
from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.land_block_info import BldPortal as BldPortalRecord
from engine.dat.records.land_block_info import BuildingInfo
from engine.world.cells import BldPortal, Building, EnvCell, Landblock
from engine.world.frame import Frame, Position
from engine.world.ids import EXIT_CELL, adjust_to_outside
from engine.world.loading.env_cells import checked_frame
from engine.world.loading.model_store import ModelStore
from engine.world.loading.trees import Corners, Report, polygon_table
from engine.world.models import PartModel
from engine.world.polygon import Polygon
from engine.world.source import Problems, WorldSource

IDENTITY = Frame((0.0, 0.0, 0.0))
MOST_OPENINGS = 4096  # of a landblock's buildings, which every sweep, shape and picture near them tries


class BuildingLoader:
    """Builds a landblock's buildings after its cells; what is damaged is reported and left out."""

    def __init__(self, source: WorldSource, problems: Problems, models: ModelStore) -> None:
        self.source = source
        self.problems = problems
        self.models = models
        self._openings: dict[int, dict[int, Polygon]] = {}

    def add_buildings(self, block: Landblock, infos: tuple[BuildingInfo, ...]) -> None:
        """Add buildings to a landblock and to the landcells that their origins lie in."""
        left = MOST_OPENINGS
        # Stab lists by where they are stored: openings of dumps have one in common.
        listed: dict[int, tuple[int, ...]] = {}
        openings = sum(len(info.portals) for info in infos)
        if openings > left:
            what = f"its buildings have {openings} openings, over {left}: the last {openings - left}"
            self.problems.report(
                f"{self.source.name}, object {hex_id(block.id | 0xFFFE)}: {what} are left out"
            )
        for index, info in enumerate(infos):

            def report(line: str, index: int = index) -> None:
                self.problems.report(
                    f"{self.source.name}, object {hex_id(block.id | 0xFFFE)}: building {index}: {line}"
                )

            building = self._build(block, index, info, report=report, most=left, listed=listed)
            left = max(0, left - len(info.portals))
            if building is None:
                continue
            block.buildings.append(building)
            land_cell = block.land_cells[(building.pos.cell_id & 0xFFFF) - 1] if block.land_cells else None
            if land_cell is None:
                report("there is no terrain for it to stand on; nothing collides with it")
            elif land_cell.building is not None:
                report(f"landcell {hex_id(land_cell.id)} has a building already; nothing collides with it")
            else:
                land_cell.building = building

    def _build(
        self,
        block: Landblock,
        index: int,
        info: BuildingInfo,
        *,
        report: Report,
        most: int,
        listed: dict[int, tuple[int, ...]],
    ) -> Building | None:
        """A building with its first openings, ``most`` at the most; ``listed`` are stab lists made so far."""
        frame = checked_frame(info.frame, "its frame", report)
        if frame is None:
            return None
        cell_id, origin = adjust_to_outside(block.id | 0xFFFF, frame.origin)
        if cell_id & 0xFFFF0000 != block.id:
            report("its origin lies outside its landblock; left out")
            return None
        frame = frame.with_origin(origin)
        model = self.models.model(info.model)  # missing, its openings are those of the cells behind them
        shell = model.parts[0] if model is not None and model.parts else None
        part_frame = model.part_frames[0] if model is not None and model.part_frames else IDENTITY
        openings = self._openings_of(shell, report) if shell is not None and info.portals else {}
        if openings and (last := max(openings)) >= len(info.portals):
            report(f"its model names openings up to {last}, it has {len(info.portals)}")
        portals: list[BldPortal] = []
        for number, stored in enumerate(info.portals[:most]):
            polygon = openings.get(number)
            if polygon is not None:
                polygon = moved(polygon, part_frame)
            stab_list = listed.get(id(stored.stabs))
            if stab_list is None:
                stab_list = listed[id(stored.stabs)] = tuple([block.id | low for low in stored.stabs])
            portals.append(
                self._portal(block, number, stored, polygon, frame=frame, stab_list=stab_list, report=report)
            )
        shell_root = shell.physics_root if shell is not None else None
        place = Position(cell_id, frame)
        building = Building(
            index,
            info.model,
            place,
            shell_frame=frame.combine(part_frame),
            shell_root=shell_root,
            portals=portals,
        )
        building.shell_gfxobj = shell.gfxobj_id if shell is not None else 0
        return building

    def _portal(
        self,
        block: Landblock,
        number: int,
        stored: BldPortalRecord,
        polygon: Polygon | None,
        *,
        frame: Frame,
        stab_list: tuple[int, ...],
        report: Report,
    ) -> BldPortal:
        cell_id = block.id | stored.other_cell
        flags, other_portal = stored.flags, stored.other_portal
        cell = block.env_cells.get(cell_id)
        if cell is None:
            report(f"portal {number}: cell {hex_id(cell_id)} is not there")
        elif other_portal >= len(cell.portals):
            report(f"portal {number}: cell {hex_id(cell_id)} has no portal {other_portal}")
            other_portal = -1
        elif other_portal >= 0:
            inner = cell.portals[other_portal]
            if inner.other_cell_id != EXIT_CELL:
                report(f"portal {number}: portal {other_portal} of cell {hex_id(cell_id)} is no exit")
            if polygon is None:
                polygon = exit_polygon(cell, other_portal, frame)
                side = 0 if inner.flags & OWNER_ON_POSITIVE_SIDE else OWNER_ON_POSITIVE_SIDE
                flags = (flags & ~OWNER_ON_POSITIVE_SIDE) | side
        return BldPortal(
            number,
            flags,
            polygon,
            other_cell_id=cell_id,
            other_portal_id=other_portal,
            stab_list=stab_list,
        )

    def _openings_of(self, shell: PartModel, report: Report) -> dict[int, Polygon]:
        """The polygons that the PORT nodes of a shell's drawing tree name, by portal index, part-local."""
        gfxobj_id = shell.gfxobj_id
        if gfxobj_id not in self._openings:
            gfxobj = self.problems.fetch(self.source.gfx_obj, gfxobj_id) if gfxobj_id else None
            self._openings[gfxobj_id] = {} if gfxobj is None else port_polygons(gfxobj, report)
        return self._openings[gfxobj_id]


def port_polygons(gfxobj: GfxObj, report: Report) -> dict[int, Polygon]:
    """The opening polygons of a building model by portal index, in its own space (dat-format 3.8)."""
    if gfxobj.drawing_bsp is None:
        return {}
    refs = [ref for node in gfxobj.drawing_bsp.walk() for ref in node.portals or ()]
    keys = {ref.polygon for ref in refs}
    records = [polygon for polygon in gfxobj.polygons or () if polygon.key in keys]
    what = f"opening (GfxObj {hex_id(gfxobj.id)})"
    table = polygon_table(records, Corners(gfxobj.vertex_array), what, report)
    out: dict[int, Polygon] = {}
    for ref in refs:
        if ref.polygon in table:
            out.setdefault(ref.portal, table[ref.polygon])
        else:
            report(
                f"a PORT node of GfxObj {hex_id(gfxobj.id)} names polygon {ref.polygon}, which is not there"
            )
    return out


def exit_polygon(cell: EnvCell, portal_index: int, building: Frame) -> Polygon:
    """A cell's exit polygon in the space of a building frame of the same block, its winding kept."""
    polygon = cell.portals[portal_index].polygon
    corners = [building.to_local(cell.frame.to_global(v)) for v in polygon.vertices]
    return Polygon(polygon.id, corners, polygon.sides_type)


def moved(polygon: Polygon, frame: Frame) -> Polygon:
    """A polygon of a part in the space that the part's frame is given in."""
    if frame.origin == (0.0, 0.0, 0.0) and frame.quat == (1.0, 0.0, 0.0, 0.0):
        return polygon
    return Polygon(polygon.id, [frame.to_global(v) for v in polygon.vertices], polygon.sides_type)
