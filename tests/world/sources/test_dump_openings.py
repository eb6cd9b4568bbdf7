"""Portals of neighbours are matched by their corners, few of them compared (sources 2)."""

from __future__ import annotations

import math
import random

import pytest

from engine.dat.values import StoredFrame
from engine.world.sources.dump_openings import SAME_VERTEX, DumpOpenings
from engine.world.sources.dump_records import CellDump, DumpPolygon, DumpPortal

PLACE = StoredFrame((50.0, 20.0, 10.0), (1.0, 0.0, 0.0, 0.0))


def cell(
    cell_id: int, squares: list[list[tuple[float, float, float]]], portals: list[DumpPortal]
) -> CellDump:
    polygons = tuple([DumpPolygon(n, 0, tuple(corners)) for n, corners in enumerate(squares)])
    return CellDump(
        cell_id=cell_id, frame=PLACE, physics=(), drawing=polygons, portals=tuple(portals), visible=(),
        seen_outside=None,
    )  # fmt: skip


def squares_to(other: int, count: int, cell_id: int, dice: random.Random) -> CellDump:
    return cell(
        cell_id, [square(dice) for _ in range(count)], [DumpPortal(other, n, 0) for n in range(count)]
    )


def square(dice: random.Random) -> list[tuple[float, float, float]]:
    """Of few places and sizes, so that many are alike or nearly so."""
    x, y, z = (dice.randrange(3) + dice.choice((0.0, 0.0, 0.004, 0.008, 0.012)) for _ in range(3))
    w = dice.choice((1.0, 1.005, 2.0))
    corners = [(x, y, z), (x + w, y, z), (x + w, y, z + 1.0), (x, y, z + 1.0)]
    return corners[::-1] if dice.random() < 0.5 else corners


@pytest.mark.parametrize("seed", range(4))
def test_the_first_portal_with_the_same_corners_is_found_as_by_asking_each(seed: int) -> None:
    dice = random.Random(seed)
    here, there = squares_to(0x0101, 40, 0x01070100, dice), squares_to(0x0100, 60, 0x01070101, dice)
    mine, theirs = DumpOpenings(here), DumpOpenings(there)
    found = []
    for portal in here.portals:
        corners = mine.corners(portal)
        same = [
            n
            for n, back in enumerate(there.portals)
            if all(min(math.dist(p, q) for q in theirs.corners(back)) < SAME_VERTEX for p in corners)
            and all(min(math.dist(p, q) for p in corners) < SAME_VERTEX for q in theirs.corners(back))
        ]
        found.append(theirs.leading_to(0x0100, corners))
        assert found[-1] == (same[0] if same else -1)
        assert theirs.leading_to(0x0102, corners) == -1
    assert len(set(found)) > 5
    assert -1 in found


def test_a_portal_without_its_polygon_leads_to_none() -> None:
    lost = cell(0x01070100, [], [DumpPortal(0x0101, 7, 0)])
    assert DumpOpenings(lost).corners(lost.portals[0]) == []
    assert DumpOpenings(lost).leading_to(0x0101, [(0.0, 0.0, 0.0)]) == -1
    assert DumpOpenings(lost).leading_to(0x0101, []) == -1
