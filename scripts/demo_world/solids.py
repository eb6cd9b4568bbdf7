"""Solids and rooms as lists of faces: boxes, prisms, cylinders, and flights of stairs.

Faces of a solid face out; ``inside_out`` makes a room of one. Metres.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from engine.dat.values import Vec3
from scripts.demo_world.geometry import Points, minus, plus, point, reverse, times, unit

Uv = tuple[float, float]
GRAINED = frozenset(("trim", "table"))
"""Materials of single beams and boards, whose grain runs along what they are made into."""

# Cosine and sine of multiples of 30 degrees: no library's sine decides about a byte.
_HALF, _ROOT = 0.5, 0.8660254037844386
CIRCLE_12 = (
    (1.0, 0.0), (_ROOT, _HALF), (_HALF, _ROOT), (0.0, 1.0), (-_HALF, _ROOT), (-_ROOT, _HALF),
    (-1.0, 0.0), (-_ROOT, -_HALF), (-_HALF, -_ROOT), (0.0, -1.0), (_HALF, -_ROOT), (_ROOT, -_HALF),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Face:
    """A flat convex face, counter-clockwise seen from its front, of one material.

    ``uvs`` None maps the material in metres onto it; given, they are texture coordinates of the corners.
    ``fit`` moves and stretches that mapping: metres to the right, a factor along the level, metres up.
    ``normals`` are what light takes the corners to face, where that is not the face's own front.
    ``grain`` is a unit vector in its plane: what runs up a wall in the texture runs along it.
    """

    points: Points
    material: str
    uvs: tuple[Uv, ...] | None = None
    two_sided: bool = False
    fit: tuple[float, float, float] = (0.0, 1.0, 0.0)
    normals: Points | None = None
    grain: Vec3 | None = None


def quad(a: Vec3, b: Vec3, c: Vec3, d: Vec3, *, material: str) -> Face:
    """A face of four corners; grain runs along its longer side."""
    start, end = (a, b) if math.dist(a, b) > math.dist(b, c) else (b, c)
    grain = unit(minus(end, start)) if material in GRAINED else None
    return Face((point(a), point(b), point(c), point(d)), material, grain=grain)


def upright_y(x0: float, x1: float, y: float, *, z0: float, z1: float) -> Points:
    """An opening in a wall that looks south."""
    return quad((x0, y, z0), (x1, y, z0), (x1, y, z1), (x0, y, z1), material="").points


def upright_x(x: float, y0: float, y1: float, *, z0: float, z1: float) -> Points:
    """An opening in a wall that looks east."""
    return quad((x, y0, z0), (x, y1, z0), (x, y1, z1), (x, y0, z1), material="").points


def level(x0: float, x1: float, y0: float, y1: float, *, z: float) -> Points:
    """An opening in a floor, seen from above."""
    return quad((x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z), material="").points


def fitted(face: Face) -> Face:
    """A face of four corners, from the lower left counter-clockwise, that shows the whole texture once."""
    return replace(face, uvs=((0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)))


def card(a: Uv, b: Uv, *, low: float, high: float, material: str) -> Face:
    """An upright picture from one point on the ground to another, seen from both sides."""
    face = quad(
        (a[0], a[1], low), (b[0], b[1], low), (b[0], b[1], high), (a[0], a[1], high), material=material
    )
    return replace(fitted(face), two_sided=True)


def crossed(
    material: str, *, half: float, low: float, high: float, count: int = 2, at: Uv = (0.0, 0.0)
) -> list[Face]:
    """A picture several times about an upright axis: 2, 3 or 6 of them."""
    x, y = at
    return [
        card(
            (x - half * c, y - half * s), (x + half * c, y + half * s), low=low, high=high, material=material
        )
        for c, s in (CIRCLE_12[k * 6 // count] for k in range(count))
    ]


def pool(half: float, material: str) -> Face:
    """What a light casts on level ground about the origin: a square too low to light the foot of a wall."""
    z = 0.012
    return fitted(
        quad((-half, -half, z), (half, -half, z), (half, half, z), (-half, half, z), material=material)
    )


def box(low: Vec3, high: Vec3, material: str, *, top: str = "", bottom: str = "") -> list[Face]:
    """A box: south, east, north, west, top and bottom face, in that order."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    return [
        quad((x0, y0, z0), (x1, y0, z0), (x1, y0, z1), (x0, y0, z1), material=material),
        quad((x1, y0, z0), (x1, y1, z0), (x1, y1, z1), (x1, y0, z1), material=material),
        quad((x1, y1, z0), (x0, y1, z0), (x0, y1, z1), (x1, y1, z1), material=material),
        quad((x0, y1, z0), (x0, y0, z0), (x0, y0, z1), (x0, y1, z1), material=material),
        quad((x0, y0, z1), (x1, y0, z1), (x1, y1, z1), (x0, y1, z1), material=top or material),
        quad((x0, y0, z0), (x0, y1, z0), (x1, y1, z0), (x1, y0, z0), material=bottom or material),
    ]


def prism(
    profile: Sequence[Uv], start: float, end: float, *, along: str, materials: Sequence[str]
) -> list[Face]:
    """A profile drawn out along an axis.

    ``along`` "y": the profile is (x, z), counter-clockwise seen from the south, and the solid reaches from
    ``start`` to ``end`` northward. "x": the profile is (y, z), seen from the east, from ``start`` eastward.
    ``materials`` has one per side of the profile, then the end at ``start`` and that at ``end``.
    """

    def put(p: Uv, t: float) -> Vec3:
        return (p[0], t, p[1]) if along == "y" else (t, p[0], p[1])

    near, far = (start, end) if along == "y" else (end, start)
    faces = []
    for i, p in enumerate(profile):
        q = profile[(i + 1) % len(profile)]
        faces.append(quad(put(q, near), put(p, near), put(p, far), put(q, far), material=materials[i]))
    n = len(profile)
    names = (materials[n], materials[n + 1]) if along == "y" else (materials[n + 1], materials[n])
    faces.append(Face(tuple(point(put(p, near)) for p in profile), names[0]))
    faces.append(Face(tuple(point(put(p, far)) for p in reversed(profile)), names[1]))
    return faces


def inside_out(faces: Sequence[Face]) -> list[Face]:
    """The faces seen from within."""
    return [
        replace(
            f,
            points=reverse(f.points),
            uvs=tuple(reversed(f.uvs)) if f.uvs else None,
            normals=tuple(times(n, -1.0) for n in reversed(f.normals)) if f.normals else None,
        )
        for f in faces
    ]


def moved(faces: Sequence[Face], offset: Vec3) -> list[Face]:
    """The faces somewhere else."""
    return [
        replace(
            f, points=tuple(point((p[0] + offset[0], p[1] + offset[1], p[2] + offset[2])) for p in f.points)
        )
        for f in faces
    ]


def laid(faces: Sequence[Face], turn: Callable[[Vec3], Vec3], at: Vec3 = (0.0, 0.0, 0.0)) -> list[Face]:
    """The faces turned, what they are lit as facing as well, and then put somewhere."""
    return [
        replace(
            f,
            points=tuple(point(plus(turn(p), at)) for p in f.points),
            normals=tuple(turn(n) for n in f.normals) if f.normals else None,
            grain=turn(f.grain) if f.grain else None,
        )
        for f in faces
    ]


def cylinder(
    center: Vec3,
    radius: float,
    height: float,
    *,
    side: str,
    ends: str,
    bulge: float = 0.0,
    repeats: float = 4.0,
    sides: int = 12,
    rise: float = 0.0,
    top: float | None = None,
    is_round: bool = True,
) -> list[Face]:
    """An upright cylinder on a bottom centre, of twelve sides or a divisor of that; its ends come last.

    ``bulge`` widens its middle like a barrel's; ``top`` is another radius above. The
    texture ``repeats`` so often around and once upward, or every ``rise`` metres. Where it ``is_round`` light
    passes over its edges as if there were none.
    """
    x, y, z = center
    high = radius if top is None else top
    lean = (radius - high) / height  # how far its sides look up
    steep = 2.0 * bulge / height
    rings = [
        (z, radius, lean - steep), (z + height / 2, (radius + high) / 2 + bulge, lean),
        (z + height, high, lean + steep),
    ]  # fmt: skip
    if bulge == 0.0:
        rings = [rings[0], rings[2]]
    ring = CIRCLE_12[:: 12 // sides]
    faces = []
    for (z0, r0, up0), (z1, r1, up1) in pairwise(rings):
        for i in range(sides):
            (c0, s0), (c1, s1) = ring[i], ring[(i + 1) % sides]
            corners = (
                (x + r0 * c0, y + r0 * s0, z0), (x + r0 * c1, y + r0 * s1, z0),
                (x + r1 * c1, y + r1 * s1, z1), (x + r1 * c0, y + r1 * s0, z1),
            )  # fmt: skip
            u0, u1 = i / sides * repeats, (i + 1) / sides * repeats
            v0, v1 = ((z + height - at) / (rise or height) for at in (z0, z1))
            outward = ((c0, s0, up0), (c1, s1, up0), (c1, s1, up1), (c0, s0, up1))
            faces.append(
                Face(
                    tuple(point(p) for p in corners),
                    side,
                    ((u0, v0), (u1, v0), (u1, v1), (u0, v1)),
                    normals=tuple(point(unit(n)) for n in outward) if is_round else None,
                )
            )
    disc = tuple((0.5 + c / 2, 0.5 - s / 2) for c, s in ring)
    above = tuple(point((x + high * c, y + high * s, z + height)) for c, s in ring)
    bottom = tuple(point((x + radius * c, y + radius * s, z)) for c, s in reversed(ring))
    return [*faces, Face(above, ends, disc), Face(bottom, ends, disc)]


def lump(rings: Sequence[tuple[float, Sequence[float]]], peak: Vec3, *, deep: float = 1.0) -> list[Face]:
    """A stone of triangles: how far it reaches at every second hour of a clock, by height, up to its peak.

    ``deep`` is how far it reaches north and south, of that.
    """
    corners = [
        [point((r * CIRCLE_12[2 * k][0], deep * r * CIRCLE_12[2 * k][1], z)) for k, r in enumerate(reach)]
        for z, reach in rings
    ]
    faces = []
    for lower, upper in pairwise(corners):
        for k in range(6):
            a, b, c, d = lower[k], lower[(k + 1) % 6], upper[(k + 1) % 6], upper[k]
            faces += [Face((a, b, c), "boulder"), Face((a, c, d), "boulder")]
    top = corners[-1]
    return [*faces, *(Face((top[k], top[(k + 1) % 6], point(peak)), "boulder") for k in range(6))]


def flight(
    start: Vec3, forward: Vec3, *, width: float, steps: int, rise: float, tread: float, riser: str, top: str,
    solid: bool = True,
) -> list[Face]:  # fmt: skip
    """A flight of stairs, down to the ground where ``solid``, else treads and risers alone.

    It begins at the left end of its lowest edge and climbs along the horizontal unit vector ``forward``;
    the width lies to the right of somebody who climbs.
    """
    fx, fy, _ = forward
    right = (fy * width, -fx * width, 0.0)

    def at(run: float, up: float, side: float) -> Vec3:
        return (start[0] + fx * run + right[0] * side, start[1] + fy * run + right[1] * side, start[2] + up)

    faces = []
    for i in range(steps):
        run, low, high = i * tread, i * rise, (i + 1) * rise
        end = run + tread
        faces.append(
            quad(at(run, low, 0), at(run, low, 1), at(run, high, 1), at(run, high, 0), material=riser)
        )
        faces.append(
            quad(at(run, high, 0), at(run, high, 1), at(end, high, 1), at(end, high, 0), material=top)
        )
        if not solid:
            continue
        faces.append(quad(at(run, 0, 1), at(end, 0, 1), at(end, high, 1), at(run, high, 1), material=riser))
        faces.append(quad(at(end, 0, 0), at(run, 0, 0), at(run, high, 0), at(end, high, 0), material=riser))
    if not solid:
        return faces
    run, high = steps * tread, steps * rise
    faces.append(quad(at(run, 0, 1), at(run, 0, 0), at(run, high, 0), at(run, high, 1), material=riser))
    faces.append(quad(at(0, 0, 0), at(run, 0, 0), at(run, 0, 1), at(0, 0, 1), material=riser))
    return faces


def ramp(start: Vec3, forward: Vec3, *, width: float, drop: float, run: float, material: str) -> list[Face]:
    """A solid wedge that falls away from a level edge: top, two flanks, back and bottom.

    ``start`` is the left end of the upper edge for somebody who walks down along ``forward``.
    """
    fx, fy, _ = forward
    right = (fy * width, -fx * width, 0.0)

    def at(t: float, z: float, side: float) -> Vec3:
        return (start[0] + fx * t + right[0] * side, start[1] + fy * t + right[1] * side, z)

    top, low = start[2], start[2] - drop
    return [
        quad(at(0, top, 0), at(0, top, 1), at(run, low, 1), at(run, low, 0), material=material),
        Face((point(at(0, low, 0)), point(at(0, top, 0)), point(at(run, low, 0))), material),
        Face((point(at(0, low, 1)), point(at(run, low, 1)), point(at(0, top, 1))), material),
        quad(at(0, low, 0), at(0, low, 1), at(0, top, 1), at(0, top, 0), material=material),
        quad(at(0, low, 0), at(run, low, 0), at(run, low, 1), at(0, low, 1), material=material),
    ]
