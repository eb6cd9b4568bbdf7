"""One opening as one eye sees it: sidedness, the straddle rule and clipping (visibility 2.2, 2.7-2.10)."""

from __future__ import annotations

from typing import Final

from engine.dat.values import Quat, Vec3
from engine.native import mypyc_attr
from engine.visibility.clip import clip_edges, clip_half, clip_w
from engine.visibility.tidy import TidyLimits, tidy
from engine.visibility.view import View
from engine.visibility.view_polygon import Hom, Ndc, ViewPolygon, edge_terms
from engine.world.cells import Opening
from engine.world.frame import Frame
from engine.world.polygon import Polygon
from engine.world.tolerance import EPS

BEHIND: Final = "the portal lies behind the eye"
BESIDE: Final = "the portal lies outside the region that is seen so far"
TINY: Final = "what is left covers no pixel"
LOOKS_AWAY: Final = "the eye stands in the portal and looks the other way"


@mypyc_attr(acyclic=True)
class LocalView:
    """A view in the local space of a cell or a building, so that its polygons serve as they are stored.

    ``eye`` is local; the rows are the local view basis, right and up divided by their tangents. ``quat``
    tells how the space is turned.
    """

    __slots__ = ("eye", "forward", "quat", "right", "scale_x", "scale_y", "up")

    def __init__(self, view: View, frame: Frame, turned: LocalView | None = None) -> None:
        """``turned`` is the view in another space that is turned in the same way: only the eye differs."""
        self.eye: Vec3 = frame.to_local(view.eye)
        self.quat: Quat = frame.quat
        if turned is not None:
            self.scale_x: float = turned.scale_x
            self.scale_y: float = turned.scale_y
            self.right: Vec3 = turned.right
            self.up: Vec3 = turned.up
            self.forward: Vec3 = turned.forward
            return
        x, y, z = frame.to_local_vec(view.right)
        k = 1.0 / view.tan_x
        self.scale_x = k
        self.right = (x * k, y * k, z * k)
        x, y, z = frame.to_local_vec(view.up)
        k = 1.0 / view.tan_y
        self.scale_y = k
        self.up = (x * k, y * k, z * k)
        self.forward = frame.to_local_vec(view.forward)

    def project_point(self, p: Vec3) -> Hom:
        """A local point on the screen, not divided."""
        x, y, z = p[0] - self.eye[0], p[1] - self.eye[1], p[2] - self.eye[2]
        rx, ry, rz = self.right
        ux, uy, uz = self.up
        fx, fy, fz = self.forward
        return rx * x + ry * y + rz * z, ux * x + uy * y + uz * z, fx * x + fy * y + fz * z

    def project(self, vertices: tuple[Vec3, ...], *, reverse: bool) -> list[Ndc]:
        """A local polygon on the screen, cut at w >= EPS; empty where all of it lies behind."""
        ex, ey, ez = self.eye
        rx, ry, rz = self.right
        ux, uy, uz = self.up
        fx, fy, fz = self.forward
        out: list[Ndc] = []
        for x, y, z in vertices:
            x -= ex
            y -= ey
            z -= ez
            w = fx * x + fy * y + fz * z
            if w < EPS:  # seldom: most openings lie in front of the eye
                points = [self.project_point(p) for p in vertices]
                return clip_w(points[::-1] if reverse else points)
            out.append(((rx * x + ry * y + rz * z) / w, (ux * x + uy * y + uz * z) / w))
        if reverse:
            out.reverse()
        return out


@mypyc_attr(acyclic=True)
class Aperture:
    """An opening as an eye sees it.

    ``d`` is the eye's distance from the plane, metres; ``looks_out`` its sidedness (visibility 2.2; one in
    the plane looks out), ``straddling`` whether the straddle rule replaces the clip.
    """

    __slots__ = ("_edges", "_flat", "_local", "_tidied", "d", "looks_out", "opening", "straddling")

    def __init__(self, opening: Opening, local: LocalView, straddle: float) -> None:
        self.opening = opening
        self._local = local
        self._flat: list[Ndc] | None = None
        self._edges: list[Hom] | None = None
        self._tidied: ViewPolygon | None = None
        eye = local.eye
        polygon = opening.polygon
        n = polygon.normal
        d = n[0] * eye[0] + n[1] * eye[1] + n[2] * eye[2] + polygon.d
        self.d: float = d
        self.looks_out: bool = (0 if d > EPS else 1) == opening.portal_side or -EPS <= d <= EPS
        self.straddling: bool = -straddle <= d <= straddle and straddle > 0.0 and is_over(polygon, eye)

    def flat(self) -> list[Ndc]:
        """The polygon on the screen, counter-clockwise, cut at w >= EPS; empty behind the eye."""
        flat = self._flat
        if flat is None:
            flat = self._local.project(self.opening.polygon.vertices, reverse=self.d <= 0.0)
            self._flat = flat
        return flat

    def clip(self, view: ViewPolygon, limits: TidyLimits) -> ViewPolygon | None:
        """What a view polygon shows through the opening, None for nothing (clip_portal, visibility 2.5)."""
        if self.straddling:
            return self._clip_straddling(view, limits)
        flat = self._flat
        if flat is None:
            # The plain sign of d tells on which side the eye sees the vertices run counter-clockwise.
            flat = self._local.project(self.opening.polygon.vertices, reverse=self.d <= 0.0)
            self._flat = flat
        if not flat:
            return None
        points = clip_edges(flat, view.edges)
        if points is not flat:
            return tidy(points, limits) if points else None
        if self._tidied is None:
            self._tidied = tidy(flat, limits)
        return self._tidied

    def clip_reason(self, view: ViewPolygon, limits: TidyLimits) -> str:
        """Why ``clip`` leaves nothing of a view polygon, in words; empty where it leaves something."""
        if self.clip(view, limits) is not None:
            return ""
        if self.straddling:
            return LOOKS_AWAY
        if not self.flat():
            return BEHIND
        return TINY if clip_edges(self.flat(), view.edges) else BESIDE

    def clip_reciprocal(self, region: ViewPolygon, limits: TidyLimits) -> ViewPolygon | None:
        """The part of a region that this polygon, an opening's far side, shows as well (visibility 2.9)."""
        edges = self._edges
        if edges is None:
            flat = self.flat()
            edges = edge_terms(flat) if flat else []
            self._edges = edges
        if not edges:
            return None
        points = clip_edges(region.points, edges)
        if points is region.points:
            return region
        return tidy(points, limits) if points else None

    def max_distance_squared(self) -> float:
        """Squared metres from the eye to the polygon's farthest vertex."""
        return max_distance_squared(self.opening.polygon, self._local.eye)

    def _clip_straddling(self, view: ViewPolygon, limits: TidyLimits) -> ViewPolygon | None:
        """The half of a view polygon whose rays run to the far side of the plane (visibility 2.10)."""
        nx, ny, nz = self.opening.polygon.normal
        if self.opening.portal_side == 0:
            nx, ny, nz = -nx, -ny, -nz
        local = self._local
        r, u, f = local.right, local.up, local.forward
        # The rows are divided by the tangents, a ray is built with them multiplied: square them back.
        tx = 1.0 / (local.scale_x * local.scale_x)
        ty = 1.0 / (local.scale_y * local.scale_y)
        return clip_half(
            view,
            (nx * r[0] + ny * r[1] + nz * r[2]) * tx,
            (nx * u[0] + ny * u[1] + nz * u[2]) * ty,
            nx * f[0] + ny * f[1] + nz * f[2],
            limits=limits,
        )


def max_distance_squared(polygon: Polygon, p: Vec3) -> float:
    """Squared metres from a point to a polygon's farthest vertex."""
    px, py, pz = p
    largest = 0.0
    for x, y, z in polygon.vertices:
        x -= px
        y -= py
        z -= pz
        square = x * x + y * y + z * z
        largest = square if square > largest else largest
    return largest


def is_over(polygon: Polygon, p: Vec3, outward: float = 0.0) -> bool:
    """Whether the foot point of ``p`` on a polygon's plane lies in the polygon.

    ``p`` is in the polygon's space; ``outward`` widens every edge by that many metres. The distance of
    ``p`` from the plane does not matter: an edge's inward vector has no part along the normal.
    """
    for e in polygon.edges:
        s = (p[0] - e.px) * e.mx + (p[1] - e.py) * e.my + (p[2] - e.pz) * e.mz
        if s < 0.0 and (outward <= 0.0 or s * s > outward * outward * e.mm):
            return False
    return len(polygon.edges) >= 3
