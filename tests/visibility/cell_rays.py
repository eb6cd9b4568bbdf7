"""Rays through real cells: which cells they pass, by nothing but convexity and the openings' edges."""

from __future__ import annotations

from dataclasses import dataclass

from engine.dat.values import Vec3
from engine.world.cells import EnvCell, Portal
from engine.world.loading.world import World

ON_EDGE = 2e-3  # metres: a ray that passes an opening's edge so closely decides nothing


@dataclass
class Ray:
    """What a ray met: the cells in order, whether it left through an exit, whether it passed an edge."""

    cells: list[int]
    outdoors: bool
    doubtful: bool


def march(world: World, start: EnvCell, eye: Vec3, ray: Vec3) -> Ray:
    """Follow a ray from a point in a cell (block frame) through openings until a wall stops it."""
    cell, seen, t0, last = start, [start.id], 0.0, -1
    doubtful = False
    for _ in range(64):
        t = min(
            (-(n.nx * eye[0] + n.ny * eye[1] + n.nz * eye[2] + n.d) / slope for n in cell.block_planes or ()
             if (slope := n.nx * ray[0] + n.ny * ray[1] + n.nz * ray[2]) < -1e-12),
            default=None,
        )  # fmt: skip
        if t is None:
            return Ray(seen, outdoors=False, doubtful=True)
        t0 = max(t, t0)
        hit = (eye[0] + t0 * ray[0], eye[1] + t0 * ray[1], eye[2] + t0 * ray[2])
        found = None
        for portal in cell.portals:
            nx, ny, nz, _ = cell.portal_planes[portal.index]
            ahead = nx * ray[0] + ny * ray[1] + nz * ray[2]
            if portal.index == last or (ahead > 0.0) != (portal.portal_side == 1):
                continue
            inside = margin(portal, cell.frame.to_local(hit))
            doubtful = doubtful or abs(inside) < ON_EDGE
            if inside > 0.0:
                found = portal
                break
        if found is None:
            return Ray(seen, outdoors=False, doubtful=doubtful)
        if found.is_exit:
            return Ray(seen, outdoors=True, doubtful=doubtful)
        onward = world.env_cell(found.other_cell_id)
        if onward is None:
            return Ray(seen, outdoors=False, doubtful=doubtful)
        cell, last = onward, found.other_portal_id
        seen.append(cell.id)
    return Ray(seen, outdoors=False, doubtful=True)


def margin(portal: Portal, p: Vec3) -> float:
    """How far inside an opening's edges a point of its plane lies, metres; −1 off the plane."""
    polygon = portal.polygon
    if abs(polygon.distance(p)) > 5e-3:
        return -1.0
    n = polygon.normal
    least = 1e9
    for (ax, ay, az), (bx, by, bz) in zip(
        polygon.vertices, (*polygon.vertices[1:], polygon.vertices[0]), strict=True
    ):
        ex, ey, ez = bx - ax, by - ay, bz - az
        inward = (n[1] * ez - n[2] * ey, n[2] * ex - n[0] * ez, n[0] * ey - n[1] * ex)
        size = (inward[0] ** 2 + inward[1] ** 2 + inward[2] ** 2) ** 0.5
        if size > 1e-9:
            d = inward[0] * (p[0] - ax) + inward[1] * (p[1] - ay) + inward[2] * (p[2] - az)
            least = min(least, d / size)
    return least
