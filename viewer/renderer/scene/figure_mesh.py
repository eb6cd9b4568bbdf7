"""The figure that stands for the player in third person: an adventurer in a jerkin, drawn from code."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.named_tuple import NamedTuple
from viewer.renderer.gl.array_texture import Image
from viewer.renderer.scene.meshes import VERTEX, Batch, Chunk

_SEGMENTS = 12
_SHADES = 8  # how light a colour is painted, by height: texels of its row
_COLOURS = {
    "skin": (206, 158, 120), "hair": (96, 62, 34), "linen": (204, 192, 162), "jerkin": (58, 92, 78),
    "leather": (98, 64, 38), "dark": (58, 40, 28), "trousers": (110, 92, 68), "steel": (168, 170, 174),
    "brass": (190, 150, 76), "blanket": (138, 54, 46),
}  # fmt: skip
_ROWS = list(_COLOURS)

Points = NDArray[np.float64]
# A ring of a limb: its middle (x, y, z), half its breadth along x and half its depth along y. Metres.
Ring = tuple[float, float, float, float, float]


class _Piece(NamedTuple):
    """A limb: rings from the bottom up, its colour, how square its outline is (2 round, 4 nearly a box)."""

    colour: str
    rings: tuple[Ring, ...]
    square: float = 2.0
    mirrored: bool = False  # stands at the other side too


_PIECES: tuple[_Piece, ...] = (
    # Boots with their cuffs, trousers.
    _Piece(
        "dark",
        (
            (0.12, 0.05, 0.0, 0.052, 0.135), (0.12, 0.05, 0.035, 0.058, 0.14),
            (0.12, 0.035, 0.08, 0.054, 0.115), (0.12, -0.005, 0.13, 0.055, 0.07),
            (0.118, -0.012, 0.22, 0.06, 0.066), (0.115, -0.012, 0.40, 0.073, 0.08),
        ),
        2.4, mirrored=True,
    ),
    _Piece("leather", ((0.115, -0.012, 0.37, 0.08, 0.088), (0.115, -0.012, 0.45, 0.086, 0.094)),
           2.2, mirrored=True),
    _Piece(
        "trousers",
        (
            (0.115, -0.01, 0.40, 0.07, 0.076), (0.112, 0.008, 0.52, 0.076, 0.082),
            (0.106, 0.004, 0.70, 0.088, 0.097), (0.098, 0.0, 0.90, 0.098, 0.112),
        ),
        2.2, mirrored=True,
    ),
    # The jerkin: skirt, waist, chest, shoulders.
    _Piece(
        "jerkin",
        (
            (0.0, 0.0, 0.72, 0.222, 0.162), (0.0, 0.0, 0.74, 0.225, 0.164), (0.0, 0.0, 0.90, 0.196, 0.14),
            (0.0, 0.0, 1.00, 0.174, 0.122), (0.0, 0.004, 1.12, 0.186, 0.13),
            (0.0, 0.008, 1.27, 0.212, 0.136), (0.0, 0.0, 1.38, 0.208, 0.116),
            (0.0, -0.006, 1.44, 0.165, 0.088), (0.0, -0.008, 1.475, 0.08, 0.066),
        ),
        2.5,
    ),
    _Piece("leather", ((0.0, 0.0, 0.965, 0.184, 0.131), (0.0, 0.0, 1.03, 0.182, 0.13)), 2.5),
    _Piece("brass", ((0.0, 0.128, 0.972, 0.034, 0.012), (0.0, 0.128, 1.022, 0.034, 0.012)), 6.0),
    # Sleeves of linen, bracers, hands.
    _Piece(
        "linen",
        (
            (0.318, -0.02, 0.98, 0.05, 0.054), (0.312, -0.03, 1.06, 0.06, 0.064),
            (0.288, -0.026, 1.18, 0.058, 0.062), (0.256, -0.012, 1.32, 0.062, 0.068),
            (0.222, -0.004, 1.41, 0.056, 0.066), (0.18, 0.0, 1.45, 0.03, 0.05),
        ),
        2.0, mirrored=True,
    ),
    _Piece("jerkin", ((0.262, -0.012, 1.30, 0.074, 0.08), (0.236, -0.006, 1.395, 0.074, 0.082),
                      (0.19, 0.0, 1.458, 0.045, 0.064)), 2.2, mirrored=True),
    _Piece("leather", ((0.322, 0.03, 0.86, 0.04, 0.044), (0.322, 0.004, 0.94, 0.047, 0.051),
                       (0.32, -0.014, 1.01, 0.054, 0.058)), 2.0, mirrored=True),
    _Piece("skin", ((0.318, 0.062, 0.735, 0.018, 0.03), (0.32, 0.058, 0.765, 0.028, 0.042),
                    (0.322, 0.046, 0.82, 0.03, 0.044), (0.322, 0.03, 0.87, 0.028, 0.032)),
           2.4, mirrored=True),
    # Neck, head, nose, ears; hair over the crown and down the nape.
    _Piece("linen", ((0.0, -0.008, 1.45, 0.088, 0.076), (0.0, -0.006, 1.50, 0.066, 0.064)), 2.0),
    _Piece("skin", ((0.0, -0.006, 1.46, 0.052, 0.054), (0.0, 0.0, 1.54, 0.052, 0.056)), 2.0),
    _Piece(
        "skin",
        (
            (0.0, 0.034, 1.525, 0.034, 0.034), (0.0, 0.022, 1.545, 0.056, 0.072),
            (0.0, 0.012, 1.60, 0.071, 0.092), (0.0, 0.01, 1.66, 0.077, 0.098),
            (0.0, 0.004, 1.72, 0.074, 0.094), (0.0, -0.004, 1.775, 0.045, 0.06),
        ),
        2.2,
    ),
    _Piece("skin", ((0.0, 0.108, 1.60, 0.015, 0.016), (0.0, 0.106, 1.62, 0.011, 0.014),
                    (0.0, 0.1, 1.655, 0.006, 0.006)), 2.0),
    _Piece("skin", ((0.079, 0.0, 1.605, 0.008, 0.016), (0.082, -0.002, 1.64, 0.011, 0.022)),
           2.0, mirrored=True),
    _Piece(
        "hair",
        (
            (0.0, -0.062, 1.50, 0.058, 0.034), (0.0, -0.05, 1.56, 0.078, 0.06),
            (0.0, -0.036, 1.64, 0.086, 0.08), (0.0, -0.022, 1.70, 0.088, 0.096),
            (0.0, -0.008, 1.75, 0.08, 0.1), (0.0, -0.008, 1.79, 0.05, 0.066),
            (0.0, -0.01, 1.805, 0.02, 0.026),
        ),
        2.1,
    ),
    # A pack with a flap and a rolled blanket, its straps; a pouch; a sword in its sheath at the left.
    _Piece("leather", ((0.0, -0.19, 1.05, 0.125, 0.066), (0.0, -0.196, 1.10, 0.138, 0.075),
                       (0.0, -0.19, 1.28, 0.132, 0.07), (0.0, -0.172, 1.345, 0.105, 0.045)), 3.4),
    _Piece("dark", ((0.0, -0.2, 1.2, 0.142, 0.08), (0.0, -0.192, 1.29, 0.137, 0.076),
                    (0.0, -0.172, 1.355, 0.108, 0.05)), 3.4),
    _Piece("brass", ((0.0, -0.278, 1.185, 0.017, 0.008), (0.0, -0.278, 1.225, 0.017, 0.008)), 4.0),
    _Piece("dark", ((0.12, 0.0, 1.06, 0.02, 0.142), (0.13, 0.0, 1.27, 0.02, 0.152),
                    (0.12, -0.004, 1.40, 0.02, 0.128), (0.11, -0.006, 1.455, 0.018, 0.09)),
           3.0, mirrored=True),
    _Piece("leather", ((0.17, 0.07, 0.88, 0.045, 0.035), (0.17, 0.075, 0.93, 0.05, 0.04),
                       (0.165, 0.07, 0.975, 0.042, 0.032)), 3.0),
    _Piece("dark", ((-0.25, -0.27, 0.34, 0.008, 0.014), (-0.245, -0.2, 0.5, 0.016, 0.03),
                    (-0.232, 0.0, 0.93, 0.018, 0.034)), 3.0),
    _Piece("brass", ((-0.232, 0.005, 0.93, 0.028, 0.085), (-0.231, 0.012, 0.955, 0.026, 0.08)), 4.0),
    _Piece("leather", ((-0.231, 0.014, 0.955, 0.013, 0.016), (-0.227, 0.055, 1.06, 0.013, 0.016)), 2.0),
    _Piece("steel", ((-0.227, 0.054, 1.055, 0.02, 0.022), (-0.225, 0.064, 1.09, 0.018, 0.02)), 2.0),
)  # fmt: skip
_ROLL = (0.0, -0.185, 1.40)  # the middle of the blanket on the pack
_ROLL_SIZE = (0.062, 0.19)  # its radius and half its length


def figure_image() -> Image:
    """The figure's texture: one texel row a colour, from shaded to light."""
    shades = [0.72 + 0.33 * k / (_SHADES - 1) for k in range(_SHADES)]
    rows = [[(*(min(255, round(c * s)) for c in rgb), 255) for s in shades] for rgb in _COLOURS.values()]
    return np.array(rows, np.uint8)


def figure_chunks(batch: Batch, layer: int) -> list[Chunk]:
    """The figure in the space of a body: feet at the origin, looking along +y, 1.8 m tall."""
    rows: list[tuple[object, ...]] = []
    for piece in _PIECES:
        _add(piece.colour, _grid(piece.rings, piece.square), layer, rows)
        if piece.mirrored:
            over = tuple((-x, y, z, a, b) for x, y, z, a, b in piece.rings)
            _add(piece.colour, _grid(over, piece.square), layer, rows)
    _add("blanket", _roll(), layer, rows)
    return [Chunk(batch, np.array(rows, VERTEX), np.arange(len(rows), dtype=np.uint32))]


def _grid(rings: Sequence[Ring], square: float) -> Points:
    """The corners of a limb by ring and way round, closed at both ends by rings of no size."""
    closed = [(*rings[0][:3], 0.0, 0.0), *rings, (*rings[-1][:3], 0.0, 0.0)]
    out = np.zeros((len(closed), _SEGMENTS + 1, 3))
    for i, (x, y, z, breadth, depth) in enumerate(closed):
        for k in range(_SEGMENTS + 1):
            angle = 2.0 * math.pi * (k % _SEGMENTS) / _SEGMENTS
            c, s = math.cos(angle), math.sin(angle)
            r = (abs(c) ** square + abs(s) ** square) ** (-1.0 / square)
            out[i, k] = (x + breadth * r * c, y + depth * r * s, z)
    return out


def _roll() -> Points:
    """The rolled blanket, a limb that lies across the back."""
    radius, half = _ROLL_SIZE
    lying = _grid([(0.0, 0.0, x, radius, radius) for x in (-half, -0.5 * half, 0.5 * half, half)], 2.0)
    out: Points = lying[..., (2, 0, 1)] + np.array(_ROLL)
    return out


def _add(colour: str, corners: Points, layer: int, rows: list[tuple[object, ...]]) -> None:
    """A limb's grid as triangles that face outward, smooth but for its ends."""
    a, b = corners[:-1, :-1], corners[:-1, 1:]
    c, d = corners[1:, 1:], corners[1:, :-1]
    facing = np.cross(c - a, d - b)
    smooth = _smooth(facing)
    lowest, tall = float(corners[..., 2].min()), float(np.ptp(corners[..., 2]))
    row = (_ROWS.index(colour) + 0.5) / len(_ROWS)
    last = len(corners) - 2
    for i in range(last + 1):
        for k in range(_SEGMENTS):
            length = float(np.linalg.norm(facing[i, k])) or 1.0
            for ring, way in ((0, 0), (0, 1), (1, 1), (0, 0), (1, 1), (1, 0)):
                place = corners[i + ring, k + way]
                end = i in (0, last)
                normal = facing[i, k] / length if end else smooth[i + ring, k + way]
                shade = (0.5 + (_SHADES - 1) * (float(place[2]) - lowest) / tall) / _SHADES
                rows.append(
                    (tuple(place), tuple(normal), (shade, row), layer, (0, 255, 255, 0), (0, 0, 0, 0))
                )


def _smooth(facing: Points) -> Points:
    """Normals of the corners between faces: the mean of those about them, the ends' left out."""
    body = facing.copy()
    body[0] = body[-1] = 0.0
    round_ = np.concatenate((body[:, -1:], body, body[:, :1]), axis=1)
    beside = round_[:, :-1] + round_[:, 1:]
    none = np.zeros((1, *beside.shape[1:]))
    total: Points = np.concatenate((none, beside)) + np.concatenate((beside, none))
    lengths = np.sqrt(np.sum(total * total, axis=-1, keepdims=True))
    out: Points = total / np.where(lengths == 0.0, 1.0, lengths)
    return out
