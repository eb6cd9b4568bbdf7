"""Towns: the demo's village with its houses' cells numbered without gaps, in any landblock."""

from __future__ import annotations

from collections.abc import Sequence

from engine.dat.records.env_cell import OUTSIDE, EnvCell
from engine.dat.records.land_block_info import BuildingInfo, LandBlockInfo, Stab
from scripts.demo_world import ids, outdoors
from scripts.demo_world.world import House, houses

FIRST = 0x100
SETS = ((0, 1, 2), (0, 2), (1,), (0, 1), (1, 2), (0, 1, 2))  # which houses stand in a town


def town(block: int, number: int) -> tuple[LandBlockInfo, list[EnvCell]]:
    """The houses, what stands outdoors, and the cells of the n-th town, in a landblock (low word zero)."""
    built = [houses()[n] for n in SETS[number % len(SETS)]]
    stored = sorted((cell for house in built for cell in house.cells), key=lambda cell: cell.id)
    lows = {cell.id & 0xFFFF: FIRST + n for n, cell in enumerate(stored)} | {OUTSIDE: OUTSIDE}
    cells = [_renumbered(cell, block, lows) for cell in stored]
    return LandBlockInfo(
        id=block | 0xFFFE, num_cells=len(cells), objects=_stabs(), mask=0, buildings=_buildings(built, lows)
    ), cells


def _renumbered(cell: EnvCell, block: int, lows: dict[int, int]) -> EnvCell:
    portals = tuple(portal._replace(other_cell=lows[portal.other_cell]) for portal in cell.portals)
    visible = tuple(lows[low] for low in cell.visible)
    return cell._replace(id=block | lows[cell.id & 0xFFFF], portals=portals, visible=visible)


def _buildings(built: Sequence[House], lows: dict[int, int]) -> tuple[BuildingInfo, ...]:
    return tuple(
        house.info._replace(
            portals=tuple(
                portal._replace(
                    other_cell=lows[portal.other_cell],
                    stabs=tuple(lows[low] for low in portal.stabs),
                )
                for portal in house.info.portals
            ),
        )
        for house in built
    )


def _stabs() -> tuple[Stab, ...]:
    return outdoors.stabs(ids.VILLAGE)
