"""Where a finding is: the cells, portals and the point that its line names.

All findings name them in one way (``0xA9B40171 portal 2``, ``portal 2 of 0xA9B40171``, ``building 1 of
0xA9B40031 portal 0``, ``[155.000 15.200 94.000]`` in the block frame), so that a line says where to go,
whoever wrote it down.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from engine.dat.values import Vec3

_ID: Final = r"0x([0-9A-F]{8})"
_CELL: Final = re.compile(_ID)
_OPENING: Final = re.compile(rf"building (\d+) of {_ID}(?: portal (\d+)|: its opening (\d+))")
_PORTAL: Final = re.compile(rf"(?<!\d of ){_ID} portal (\d+)|portal (\d+) of {_ID}")
_POINT: Final = re.compile(r"(normal )?\[(-?\d+\.\d+) (-?\d+\.\d+) (-?\d+\.\d+)\]")


@dataclass(frozen=True, slots=True)
class Spot:
    """What a finding is about: ``cells`` in the order named, ``portals`` as (cell, index).

    ``openings`` are those of buildings, as (landcell of the building, its number, index). ``point`` is in the
    block frame, None where the line has none.
    """

    cells: tuple[int, ...]
    portals: tuple[tuple[int, int], ...]
    openings: tuple[tuple[int, int, int], ...]
    point: Vec3 | None


def spot_of(text: str) -> Spot:
    """What a finding's line names."""
    openings = []
    for building, land, portal, opening in _OPENING.findall(text):
        openings.append((int(land, 16), int(building), int(portal or opening)))
    rest = _OPENING.sub("", text)
    portals = [
        (int(cell or of, 16), int(index or number)) for cell, index, number, of in _PORTAL.findall(rest)
    ]
    cells = dict.fromkeys(int(cell, 16) for cell in _CELL.findall(text))
    points = [(float(x), float(y), float(z)) for normal, x, y, z in _POINT.findall(text) if not normal]
    return Spot(tuple(cells), tuple(portals), tuple(openings), points[-1] if points else None)
