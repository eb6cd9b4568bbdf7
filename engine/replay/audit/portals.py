"""Portals: whether every one leads somewhere, leads back, and lies on its other side (dat-format 5.5)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from engine.dat.hex_id import hex_id
from engine.dat.records.env_cell import LEADS_OUTSIDE
from engine.replay.audit.finding import (
    MISSING,
    NOT_MEETING,
    NOT_RECIPROCAL,
    ONE_WAY,
    WRONG_FLAG,
    WRONG_SIDE,
    Finding,
)
from engine.replay.audit.shape import CellShape, Shapes, box_of, boxes_meet, moved
from engine.world.cells import BldPortal, Building, Portal
from engine.world.polygon import Polygon

TOLERANCE = 0.01
MANY_PAIRS: Final = 400  # of corners, of which numpy is quicker at


def portal_findings(shapes: Shapes) -> Iterator[Finding]:
    """What is wrong with the portals of cells, and between them."""
    for shape in shapes.values():
        for portal in shape.cell.portals:
            what = f"{hex_id(shape.id)} portal {portal.index}"
            yield from _own_findings(shape, portal, what)
            if not portal.is_exit:
                yield from _neighbour_findings(shape, portal, shapes, what)


def _own_findings(shape: CellShape, portal: Portal, what: str) -> Iterator[Finding]:
    flagged = (portal.flags & LEADS_OUTSIDE) != 0
    if flagged != portal.is_exit:
        leads = "leads outside" if portal.is_exit else f"leads to {hex_id(portal.other_cell_id)}"
        yield Finding(WRONG_FLAG, f"{what} {leads}, its flags are {portal.flags}")
    if len(portal.polygon.vertices) < 3:
        yield Finding(NOT_MEETING, f"{what} has no polygon")
        return
    dist = shape.portal_polygon(portal.index).distance(shape.center)
    if (dist > 0.0) != (portal.portal_side == 0):
        side = "positive" if dist > 0.0 else "negative"
        yield Finding(WRONG_SIDE, f"{what}: the cell lies on its {side} side, its flags are {portal.flags}")


def _neighbour_findings(shape: CellShape, portal: Portal, shapes: Shapes, what: str) -> Iterator[Finding]:
    other = shapes.get(portal.other_cell_id)
    name = hex_id(portal.other_cell_id)
    if other is None:
        yield Finding(MISSING, f"{what} leads to {name}, which is not there")
        return
    back = other.leading_to.get(shape.id)
    if not back:
        yield Finding(ONE_WAY, f"{what} leads to {name}, which has no portal back")
        return
    named = portal.other_portal_id
    found = other.cell.portals[named] if 0 <= named < len(other.cell.portals) else None
    if found is None or found.other_cell_id != shape.id:
        yield Finding(NOT_RECIPROCAL, f"{what} names portal {named} of {name}, which does not lead back")
        found = back[0] if len(back) == 1 else None
    elif found.other_portal_id != portal.index:
        says = f"names portal {found.other_portal_id}"
        yield Finding(NOT_RECIPROCAL, f"{what}: its way back, portal {named} of {name}, {says}")
    if found is not None and (shape.id, portal.index) < (other.id, found.index):
        yield from _meeting(shape, portal, other, found, what=what)


def _meeting(
    shape: CellShape, portal: Portal, other: CellShape, back: Portal, *, what: str
) -> Iterator[Finding]:
    if not portal.polygon.vertices or not back.polygon.vertices:
        return
    ours, theirs = shape.portal_polygon(portal.index), other.portal_polygon(back.index)
    reason = unmet(ours, theirs, exact=portal.exact_match and back.exact_match)
    if reason:
        yield Finding(NOT_MEETING, f"{what} and {hex_id(other.id)} portal {back.index}: {reason}")


def unmet(a: Polygon, b: Polygon, *, exact: bool) -> str:
    """Why two sides of an opening don't meet, empty where they do.

    Exact ones have the same corners and lie in one plane within 1 cm; others need only touch.
    """
    if exact:
        far = max(_farthest(a, b), _farthest(b, a))
        if far > TOLERANCE:
            return f"corners are up to {far:.3f} m apart"
        off = max(abs(a.distance(v)) for v in b.vertices)
        return f"planes are {off:.3f} m apart" if off > TOLERANCE else ""
    if boxes_meet(box_of(a.vertices), box_of(b.vertices), TOLERANCE):
        return ""
    return "they don't touch"


def _farthest(a: Polygon, b: Polygon) -> float:
    """The largest distance of a corner of ``a`` from the corner of ``b`` nearest to it."""
    if len(a.vertices) * len(b.vertices) <= MANY_PAIRS:
        return max(min(math.dist(v, w) for w in b.vertices) for v in a.vertices)
    squares = sum(np.subtract.outer(p, q) ** 2 for p, q in zip(_columns(a), _columns(b), strict=True))
    nearest: list[int] = np.argmin(squares, axis=1).tolist()
    return max(math.dist(v, b.vertices[n]) for v, n in zip(a.vertices, nearest, strict=True))


def _columns(polygon: Polygon) -> Iterator[tuple[float, ...]]:
    return zip(*polygon.vertices, strict=True)


def building_portal_findings(shapes: Shapes, buildings: list[Building]) -> Iterator[Finding]:
    """What is wrong between buildings' openings and the exits of the cells behind them."""
    led_to: set[tuple[int, int]] = set()
    for building in buildings:
        for portal in building.portals:
            what = f"building {building.index} of {hex_id(building.pos.cell_id)} portal {portal.index}"
            led_to.add((portal.other_cell_id, portal.other_portal_id))
            yield from _building_portal(shapes, building, portal, what)
    for shape in shapes.values():
        for exit_portal in shape.cell.portals:
            if exit_portal.is_exit and (shape.id, exit_portal.index) not in led_to:
                what = f"{hex_id(shape.id)} portal {exit_portal.index}"
                yield Finding(ONE_WAY, f"{what} leads outside, no building's opening leads back in")


def _building_portal(shapes: Shapes, building: Building, portal: BldPortal, what: str) -> Iterator[Finding]:
    name = hex_id(portal.other_cell_id)
    shape = shapes.get(portal.other_cell_id)
    if shape is None:
        yield Finding(MISSING, f"{what} leads to {name}, which is not there")
        return
    index = portal.other_portal_id
    if not 0 <= index < len(shape.cell.portals) or not shape.cell.portals[index].is_exit:
        yield Finding(NOT_RECIPROCAL, f"{what} names portal {index} of {name}, which is no exit")
        return
    if portal.polygon is None or len(portal.polygon.vertices) < 3:
        yield Finding(NOT_MEETING, f"{what} has no polygon")
        return
    inner = shape.cell.portals[index]
    if not inner.polygon.vertices:
        return
    outer = moved(portal.polygon, building.pos.frame)
    reason = unmet(outer, shape.portal_polygon(index), exact=portal.exact_match and inner.exact_match)
    if reason:
        yield Finding(NOT_MEETING, f"{what} and {name} portal {index}: {reason}")
    dist = outer.distance(shape.center)
    if (dist > 0.0) == (portal.portal_side == 0):
        yield Finding(WRONG_SIDE, f"{what}: {name} lies on the side that is taken for the outdoors")
