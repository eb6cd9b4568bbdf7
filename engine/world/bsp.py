"""Runtime BSP trees: the physics tree's nodes and the cell tree's chain of planes (collision 4.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.dat.values import Vec3
from engine.native import mypyc_attr
from engine.world.polygon import Polygon


@mypyc_attr(acyclic=True)
class BspNode:
    """One node of a physics tree.

    An inner node has a splitting plane and children; a leaf has polygons in file order. Every node has
    the sphere that bounds what lies below it. Space: cell- or part-local, metres.

    Questions begin at a tree's root and go on to ``front`` and ``back``, its children but for empty leaves.
    Only a node that ``has_bounds`` need be held against its sphere: others have that of the node above, for
    a node stands below one other at most.
    """

    __slots__ = (
        "back", "center", "d", "front", "has_bounds", "index", "is_leaf", "neg", "normal", "polygons", "pos",
        "radius", "solid",
    )  # fmt: skip

    def __init__(  # noqa: PLR0913 - a node as the records hold it, made by the codec only
        self,
        normal: Vec3,
        d: float,
        pos: BspNode | None,
        neg: BspNode | None,
        *,
        center: Vec3,
        radius: float,
        polygons: list[Polygon],
        is_leaf: bool,
        solid: bool,
        index: int,
    ) -> None:
        self.normal = normal
        self.d = d
        self.pos = pos
        self.neg = neg
        self.center = center
        self.radius = radius
        self.polygons = polygons
        self.is_leaf = is_leaf
        self.solid = solid
        self.index = index
        self.has_bounds = True
        self.front = self._below(pos)
        self.back = self._below(neg)

    def _below(self, child: BspNode | None) -> BspNode | None:
        if child is None or (child.is_leaf and not child.polygons):
            return None
        child.has_bounds = child.center != self.center or child.radius < self.radius
        return child


def leaf_node(
    polygons: list[Polygon], center: Vec3, radius: float, *, solid: bool = False, index: int = 0
) -> BspNode:
    """A leaf holding polygons in the given order."""
    return BspNode(
        (0.0, 0.0, 0.0),
        0.0,
        None,
        None,
        center=center,
        radius=radius,
        polygons=polygons,
        is_leaf=True,
        solid=solid,
        index=index,
    )


@mypyc_attr(acyclic=True)
class InwardPlane:
    """A plane that bounds a cell: no point of the cell lies on its negative side (collision 4.5).

    ``nx, ny, nz`` is its unit normal, ``d`` its distance term. It unpacks into these four.
    """

    __slots__ = ("d", "nx", "ny", "nz")

    def __init__(self, nx: float, ny: float, nz: float, d: float) -> None:
        self.nx = nx
        self.ny = ny
        self.nz = nz
        self.d = d

    def __iter__(self) -> Iterator[float]:
        return iter((self.nx, self.ny, self.nz, self.d))

    def __reduce__(self) -> tuple[Callable[..., object], tuple[float, ...]]:
        return InwardPlane, tuple(self)


@mypyc_attr(acyclic=True)
class CellTree:
    """A cell's containment tree: the inward planes ``(nx, ny, nz, d)`` of its chain, in order.

    The cell is the intersection of their positive half-spaces (dat-format 4.13). A cell without a tree
    has no CellTree at all (collision 4.5).
    """

    __slots__ = ("planes",)

    def __init__(self, planes: list[tuple[float, float, float, float]]) -> None:
        self.planes = planes
