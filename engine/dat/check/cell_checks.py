"""The checks of ``holtwalk dat check`` on landblocks, buildings and cells (dat-format 3.1 to 3.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.dat.check.facts import Facts
from engine.dat.container.installation import DatFiles
from engine.dat.errors import DatError
from engine.dat.hex_id import hex_id
from engine.dat.object_types import FIRST_ENV_CELL, LAND_BLOCK, LAND_BLOCK_INFO, LAST_ENV_CELL
from engine.dat.records.env_cell import LEADS_OUTSIDE, OUTSIDE, EnvCell
from engine.dat.records.land_block import LandBlock
from engine.dat.records.land_block_info import BuildingInfo, LandBlockInfo

FindingText = tuple[str, str]  # kind and detail
MOST_TOLD = 100  # portals of a building that are not there; thousands of buildings may have one model


def cell_findings(facts: Facts, record: Any) -> Iterator[FindingText]:
    """What is wrong between a LandBlock, LandBlockInfo or EnvCell and what it belongs to."""
    match record:
        case LandBlock():
            yield from _land_block(facts.files, record)
        case LandBlockInfo():
            yield from _land_block_info(facts, record)
        case EnvCell():
            yield from _env_cell(facts, record)
        case _:
            return


def _land_block(files: DatFiles, block: LandBlock) -> Iterator[FindingText]:
    there = (block.id & 0xFFFF0000 | LAND_BLOCK_INFO) in files.cell
    if bool(block.has_objects) != there:
        state = "is there" if there else "is not there"
        yield "inconsistent", f"has_objects is {block.has_objects}, its LandBlockInfo {state}"


def _land_block_info(facts: Facts, info: LandBlockInfo) -> Iterator[FindingText]:
    files = facts.files
    base = info.id & 0xFFFF0000
    if base | LAND_BLOCK not in files.cell:
        yield "missing", f"LandBlock {hex_id(base | LAND_BLOCK)}: no ground for what stands on it"
    cells = [entry.id & 0xFFFF for entry in files.cell.entries(base | FIRST_ENV_CELL, base | LAST_ENV_CELL)]
    if cells != list(range(FIRST_ENV_CELL, FIRST_ENV_CELL + info.num_cells)):
        yield "inconsistent", f"{info.num_cells} cells announced, {len(cells)} stored or not contiguous"
    for index, building in enumerate(info.buildings):
        for kind, detail in _building(facts, base, building):
            yield kind, f"building {index}: {detail}"


def _building(facts: Facts, base: int, building: BuildingInfo) -> Iterator[FindingText]:
    files = facts.files
    for index, portal in enumerate(building.portals):
        cell = _env_cell_of(files, base | portal.other_cell)
        if cell is None:
            yield "missing", f"portal {index}: cell {hex_id(base | portal.other_cell)}"
        elif portal.other_portal >= len(cell.portals):
            yield "out of range", f"portal {index}: portal {portal.other_portal} of cell {hex_id(cell.id)}"
        elif portal.other_portal >= 0 and cell.portals[portal.other_portal].other_cell != OUTSIDE:
            yield "inconsistent", f"portal {index}: the cell's portal {portal.other_portal} leads elsewhere"
        for stab in portal.stabs:
            if base | stab not in files.cell:
                yield "missing", f"portal {index}: stab {hex_id(base | stab)}"
    wrong = [number for number in facts.model_portals(building.model) if number >= len(building.portals)]
    for number in wrong[:MOST_TOLD]:
        yield "out of range", f"the model's PORT nodes name portal {number}"


def _env_cell(facts: Facts, cell: EnvCell) -> Iterator[FindingText]:
    files = facts.files
    base = cell.id & 0xFFFF0000
    if base | LAND_BLOCK_INFO not in files.cell:
        cells = files.cell.entries(base | FIRST_ENV_CELL, base | LAST_ENV_CELL)
        first = next(cells, None)
        if first is not None and first.id == cell.id:  # one finding for the whole landblock
            count = 1 + sum(1 for _ in cells)
            yield "missing", f"LandBlockInfo {hex_id(base | LAND_BLOCK_INFO)} of {count} stored cells"
    for index, portal in enumerate(cell.portals):
        outside = portal.other_cell == OUTSIDE
        if outside != bool(portal.flags & LEADS_OUTSIDE):
            yield (
                "inconsistent",
                f"portal {index}: flags {portal.flags}, other cell 0x{portal.other_cell:04X}",
            )
        if outside:
            continue
        other = _env_cell_of(files, base | portal.other_cell)
        if other is None:
            yield "missing", f"portal {index}: cell {hex_id(base | portal.other_cell)}"
        elif portal.other_portal >= len(other.portals):
            yield "out of range", f"portal {index}: portal {portal.other_portal} of cell {hex_id(other.id)}"
    for low in cell.visible:
        if base | low not in files.cell:
            yield "missing", f"visible cell {hex_id(base | low)}"
    yield from _structure(facts, cell)


def _structure(facts: Facts, cell: EnvCell) -> Iterator[FindingText]:
    structures = facts.structures(cell.environment_id)
    if structures is None:
        return
    structure = structures.get(cell.structure)
    if structure is None:
        yield "out of range", f"structure {cell.structure} of environment {hex_id(cell.environment_id)}"
        return
    if tuple(portal.polygon for portal in cell.portals) != structure.portals:
        yield "inconsistent", "its portals don't name the structure's portal polygons in order"
    if structure.highest_slot >= len(cell.surfaces):
        yield "out of range", f"the structure's surface slot {structure.highest_slot}"


def _env_cell_of(files: DatFiles, cell_id: int) -> EnvCell | None:
    """A cell, None where there is none or it is damaged (which is reported with it)."""
    low = cell_id & 0xFFFF
    if not FIRST_ENV_CELL <= low <= LAST_ENV_CELL:
        return None
    try:
        return files.get(cell_id, EnvCell)
    except DatError:
        return None
