"""The human: what its parts look like, in the space of the body it stands in, and what they hang on.

A limb is rings from the bottom up: their middle (x, y, z), half their breadth along x and half their depth
along y, in metres. The body looks along +y.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.dat.values import Vec3
from scripts.demo_world.geometry import cross, f32, minus, plus, point, times, unit
from scripts.demo_world.solids import CIRCLE_12, Face

Ring = tuple[float, float, float, float, float]


@dataclass(frozen=True, slots=True)
class Limb:
    """One closed skin: its material, its rings, how square they are (2 round, 4 nearly boxes), its sides."""

    material: str
    rings: tuple[Ring, ...]
    square: float = 2.0
    sides: int = 12
    metres: float = 0.25  # that the texture covers


PELVIS, CHEST, HEAD, ARM_R, ARM_L, FOREARM_R, FOREARM_L, THIGH_R, THIGH_L, SHIN_R, SHIN_L, FOOT_R, FOOT_L = (
    range(13)
)
# What a part hangs on, and where it turns.
PIVOTS: tuple[tuple[int, Vec3], ...] = (
    (-1, (0.0, 0.0, 0.92)), (PELVIS, (0.0, 0.0, 1.0)), (CHEST, (0.0, -0.004, 1.49)),
    (CHEST, (0.215, -0.008, 1.405)), (CHEST, (-0.215, -0.008, 1.405)),
    (ARM_R, (0.292, -0.024, 1.125)), (ARM_L, (-0.292, -0.024, 1.125)),
    (PELVIS, (0.102, 0.0, 0.9)), (PELVIS, (-0.102, 0.0, 0.9)),
    (THIGH_R, (0.113, 0.002, 0.49)), (THIGH_L, (-0.113, 0.002, 0.49)),
    (SHIN_R, (0.119, -0.006, 0.1)), (SHIN_L, (-0.119, -0.006, 0.1)),
)  # fmt: skip
COUNT = len(PIVOTS)

_RIGHT: dict[int, tuple[Limb, ...]] = {
    ARM_R: (
        Limb("shirt", (
            (0.297, -0.027, 1.07, 0.056, 0.06), (0.292, -0.026, 1.14, 0.058, 0.062),
            (0.28, -0.022, 1.22, 0.058, 0.062), (0.256, -0.012, 1.32, 0.062, 0.068),
            (0.23, -0.006, 1.39, 0.05, 0.058), (0.205, -0.002, 1.43, 0.03, 0.04),
        )),
        Limb("jerkin", (
            (0.26, -0.013, 1.31, 0.068, 0.074), (0.234, -0.006, 1.395, 0.066, 0.078),
            (0.205, -0.002, 1.445, 0.046, 0.062), (0.19, 0.0, 1.462, 0.024, 0.036),
        ), 2.2),
    ),
    FOREARM_R: (
        Limb("shirt", ((0.318, -0.014, 0.97, 0.036, 0.04), (0.316, -0.024, 1.015, 0.054, 0.058),
                       (0.312, -0.03, 1.05, 0.058, 0.062),
                       (0.303, -0.028, 1.11, 0.056, 0.06), (0.298, -0.027, 1.15, 0.044, 0.048),
                       (0.297, -0.027, 1.17, 0.018, 0.02))),
        Limb("leather", ((0.322, 0.03, 0.86, 0.04, 0.044), (0.322, 0.004, 0.94, 0.047, 0.051),
                         (0.3165, -0.0235, 1.01, 0.058, 0.062))),
        Limb("skin", (
            (0.318, 0.062, 0.735, 0.018, 0.03), (0.32, 0.058, 0.765, 0.028, 0.042),
            (0.322, 0.046, 0.82, 0.03, 0.044), (0.322, 0.03, 0.87, 0.028, 0.032),
        ), 2.4, 6),
        Limb("skin", ((0.292, 0.078, 0.775, 0.011, 0.014), (0.294, 0.07, 0.815, 0.014, 0.018)), 2.0, 6),
    ),
    THIGH_R: (
        Limb("hose", (
            (0.114, 0.0, 0.44, 0.068, 0.072), (0.112, 0.008, 0.52, 0.076, 0.082),
            (0.108, 0.006, 0.66, 0.085, 0.093), (0.102, 0.002, 0.8, 0.091, 0.1),
            (0.092, 0.0, 0.93, 0.08, 0.094),
        ), 2.2),
    ),
    SHIN_R: (
        Limb("boots", (
            (0.12, -0.005, 0.08, 0.054, 0.064), (0.12, -0.005, 0.13, 0.055, 0.066),
            (0.118, -0.014, 0.24, 0.062, 0.07), (0.115, -0.012, 0.40, 0.073, 0.08),
        ), 2.3),
        Limb("leather", ((0.115, -0.012, 0.36, 0.08, 0.088), (0.115, -0.012, 0.43, 0.086, 0.094)), 2.2),
        Limb("hose", ((0.115, -0.008, 0.41, 0.07, 0.075), (0.114, 0.0, 0.49, 0.072, 0.077),
                      (0.113, 0.002, 0.535, 0.055, 0.06), (0.113, 0.002, 0.555, 0.02, 0.024)), 2.2),
    ),
    FOOT_R: (
        Limb("boots", (
            (0.12, 0.05, 0.0, 0.052, 0.135), (0.12, 0.05, 0.035, 0.058, 0.14),
            (0.12, 0.03, 0.08, 0.054, 0.108), (0.12, 0.0, 0.125, 0.054, 0.068),
        ), 2.4),
    ),
}  # fmt: skip
LIMBS: dict[int, tuple[Limb, ...]] = {
    PELVIS: (
        Limb("jerkin", (
            (0.0, 0.0, 0.80, 0.238, 0.184), (0.0, 0.0, 0.82, 0.239, 0.185), (0.0, 0.0, 0.91, 0.204, 0.156),
            (0.0, 0.0, 1.02, 0.172, 0.12),
        ), 2.5),
        Limb("leather", ((0.0, 0.0, 0.96, 0.198, 0.148), (0.0, 0.0, 1.03, 0.182, 0.131)), 2.5),
        Limb("iron", ((0.0, 0.143, 0.97, 0.034, 0.012), (0.0, 0.132, 1.02, 0.034, 0.012)), 6.0, 6),
        Limb("leather", ((0.182, 0.07, 0.88, 0.045, 0.035), (0.182, 0.075, 0.93, 0.05, 0.04),
                         (0.177, 0.07, 0.975, 0.042, 0.032)), 3.0, 6),
        Limb("boots", ((-0.264, -0.27, 0.34, 0.008, 0.014), (-0.259, -0.2, 0.5, 0.016, 0.03),
                       (-0.246, 0.0, 0.93, 0.018, 0.034)), 3.0, 6),
        Limb("iron", ((-0.246, 0.005, 0.93, 0.028, 0.085), (-0.245, 0.012, 0.955, 0.026, 0.08)), 4.0, 6),
        Limb("leather", ((-0.245, 0.014, 0.955, 0.013, 0.016), (-0.241, 0.055, 1.06, 0.013, 0.016)), 2.0, 6),
        Limb("pewter", ((-0.241, 0.054, 1.055, 0.02, 0.022), (-0.239, 0.064, 1.09, 0.018, 0.02)), 2.0, 6),
    ),
    CHEST: (
        Limb("jerkin", (
            (0.0, 0.0, 0.99, 0.166, 0.116), (0.0, 0.004, 1.12, 0.186, 0.13),
            (0.0, 0.008, 1.27, 0.212, 0.136), (0.0, 0.0, 1.38, 0.208, 0.116),
            (0.0, -0.006, 1.44, 0.165, 0.088), (0.0, -0.008, 1.475, 0.08, 0.066),
        ), 2.5),
        Limb("shirt", ((0.0, -0.008, 1.45, 0.088, 0.076), (0.0, -0.006, 1.50, 0.066, 0.064))),
        Limb("skin", ((0.0, -0.006, 1.46, 0.052, 0.054), (0.0, 0.0, 1.53, 0.05, 0.054))),
        # A pack with a flap and a rolled blanket, and its straps.
        Limb("leather", (
            (0.0, -0.19, 1.05, 0.125, 0.066), (0.0, -0.196, 1.10, 0.138, 0.075),
            (0.0, -0.19, 1.28, 0.132, 0.07), (0.0, -0.172, 1.345, 0.105, 0.045),
        ), 3.4),
        Limb("boots", ((0.0, -0.2, 1.2, 0.142, 0.08), (0.0, -0.192, 1.29, 0.137, 0.076),
                       (0.0, -0.172, 1.355, 0.108, 0.05)), 3.4),
        Limb("pewter", ((0.0, -0.278, 1.185, 0.017, 0.008), (0.0, -0.278, 1.225, 0.017, 0.008)), 4.0, 6),
        *(Limb("boots", ((0.12 * s, 0.0, 1.06, 0.02, 0.142), (0.13 * s, 0.0, 1.27, 0.02, 0.152),
                         (0.12 * s, -0.004, 1.40, 0.02, 0.128), (0.11 * s, -0.006, 1.455, 0.018, 0.09)),
               3.0, 6) for s in (1.0, -1.0)),
    ),
    HEAD: (
        Limb("skin", ((0.0, 0.0, 1.47, 0.05, 0.054), (0.0, 0.004, 1.55, 0.05, 0.056))),
        Limb("skin", (
            (0.0, 0.034, 1.525, 0.034, 0.034), (0.0, 0.022, 1.545, 0.056, 0.072),
            (0.0, 0.012, 1.60, 0.071, 0.092), (0.0, 0.01, 1.66, 0.077, 0.098),
            (0.0, 0.004, 1.72, 0.074, 0.094), (0.0, -0.004, 1.775, 0.045, 0.06),
        ), 2.2),
        Limb("skin", ((0.0, 0.109, 1.603, 0.013, 0.014), (0.0, 0.107, 1.618, 0.01, 0.012),
                      (0.0, 0.101, 1.655, 0.005, 0.006)), 2.0, 6),
        *(Limb("skin", ((0.079 * s, 0.0, 1.605, 0.008, 0.016), (0.082 * s, -0.002, 1.64, 0.011, 0.022)),
               2.0, 6) for s in (1.0, -1.0)),
        Limb("hair", (
            (0.0, -0.062, 1.50, 0.058, 0.034), (0.0, -0.05, 1.56, 0.078, 0.06),
            (0.0, -0.036, 1.64, 0.086, 0.08), (0.0, -0.022, 1.70, 0.088, 0.096),
            (0.0, -0.008, 1.75, 0.08, 0.1), (0.0, -0.008, 1.79, 0.05, 0.066),
            (0.0, -0.01, 1.805, 0.02, 0.026),
        ), 2.1),
    ),
}  # fmt: skip
_HEAD_LIMB = 1  # the limb of the head that bears the face
_ROLL = Limb("curtain", tuple((0.0, 0.0, x, 0.062, 0.062) for x in (-0.19, -0.095, 0.095, 0.19)))
_ROLL_AT = (0.0, -0.185, 1.40)
# Where the face lies on the head: half its breadth, its lowest and highest point.
_FACE = (0.078, 1.51, 1.745)


def part_faces(part: int) -> list[Face]:
    """A part's skin, with its pivot as the origin."""
    pivot = PIVOTS[part][1]
    faces: list[Face] = []
    right = part - 1 if part in (ARM_L, FOREARM_L, THIGH_L, SHIN_L, FOOT_L) else part
    for number, limb in enumerate(LIMBS.get(part) or _RIGHT[right]):
        if right != part:
            limb = replace(limb, rings=tuple((-x, y, z, a, b) for x, y, z, a, b in limb.rings))
        made = skin_of(limb)
        faces += with_face(made) if part == HEAD and number == _HEAD_LIMB else made
    if part == CHEST:
        faces += [_lying(face) for face in skin_of(_ROLL)]
    return [_about(face, pivot) for face in faces]


def skin_of(limb: Limb) -> list[Face]:
    """The faces of a limb, smooth round about and from ring to ring, its ends flat."""
    circle = CIRCLE_12[:: 12 // limb.sides]
    rings = [[_corner(ring, c, s, limb.square) for c, s in circle] for ring in limb.rings]
    n = len(circle)
    facing = [[_facing(rings, i, k) for k in range(n)] for i in range(len(rings))]
    around = max(1.0, round(6.0 * max(r[3] for r in limb.rings) / limb.metres))
    low = limb.rings[0][2]
    faces: list[Face] = []
    for i in range(len(rings) - 1):
        v0, v1 = ((low - limb.rings[j][2]) / limb.metres for j in (i, i + 1))
        for k in range(n):
            m = (k + 1) % n
            corners = (rings[i][k], rings[i][m], rings[i + 1][m], rings[i + 1][k])
            u0, u1 = around * k / n, around * (k + 1) / n
            normals = (facing[i][k], facing[i][m], facing[i + 1][m], facing[i + 1][k])
            faces.append(
                Face(
                    corners,
                    limb.material,
                    ((u0, v0), (u1, v0), (u1, v1), (u0, v1)),
                    two_sided=False,
                    normals=normals,
                )
            )
    disc = tuple((0.5 + c / 2, 0.5 - s / 2) for c, s in circle)
    faces.append(Face(tuple(rings[-1]), limb.material, disc))
    faces.append(Face(tuple(reversed(rings[0])), limb.material, tuple(reversed(disc))))
    return faces


def with_face(faces: list[Face]) -> list[Face]:
    """The head's skin with the face on what looks ahead."""
    half, low, high = _FACE
    out = []
    for face in faces:
        if all(p[1] > 0.035 for p in face.points) and len(face.points) == 4:
            uvs = tuple(((half - p[0]) / (2 * half), (high - p[2]) / (high - low)) for p in face.points)
            face = replace(face, material="face", uvs=uvs)
        out.append(face)
    return out


def _corner(ring: Ring, c: float, s: float, square: float) -> Vec3:
    x, y, z, breadth, depth = ring
    r = f32((abs(c) ** square + abs(s) ** square) ** (-1.0 / square))
    return point((x + breadth * r * c, y + depth * r * s, z))


def _facing(rings: Sequence[Sequence[Vec3]], i: int, k: int) -> Vec3:
    """Where a corner faces: across the ring and along the limb."""
    n = len(rings[i])
    along = minus(rings[min(i + 1, len(rings) - 1)][k], rings[max(i - 1, 0)][k])
    around = minus(rings[i][(k + 1) % n], rings[i][k - 1])
    out = unit(cross(around, along))
    return (f32(out[0]), f32(out[1]), f32(out[2]))


def _lying(face: Face) -> Face:
    """A face of the upright roll, laid across the back."""

    def turn(p: Vec3) -> Vec3:
        return (p[2], p[0], p[1])

    return replace(
        face,
        points=tuple(point(plus(turn(p), _ROLL_AT)) for p in face.points),
        normals=tuple(turn(p) for p in face.normals) if face.normals else None,
    )


def _about(face: Face, pivot: Vec3) -> Face:
    return replace(face, points=tuple(point(plus(p, times(pivot, -1.0))) for p in face.points))
