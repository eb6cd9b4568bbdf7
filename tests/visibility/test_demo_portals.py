"""Every opening of the demo world with the eye on its plane and close to it, against rays."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

import pytest

from engine.dat.values import Vec3
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import PictureView, ViewOptions, build_view
from engine.visibility.view import View
from engine.visibility.view_polygon import ViewPolygon
from engine.world.cells import EnvCell, Portal
from engine.world.ids import adjust_to_outside
from tests.visibility.cell_rays import march
from tests.visibility.demo_blocks import BLOCKS, demo

RAYS = [((2 * i + 1) / 7 - 1, (2 * j + 1) / 7 - 1) for i in range(7) for j in range(7)]
STRICT = ViewOptions(strict_root=True)


def openings(*, exits: bool) -> Iterator[tuple[EnvCell, Portal]]:
    for block in BLOCKS:
        for cell in demo().blocks[block].env_cells.values():
            for portal in cell.portals:
                if portal.is_exit == exits:
                    yield cell, portal


def eye_near(cell: EnvCell, portal: Portal, rng: random.Random, metres: float) -> tuple[Vec3, Vec3]:
    """A point over the opening, ``metres`` off its plane into the cell; the inward normal. Block frame."""
    corners = [cell.frame.to_global(v) for v in portal.polygon.vertices]
    weights = [rng.uniform(0.15, 1.0) for _ in corners]
    total = sum(weights)
    x, y, z = (sum(w * c[k] for w, c in zip(weights, corners, strict=True)) / total for k in range(3))
    nx, ny, nz = cell.frame.to_global_vec(portal.polygon.normal)
    side = -1.0 if portal.portal_side else 1.0
    n = (side * nx, side * ny, side * nz)
    return (x + n[0] * metres, y + n[1] * metres, z + n[2] * metres), n


def picture_at(root: int, eye: Vec3, yaw: float, pitch: float) -> PictureView:
    view = View.from_angles(eye, yaw, pitch, fov_y=60.0, width=480.0, height=480.0)
    return build_view(
        demo(), root, foot=eye, pivot=eye, eye=eye, view=view, options=STRICT, index=OpeningIndex()
    )


def angles(rng: random.Random) -> Iterator[tuple[float, float]]:
    turn = rng.uniform(0.0, 60.0)
    for k in range(6):
        yield turn + 60.0 * k, rng.choice((-70.0, -30.0, 0.0, 0.0, 30.0, 70.0))


def shown(regions: list[ViewPolygon], x: float, y: float) -> bool | None:
    """Whether regions show a point of the screen; None within a pixel of a border."""
    if min((abs(ex * y - ey * x + c) for r in regions for ex, ey, c in r.edges), default=1.0) < 4e-3:
        return None
    return any(r.contains_point(x, y) for r in regions)


@pytest.mark.parametrize("millimetres", [0.0, 0.1, 1.9, 2.1, 5.0])
def test_an_eye_at_an_opening_sees_what_rays_see(millimetres):
    """From either side (the neighbour's portal is an opening of its own here), at all angles."""
    rng = random.Random(round(millimetres * 10))
    tested = crossed = 0
    for cell, portal in openings(exits=False):
        eye, _ = eye_near(cell, portal, rng, millimetres / 1000.0)
        for yaw, pitch in angles(rng):
            picture = picture_at(cell.id, eye, yaw, pitch)
            for x, y in RAYS:
                ray = march(demo(), cell, eye, picture.view.ray(x, y))
                if ray.doubtful:
                    continue
                tested += 1
                crossed += len(ray.cells) > 1
                for passed in ray.cells:
                    assert shown(picture.regions_of(passed), x, y) in (None, True), (
                        cell.id,
                        portal.index,
                        yaw,
                    )
                if ray.outdoors:
                    assert shown(picture.outside, x, y) in (None, True)
                if millimetres > 2.0:
                    for row in picture.cells:
                        if row.flood is None and row.cell not in ray.cells:
                            assert shown(row.regions, x, y) in (None, False), (cell.id, row.cell, x, y)
    assert tested > 10_000
    assert crossed > tested / 4


@pytest.mark.parametrize("millimetres", [-5.0, -1.9, -0.1, 0.1, 1.9, 5.0])
def test_an_eye_at_a_door_to_the_street_sees_both_sides(millimetres):
    """Positive inside. From outside the rooms come as a look-in, from inside the street as the outside."""
    rng = random.Random(7)
    through = 0
    for cell, portal in openings(exits=True):
        eye, inward = eye_near(cell, portal, rng, millimetres / 1000.0)
        inside = millimetres > 0.0
        root = cell.id if inside else adjust_to_outside(cell.id, eye)[0]
        for yaw, pitch in angles(rng):
            picture = picture_at(root, eye, yaw, pitch)
            for x, y in RAYS:
                ray = picture.view.ray(x, y)
                into = sum(a * b for a, b in zip(ray, inward, strict=True)) / math.dist(ray, (0, 0, 0))
                if inside:
                    met = march(demo(), cell, eye, ray)
                    if not met.doubtful and met.outdoors:
                        through += 1
                        assert shown(picture.outside, x, y) in (None, True)
                elif into > 0.05:
                    # Behind the plane within so few millimetres all such rays pass the opening.
                    step = -millimetres / 1000.0 / into + 1e-4
                    if step > 0.06:
                        continue
                    k = step / math.dist(ray, (0, 0, 0))
                    entry = (eye[0] + k * ray[0], eye[1] + k * ray[1], eye[2] + k * ray[2])
                    met = march(demo(), cell, entry, ray)
                    through += 1
                    if not met.doubtful:
                        assert shown(picture.regions_of(met.cells[0]), x, y) in (None, True), (cell.id, yaw)
    assert through > 200
