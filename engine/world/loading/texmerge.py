"""What ground a landcell shows: palette code, base texture, overlays and roads with their masks.

Numbers only (dat-format 4.5, 4.6, surfaces 5.3); the renderer turns them into texture layers. A *code*
is a set of corners: SW 1, SE 2, NE 4, NW 8.
"""

from __future__ import annotations

import struct
from bisect import bisect_left
from collections.abc import Sequence

from engine.dat.records.region_terrain import TerrainTex, TexMerge
from engine.named_tuple import NamedTuple

ROAD_TYPE = 0x20
ALL_CORNERS = 0xF
_ROAD_CODES = {0x0: (), 0xE: (6, 12), 0xD: (9, 12), 0xB: (9, 3), 0x7: (3, 6)}


class MaskedLayer(NamedTuple):
    """A terrain type's texture over what lies below it.

    ``mask`` is the SurfaceTexture of its mask, turned by ``rotation`` quarter turns; 255 keeps what is
    below, 0 shows the layer. ``code`` is the corners it was wanted for.
    """

    type: int
    code: int
    mask: int
    rotation: int


class CellGround(NamedTuple):
    """A cell's ground: a base terrain type, up to three overlays, then up to two road masks, in order."""

    base: int
    overlays: tuple[MaskedLayer, ...] = ()
    roads: tuple[MaskedLayer, ...] = ()


def palette_code(types: Sequence[int], roads: Sequence[int]) -> int:
    """The number that describes a cell's ground, from its corners' types and road bits: SW, SE, NE, NW."""
    t, r = types, roads
    return (
        1 << 28 | r[0] << 26 | r[1] << 24 | r[2] << 22 | r[3] << 20
        | t[0] << 15 | t[1] << 10 | t[2] << 5 | t[3]
    )  # fmt: skip


def cell_palette_code(terrain: Sequence[int], cx: int, cy: int) -> int:
    """The palette code of a landcell, from its block's 81 terrain words (index x * 9 + y)."""
    sw = 9 * cx + cy
    words = (terrain[sw], terrain[sw + 9], terrain[sw + 10], terrain[sw + 1])
    return palette_code([w >> 2 & 0x1F for w in words], [w & 3 for w in words])


def corner_types(pcode: int) -> tuple[int, int, int, int]:
    """The terrain types of a palette code's corners SW, SE, NE, NW."""
    return (pcode >> 15 & 0x1F, pcode >> 10 & 0x1F, pcode >> 5 & 0x1F, pcode & 0x1F)


def road_mask(pcode: int) -> int:
    """The corners of a palette code that have road, as a code."""
    return sum(1 << i for i in range(4) if pcode >> (26 - 2 * i) & 3)


def base_and_overlays(types: Sequence[int]) -> tuple[int, tuple[tuple[int, int], ...]]:
    """The base type of four corners and the overlays on it, each as type and code."""
    if len(set(types)) == 4:
        return types[0], tuple((types[k], 1 << k) for k in (1, 2, 3))
    base = next(t for i, t in enumerate(types) if t in types[i + 1 :])
    others = [k for k in range(4) if types[k] != base]
    overlays = [(types[k], 1 << k) for k in others]
    if len(others) == 2 and types[others[0]] == types[others[1]] and others[1] == others[0] + 1:
        overlays = [(types[others[0]], 1 << others[0] | 1 << others[1])]
    return base, tuple(overlays)


def road_codes(mask: int) -> tuple[int, ...]:
    """The codes of the road masks that together cover the corners with road; not for all four corners."""
    return _ROAD_CODES.get(mask, (mask,))


def mask_hash(pcode: int) -> int:
    """The 32-bit number by which a palette code chooses among masks."""
    return (1379576222 * pcode - 1372186442) & 0xFFFFFFFF


def mask_choice(number: int, count: int) -> int:
    """Which of ``count`` masks a hash chooses: its share of 2^32, in single precision."""
    share = _f32(_f32(number) * 2.0**-32 * count)
    return 0 if share >= count else int(share)


def turns_to(code: int, wanted: int) -> int | None:
    """How many quarter turns make one code another, None if none do."""
    for rotation in range(4):
        if code == wanted:
            return rotation
        code *= 2
        if code >= 16:
            code -= 15
    return None


class GroundMerger:
    """Tells the ground of palette codes by a region's masks; which of them fit what is worked out once."""

    def __init__(self, tex_merge: TexMerge) -> None:
        self._tex_merge = tex_merge
        self._fitting: dict[int, list[int]] = {}  # the places of the road masks that fit a code

    def ground(self, pcode: int) -> CellGround:
        """The ground of a palette code. What no mask fits is left out."""
        mask = road_mask(pcode)
        if mask == ALL_CORNERS:
            return CellGround(ROAD_TYPE)
        base, wanted = base_and_overlays(corner_types(pcode))
        overlays = (_overlay(pcode, kind, code, self._tex_merge) for kind, code in wanted)
        roads = (self._road(pcode, code) for code in road_codes(mask))
        return CellGround(
            base, tuple(o for o in overlays if o is not None), tuple(r for r in roads if r is not None)
        )

    def _road(self, pcode: int, code: int) -> MaskedLayer | None:
        """Roads try every map, from the chosen one on."""
        maps = self._tex_merge.road
        fitting = self._fitting.get(code)
        if fitting is None:
            fitting = [place for place, tried in enumerate(maps) if turns_to(tried.code, code) is not None]
            self._fitting[code] = fitting
        if not fitting:
            return None
        first = mask_choice(mask_hash(pcode), len(maps))
        chosen = maps[fitting[bisect_left(fitting, first) % len(fitting)]]
        rotation = turns_to(chosen.code, code)
        assert rotation is not None
        return MaskedLayer(ROAD_TYPE, code, chosen.texture, rotation)


def merge(pcode: int, tex_merge: TexMerge) -> CellGround:
    """The ground of one palette code alone."""
    return GroundMerger(tex_merge).ground(pcode)


def terrain_texture(tex_merge: TexMerge, kind: int) -> TerrainTex | None:
    """The texture entry of a terrain type; the first for an absent type, None where there is none."""
    entries = tex_merge.terrain
    return next((e for e in entries if e.type == kind), entries[0] if entries else None)


def _overlay(pcode: int, kind: int, code: int, tex_merge: TexMerge) -> MaskedLayer | None:
    maps = tex_merge.corner if code in (1, 2, 4, 8) else tex_merge.side
    if not maps:
        return None
    chosen = maps[mask_choice(mask_hash(pcode), len(maps))]
    rotation = turns_to(chosen.code, code)
    return None if rotation is None else MaskedLayer(kind, code, chosen.texture, rotation)


def _f32(value: float) -> float:
    number: float = struct.unpack("<f", struct.pack("<f", value))[0]
    return number
