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

APART: Final = 1e-6  # NDC: what lies as far beside a region has nothing in common with it, by any rounding
FAR: Final = 1e300

BEHIND: Final = "the portal lies behind the eye"
BESIDE: Final = "the portal lies outside the region that is seen so far"
TINY: Final = "what is left covers no pixel"
LOOKS_AWAY: Final = "the eye stands in the portal and looks the other way"


@mypyc_attr(acyclic=True)
class LocalView:
    """A view in the local space of a cell or a building, so that its polygons serve as they are stored.

    ``eye`` is local; the rows are the local view basis, right and up divided by their tangents.
    """

    __slots__ = ("eye", "forward", "right", "scale_x", "scale_y", "up")

    def __init__(self, view: View, frame: Frame, turned: LocalView | None = None) -> None:
        """``turned`` is the view in another space that is turned in the same way: only the eye differs."""
        self.eye: Vec3 = frame.to_local(view.eye)
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

    @staticmethod
    def of(view: View, frame: Frame, turned: Turned) -> LocalView:
        """A view in a space; the first that is turned in some way is kept for the others in ``turned``."""
        alike = turned.get(frame.quat)
        local = LocalView(view, frame, alike)
        if alike is None:
            turned[frame.quat] = local
        return local

    def project_point(self, p: Vec3) -> Hom:
        """A local point on the screen, not divided."""
        x, y, z = p[0] - self.eye[0], p[1] - self.eye[1], p[2] - self.eye[2]
        rx, ry, rz = self.right
        ux, uy, uz = self.up
        fx, fy, fz = self.forward
        return rx * x + ry * y + rz * z, ux * x + uy * y + uz * z, fx * x + fy * y + fz * z

    def facing(self, opening: Opening) -> float:
        """How far the eye lies on the owner's side of an opening's plane, metres (visibility 2.2)."""
        x, y, z = self.eye
        nx, ny, nz, d = opening.inward
        return nx * x + ny * y + nz * z + d


Turned = dict[Quat, LocalView]
"""Views of a picture, which looks the same way from wherever it does, by how their spaces are turned."""


@mypyc_attr(acyclic=True)
class Aperture:
    """An opening as an eye sees it.

    ``facing`` is how far the eye lies on the owner's side of the plane, metres (``LocalView.facing``),
    ``straddling`` whether the straddle rule replaces the clip.
    """

    __slots__ = ("_edges", "_flat", "_local", "_tidied", "_x0", "_x1", "facing", "opening", "reverse",
                 "straddling")  # fmt: skip

    def __init__(self, opening: Opening, local: LocalView, straddle: float, facing: float) -> None:
        self.opening = opening
        self._local = local
        self._flat: list[Ndc] | None = None
        self._edges: list[Hom] | None = None
        self._tidied: ViewPolygon | None = None
        self.facing = facing
        # The plain sign of d tells on which side the eye sees the vertices run counter-clockwise.
        self.reverse: bool = facing <= 0.0 if opening.portal_side == 0 else facing >= 0.0
        self.straddling: bool = (
            -straddle <= facing <= straddle and straddle > 0.0 and is_over(opening.polygon, local.eye)
        )

    @property
    def d(self) -> float:
        """The eye's distance from the polygon's plane, metres, positive on its positive side."""
        return self.facing if self.opening.portal_side == 0 else -self.facing

    @property
    def looks_out(self) -> bool:
        """The opening's sidedness: whether the eye looks out of the owner through it (visibility 2.2)."""
        return looks_out(self.facing)

    def flat(self) -> list[Ndc]:
        """The polygon on the screen, counter-clockwise, cut at w >= EPS; empty behind the eye."""
        flat = self._flat
        if flat is None:
            flat = self._project()
            self._flat = flat
        return flat

    def _project(self) -> list[Ndc]:
        local = self._local
        vertices = self.opening.polygon.vertices
        ex, ey, ez = local.eye
        rx, ry, rz = local.right
        ux, uy, uz = local.up
        fx, fy, fz = local.forward
        x0 = FAR
        x1 = -FAR
        out: list[Ndc] = []
        for x, y, z in vertices:
            x -= ex
            y -= ey
            z -= ez
            w = fx * x + fy * y + fz * z
            if w < EPS:  # seldom: most openings lie in front of the eye
                return self._project_part()
            at = (rx * x + ry * y + rz * z) / w
            x0 = at if at < x0 else x0
            x1 = at if at > x1 else x1
            out.append((at, (ux * x + uy * y + uz * z) / w))
        if self.reverse:
            out.reverse()
        self._x0 = x0
        self._x1 = x1
        return out

    def _project_part(self) -> list[Ndc]:
        """``_project`` for a polygon that does not lie in front of the eye with all of its corners."""
        local = self._local
        ex, ey, ez = local.eye
        fx, fy, fz = local.forward
        vertices = self.opening.polygon.vertices
        self._x0 = -FAR
        self._x1 = FAR
        for x, y, z in vertices:
            if fx * (x - ex) + fy * (y - ey) + fz * (z - ez) >= EPS:
                points = [local.project_point(p) for p in vertices]
                if self.reverse:
                    points.reverse()
                return clip_w(points)
        return []

    def clip(self, view: ViewPolygon, limits: TidyLimits) -> ViewPolygon | None:
        """What a view polygon shows through the opening, None for nothing (clip_portal, visibility 2.5)."""
        if self.straddling:
            return self._clip_straddling(view, limits)
        flat = self._flat
        if flat is None:
            flat = self._project()
            self._flat = flat
        if not flat or self._x0 > view.x1 + APART or self._x1 < view.x0 - APART:
            return None  # beside it: nothing to cut
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


def looks_out(facing: float) -> bool:
    """Whether an eye so far on the owner's side of an opening looks out of it; one in the plane does."""
    return facing >= -EPS


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
