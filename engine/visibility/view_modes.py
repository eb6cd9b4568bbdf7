"""Which cells a picture shows: what the traversal found, or for comparison more or fewer (views 8.2)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from engine.dat.hex_id import hex_id
from engine.visibility.flood_rules import FloodRules, WorkingSet
from engine.visibility.picture_view import PictureView, ViewOptions, VisibleCell, build_view
from engine.visibility.pview import stab_set
from engine.visibility.view_polygon import full_view
from engine.world.cell_graph import CellGraph
from engine.world.cells import EnvCell
from engine.world.ids import rebase

PVIEW: Final = "pview"
STAB: Final = "stab"
ALL: Final = "all"
ROOT: Final = "root"


def choose_cells(
    graph: CellGraph,
    picture: PictureView,
    which: str = PVIEW,
    *,
    solo: int | None = None,
    first: int | None = None,
) -> PictureView:
    """The picture with other cells in it; the landscape and its region stay as they are.

    ``which``: ``pview`` what the traversal found, ``stab`` the root and its stab list (outdoors those of
    the openings that are looked through), ``all`` every resident cell, ``root`` the root alone; all but
    the first draw cells whole, without regions. ``solo`` keeps one cell (a low word stands for the root's
    block), ``first`` so many of the order. Raises ValueError for a cell that is not in the list.
    """
    out = picture
    if which != PVIEW:
        rows = _whole(picture, _wanted(graph, picture, which))
        out = out._replace(look_ins=(), cells=rows, loose=tuple(c.cell for c in rows))
    if solo is None and first is None:
        return out
    cells = out.cells
    if solo is not None:
        cell_id = cell_in(picture.root, solo)
        cells = tuple(c for c in cells if c.cell == cell_id)
        if not cells:
            raise ValueError(f"cell {hex_id(cell_id)} is not among those that this picture shows")
    if first is not None:
        cells = cells[:first]
    only = frozenset(c.cell for c in cells)
    return out._replace(cells=cells, only=only, loose=tuple(c for c in out.loose if c in only))


def beyond_stab_list(graph: CellGraph, picture: PictureView) -> list[VisibleCell]:
    """What a traversal of the whole block reaches besides the picture's cells, near to far (2.16, compare).

    These the stab lists leave out although an eye there sees them. The picture's own list is the bounded one.
    """
    eye = picture.view.eye
    options = ViewOptions(FloodRules(working_set=WorkingSet.RESIDENT), strict_root=True)
    unbounded = build_view(
        graph, picture.root, foot=eye, pivot=eye, eye=eye, view=picture.view, options=options
    )
    found = {row.cell for row in picture.cells}
    return [row for row in unbounded.cells if row.cell not in found]


def cell_in(root: int, number: int) -> int:
    """A cell's full id where a low word stands for the root's block."""
    return number if number > 0xFFFF else (root & 0xFFFF0000) | number


def word_of(root: int, cell_id: int) -> str:
    """What names a cell beside a view root, as ``cell_in`` reads it; empty for one that nothing names there.

    In the landblock 0, whose ids look like low words, these are what cells are called.
    """
    if cell_id > 0xFFFF:
        return f"{cell_id:08X}"
    return "" if root > 0xFFFF else f"{cell_id:04X}"


def _wanted(graph: CellGraph, picture: PictureView, which: str) -> list[EnvCell]:
    """The cells to show, nearest first by the middle of their portals."""
    ids: set[int]
    root = graph.get_visible(picture.root)
    if which == ALL:
        ids = {cell_id for block in graph.blocks.values() for cell_id in block.env_cells}
    elif which == ROOT:
        ids = {picture.root}
    elif isinstance(root, EnvCell):
        ids = stab_set(root)
    else:
        ids = {c for x in picture.look_ins for c in x.flood.allowed or x.flood.order}
    cells = [cell for cell_id in ids if isinstance(cell := graph.get_visible(cell_id), EnvCell)]
    return sorted(cells, key=lambda cell: (cell.id != picture.root, _distance(picture, cell), cell.id))


def _whole(picture: PictureView, cells: Iterable[EnvCell]) -> tuple[VisibleCell, ...]:
    """Rows of cells whose region is the whole screen."""
    rows: list[VisibleCell] = []
    whole = (full_view(),)
    for cell in cells:
        distance = 0.0 if cell.id == picture.root else _distance(picture, cell)
        rows.append(VisibleCell(len(rows), cell, distance, whole))
    return tuple(rows)


def _distance(picture: PictureView, cell: EnvCell) -> float:
    """Metres from the eye to the middle of a cell's portals, else to its origin."""
    points = [cell.frame.to_global(p.center) for p in cell.portals] or [cell.frame.origin]
    n = len(points)
    middle = (sum(p[0] for p in points) / n, sum(p[1] for p in points) / n, sum(p[2] for p in points) / n)
    return math.dist(rebase(middle, cell.id, picture.root), picture.view.eye)
