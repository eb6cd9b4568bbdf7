"""Whether something lies in a region: spheres against view polygons (visibility 2.18)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.dat.values import Vec3
from engine.visibility.view import PlaneTerms, View
from engine.visibility.view_polygon import ViewPolygon


class RegionCuller:
    """The planes of a region of several view polygons; made once a region, asked for many objects.

    Something is visible when it passes all planes of *any one* polygon, and the near plane. Places are
    in the block frame of the view's eye, metres. ``polygons`` are the planes of each polygon, the near plane
    first.
    """

    __slots__ = ("polygons",)

    def __init__(self, view: View, region: Sequence[ViewPolygon]) -> None:
        f = view.forward
        e = view.eye
        near: PlaneTerms = (f[0], f[1], f[2], -(f[0] * e[0] + f[1] * e[1] + f[2] * e[2]) - view.near)
        self.polygons = [[near, *view.edge_planes(p)] for p in region]

    def sphere_visible(self, center: Vec3, radius: float) -> bool:
        """Whether a sphere may be seen through the region."""
        x, y, z = center
        for planes in self.polygons:
            for nx, ny, nz, d in planes:
                if nx * x + ny * y + nz * z + d < -radius:
                    break
            else:
                return True
        return False
