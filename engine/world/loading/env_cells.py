"""EnvCell records into the runtime cell graph: structures, portals and stab lists (membership 2.4)."""

from __future__ import annotations

import math
from collections.abc import Collection

from engine.dat.hex_id import hex_id
from engine.dat.number_rules import frame_fault, turn_fault
from engine.dat.records import env_cell as record
from engine.dat.records.environment import CellStruct, Environment
from engine.dat.values import StoredFrame
from engine.world.cells import CellStructure, EnvCell, Portal
from engine.world.frame import Frame
from engine.world.ids import EXIT_CELL, block_of
from engine.world.loading.trees import Corners, Report, cell_tree, closed_polygon, physics_tree, polygon_table
from engine.world.source import Problems, WorldSource
from engine.world.under_way import UnderWay


class CellLoader:
    """Builds EnvCells; structures are shared by all cells that name them and built once.

    A cell whose record, structure or frame can't be used is reported and left out; a portal with a damaged
    polygon stays in its place, closed.
    """

    def __init__(self, source: WorldSource, problems: Problems, under_way: UnderWay) -> None:
        self.source = source
        self.problems = problems
        self._under_way = under_way
        self._structures: dict[tuple[int, int], CellStructure | None] = {}
        self._environments: dict[int, Environment | None] = {}  # while a landblock's cells are made
        self._frames: dict[str, Frame] = {}  # as above: the cells of a building stand in one

    def load_cells(self, block_id: int) -> dict[int, tuple[EnvCell, record.EnvCell]]:
        """The EnvCells of a landblock with their records, by full id ascending."""
        loaded: dict[int, tuple[EnvCell, record.EnvCell]] = {}
        cell_ids = self.problems.fetch(self.source.cell_ids, block_id) or ()
        for cell_id in self._under_way.through(f"cells of {hex_id(block_id)}", cell_ids):
            missing = f"{self.source.name}, object {hex_id(cell_id)}: EnvCell is missing"
            stored = self.problems.require(self.source.env_cell, cell_id, missing)
            if stored is None:
                continue
            cell = self._build(cell_id, stored)
            if cell is not None:
                loaded[cell_id] = (cell, stored)
        self._environments.clear()
        self._frames.clear()
        self._check_back_links({cell_id: cell for cell_id, (cell, _) in loaded.items()})
        return loaded

    def _build(self, cell_id: int, stored: record.EnvCell) -> EnvCell | None:
        def report(line: str) -> None:
            self._report(cell_id, line)

        frame = checked_frame(stored.frame, "its frame", report)
        if frame is None:
            return None
        structure = self._structure(stored.environment_id, stored.structure)
        if structure is None:
            report(
                f"left out: no structure {stored.structure} of Environment {hex_id(stored.environment_id)}"
            )
            return None
        block_id = block_of(cell_id)
        return EnvCell(
            cell_id,
            self._frames.setdefault(repr(stored.frame), frame),  # told apart by the signs of zeros, too
            structure,
            [
                self._portal(index, portal, structure, block_id, report=report)
                for index, portal in enumerate(stored.portals)
            ],
            stab_list=tuple(block_id | low for low in stored.visible),
            seen_outside=bool(stored.flags & record.SEEN_OUTSIDE),
            surfaces=stored.surface_ids,
        )

    def _portal(
        self,
        index: int,
        portal: record.CellPortal,
        structure: CellStructure,
        block_id: int,
        *,
        report: Report,
    ) -> Portal:
        polygon = structure.polygons.get(portal.polygon)
        if polygon is None:
            report(f"portal {index}: its polygon {portal.polygon} is not there; the portal stays closed")
            polygon = closed_polygon(portal.polygon)
        other = EXIT_CELL if portal.other_cell == record.OUTSIDE else block_id | portal.other_cell
        return Portal(
            index,
            portal.flags,
            polygon,
            other_cell_id=other,
            other_portal_id=portal.other_portal,
        )

    def _check_back_links(self, cells: dict[int, EnvCell]) -> None:
        """Drop the index of a neighbour's portal where the neighbour has no such portal."""
        for cell in cells.values():
            for portal in cell.portals:
                other = cells.get(portal.other_cell_id)
                if other is not None and portal.other_portal_id >= len(other.portals):
                    missing = f"cell {hex_id(other.id)} has no portal {portal.other_portal_id}"
                    self._report(cell.id, f"portal {portal.index}: {missing}")
                    portal.other_portal_id = -1

    def size(self) -> int:
        """How many polygons the structures hold that are kept."""
        kept = [s for s in list(self._structures.values()) if s is not None]
        return sum(len(s.polygons) + len(s.physics_polygons) for s in kept)

    def keep(self, used: Collection[tuple[int, int]]) -> None:
        """Forget all structures but these, given by Environment and key."""
        for name in [name for name in list(self._structures) if name not in used]:
            self._structures.pop(name, None)

    def _structure(self, environment_id: int, key: int) -> CellStructure | None:
        try:
            return self._structures[environment_id, key]
        except KeyError:
            built = self._build_structure(environment_id, key)
            return self._structures.setdefault((environment_id, key), built)

    def _build_structure(self, environment_id: int, key: int) -> CellStructure | None:
        environment = self.problems.fetch_once(self._environments, self.source.environment, environment_id)
        stored = None if environment is None else environment.cell(key)
        if stored is None:
            return None
        return cell_structure(
            environment_id, stored, lambda line: self._report(environment_id, f"structure {key}: {line}")
        )

    def _report(self, object_id: int, reason: str) -> None:
        self.problems.report(f"{self.source.name}, object {hex_id(object_id)}: {reason}")


def cell_structure(environment_id: int, stored: CellStruct, report: Report) -> CellStructure:
    """The runtime form of a CellStruct, cell-local."""
    corners = Corners(stored.vertex_array)
    physics_polygons = polygon_table(stored.physics_polygons, corners, "physics", report)
    return CellStructure(
        environment_id=environment_id,
        structure=stored.key,
        polygons=polygon_table(stored.polygons, corners, "drawing", report),
        physics_polygons=physics_polygons,
        physics_root=physics_tree(stored.physics_bsp, physics_polygons, stored.physics_polygons, report),
        cell_tree=cell_tree(stored.cell_bsp, report),
    )


def checked_frame(stored: StoredFrame, what: str, report: Report) -> Frame | None:
    """A runtime frame; None, reported, where nothing can be placed by it.

    An orientation that is off unit length by more than 1 % is reported and normalised.
    """
    fault = frame_fault(stored)
    if fault is not None:
        report(f"{what} {fault}; left out")
        return None
    odd = turn_fault(stored.orientation)
    if odd is None:
        return Frame.stored(stored)
    report(f"{what} {odd}; normalised")
    qw, qx, qy, qz = stored.orientation
    length = math.hypot(qw, qx, qy, qz)
    return Frame(stored.origin, (qw / length, qx / length, qy / length, qz / length))
