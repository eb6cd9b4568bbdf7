"""The pseudo-random numbers of scenery: hashes of land vertex coordinates (dat-format 4.8, 7).

``x`` and ``y`` count vertices over the whole map, 8 a landblock. All arithmetic is modulo 2^32.
"""

from __future__ import annotations

import struct

FREQUENCY_SALT = 23399
DISPLACE_X_SALT = 45773
DISPLACE_Y_SALT = 72719
ROTATION_SALT = 63127
SCALE_SALT = 32593

_MASK = 0xFFFFFFFF
_STEP = 2.3283064365386963e-10  # 2**-32, the single-precision form of the reference's constant
_SINGLE = struct.Struct("<f")


def vertex_hash(x: int, y: int, salt: int) -> int:
    """The 32-bit number of a vertex for a salt, the object's number in its scene added to it."""
    return (1813693831 * y - (1360117743 * x * y + 1888038839) * salt - 1109124029 * x) & _MASK


def scene_hash(x: int, y: int) -> int:
    """The 32-bit number that picks a vertex's scene."""
    return (y * (712977289 * x + 1813693831) - 1109124029 * x + 2139937281) & _MASK


def quadrant_hash(x: int, y: int) -> int:
    """The 32-bit number that turns all displacements of a vertex."""
    return (1813693831 * y - x * (1870387557 * y + 1109124029) - 402451965) & _MASK


def fraction(number: int) -> float:
    """A 32-bit number as a fraction 0..1, by single-precision arithmetic; 1 itself can come out."""
    rounded: float = _SINGLE.unpack(_SINGLE.pack(number))[0]
    return rounded * _STEP
