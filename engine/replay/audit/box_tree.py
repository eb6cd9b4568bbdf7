"""Boxes by where they are: which of many come near a box, without asking each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from engine.replay.audit.shape import Box

LEAF: Final = 4  # boxes
_Flat = tuple[float, float, float, float, float, float]  # low, then high


class BoxTree:
    """A balanced tree over boxes, named by their place in the list; those with a NaN meet nothing."""

    def __init__(self, boxes: Sequence[Box]) -> None:
        flat: list[tuple[_Flat, int]] = [
            ((*low, *high), index)
            for index, (low, high) in enumerate(boxes)
            if not any(map(math.isnan, (*low, *high)))
        ]
        self._root = _node(flat) if flat else None

    def near(self, box: Box, slack: float, most: int | None = None) -> list[int]:
        """The boxes that come within ``slack`` of one, ascending; negative: that overlap it by as much.

        Where there are more than ``most``, just some more than that many are looked for.
        """
        (x0, y0, z0), (x1, y1, z1) = box
        x0, y0, z0, x1, y1, z1 = x0 - slack, y0 - slack, z0 - slack, x1 + slack, y1 + slack, z1 + slack
        found: list[int] = []
        todo = [self._root] if self._root is not None else []
        while todo:
            node = todo.pop()
            a, b, c, d, e, f = node.box
            if a <= x1 and x0 <= d and b <= y1 and y0 <= e and c <= z1 and z0 <= f:
                if node.children:
                    todo += node.children
                else:
                    for (a, b, c, d, e, f), index in node.boxes:
                        if a <= x1 and x0 <= d and b <= y1 and y0 <= e and c <= z1 and z0 <= f:
                            found.append(index)
                    if most is not None and len(found) > most:
                        break
        found.sort()
        return found


class _Node:
    """A part of the tree: its children, or its boxes."""

    __slots__ = ("box", "boxes", "children")

    def __init__(self, box: _Flat, boxes: Sequence[tuple[_Flat, int]], children: Sequence[_Node]) -> None:
        self.box = box
        self.boxes = boxes
        self.children = children


def _node(boxes: list[tuple[_Flat, int]]) -> _Node:
    lows = [min(box[axis] for box, _ in boxes) for axis in range(3)]
    highs = [max(box[axis] for box, _ in boxes) for axis in range(3, 6)]
    around: _Flat = (lows[0], lows[1], lows[2], highs[0], highs[1], highs[2])
    if len(boxes) <= LEAF:
        return _Node(around, boxes, ())
    axis = max(range(3), key=lambda k: highs[k] - lows[k])
    boxes.sort(key=lambda entry: entry[0][axis] + entry[0][axis + 3])
    half = len(boxes) // 2
    return _Node(around, (), (_node(boxes[:half]), _node(boxes[half:])))
