"""The portals of a dumped cell by where they lie, for neighbours whose dumps don't say which is theirs."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final

from engine.dat.values import Vec3
from engine.world.frame import Frame
from engine.world.sources.dump_records import CellDump, DumpPortal

SAME_VERTEX: Final = 0.01
"""Metres within which two corners are one."""
MOST_ALIKE: Final = 32
"""Portals to one cell whose boxes are alike, of which corner by corner is compared: where more are nobody can
tell them apart, and each may have as many corners as a polygon has."""
_Box = tuple[float, ...]


class AlikeError(ValueError):
    """More portals lie in one place than can be told apart."""


class DumpOpenings:
    """The corners of a cell's portals in its block's frame, metres.

    They lie in the order of where their boxes begin on the axis on which these lie farthest apart: of many
    portals few are compared with an opening. Of portals that lead to one cell through one polygon the first
    stands for all: a polygon may have hundreds of corners and thousands of portals.
    """

    def __init__(self, dump: CellDump) -> None:
        frame = Frame.stored(dump.frame)
        wanted = {portal.polygon for portal in dump.portals}
        self._corners: dict[int, list[Vec3]] = {}
        for polygon in dump.drawing:
            if polygon.key in wanted and polygon.key not in self._corners:  # the first of a key counts
                self._corners[polygon.key] = [frame.to_global(corner) for corner in polygon.corners]
        self._low_word = dump.cell_id & 0xFFFF
        self._back: dict[tuple[int, int], int] = {}
        boxes = {key: _box(corners) for key, corners in self._corners.items() if corners}
        firsts: dict[tuple[int, int], int] = {}
        for index, portal in enumerate(dump.portals):
            if portal.polygon in boxes:
                firsts.setdefault((portal.polygon, portal.other_cell), index)
        rows = [(boxes[polygon], index, other) for (polygon, other), index in firsts.items()]
        begins = list(zip(*(box[:3] for box, _, _ in rows), strict=True)) or [(0.0,)]
        spreads = [max(begin) - min(begin) for begin in begins]
        self._axis = axis = spreads.index(max(spreads))
        self._rows = sorted(rows, key=lambda row: row[0][axis])
        self._portals = dump.portals
        self._begins = [box[axis] for box, _, _ in self._rows]

    def corners(self, portal: DumpPortal) -> list[Vec3]:
        """The corners of one of its portals; none where its polygon is not there."""
        return self._corners.get(portal.polygon, [])

    def leading_back(self, portal: DumpPortal, of: DumpOpenings) -> int:
        """The index of its first portal that leads back through a portal of another cell; -1 without one."""
        key = (of._low_word, portal.polygon)
        known = self._back.get(key)
        if known is None:
            known = self._back[key] = self.leading_to(of._low_word, of.corners(portal))
        return known

    def leading_to(self, low_word: int, corners: Sequence[Vec3]) -> int:
        """The index of its first portal to a cell of its block that has these corners; -1 without one.

        AlikeError where it is none of the first few of very many.
        """
        if not corners:
            return -1
        box = _box(corners)
        begin = box[self._axis]
        first = bisect_left(self._begins, begin - SAME_VERTEX)
        last = bisect_right(self._begins, begin + SAME_VERTEX)
        alike = sorted(
            index
            for other, index, leads_to in self._rows[first:last]
            if leads_to == low_word and _is_alike(box, other)
        )
        for number in alike[:MOST_ALIKE]:
            if _same_corners(corners, self.corners(self._portals[number])):
                return number
        if len(alike) > MOST_ALIKE:
            raise AlikeError(f"{len(alike)} of its portals lie where one of its neighbour's does")
        return -1


def _box(corners: Sequence[Vec3]) -> _Box:
    xs, ys, zs = zip(*corners, strict=True)
    return (min(xs), min(ys), min(zs), max(xs), max(ys), max(zs))


def _is_alike(a: _Box, b: _Box) -> bool:
    return all(abs(p - q) <= SAME_VERTEX for p, q in zip(a, b, strict=True))


def _same_corners(a: Sequence[Vec3], b: Sequence[Vec3]) -> bool:
    return all(min(math.dist(p, q) for q in b) < SAME_VERTEX for p in a) and all(
        min(math.dist(p, q) for q in a) < SAME_VERTEX for p in b
    )
