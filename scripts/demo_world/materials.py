"""The materials of the demo world by name: their records and how many metres a texture covers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.dat.records.palette import Palette
from engine.dat.records.render_surface import PixelFormat, RenderSurface
from engine.dat.records.surface import Surface
from engine.dat.records.surface_texture import SurfaceTexture
from scripts.demo_world.art import (
    art_building,
    art_effects,
    art_figure,
    art_furnishings,
    art_ground,
    art_plants,
    art_stores,
    art_wonders,
)
from scripts.demo_world.art.paint import Picture, finished

Record = Palette | RenderSurface | Surface | SurfaceTexture
Bytes = NDArray[np.uint8]

SURFACE, TEXTURE, IMAGE, PALETTE = 0x08000100, 0x05000100, 0x06000100, 0x04000100
GROUND_TEXTURE, GROUND_IMAGE = 0x05000200, 0x06000200
MASK_TEXTURE, MASK_IMAGE = 0x05000300, 0x06000300

BASE1_SOLID, BASE1_IMAGE, BASE1_CLIP_MAP, TRANSLUCENT, LUMINOUS = 0x1, 0x2, 0x4, 0x10, 0x40
ALPHA, ADDITIVE = 0x100, 0x10000
OPENING = "opening"


@dataclass(frozen=True, slots=True)
class Material:
    """A textured surface: ``metres`` of wall or floor that one repeat covers, and who draws it."""

    name: str
    metres: tuple[float, float]
    picture: Callable[[], Picture]
    luminosity: float = 0.0


@dataclass(frozen=True, slots=True)
class Cutout:
    """A surface with holes: palette indices, the palette's darkest and lightest colour, stored format."""

    name: str
    metres: tuple[float, float]
    indices: Callable[[], Bytes]
    dark: tuple[int, int, int]
    light: tuple[int, int, int]
    format: int


@dataclass(frozen=True, slots=True)
class Glow:
    """A surface that shines by itself, added to what is behind it or else over it.

    ``faint`` is how much of it is kept back, 0…1; ``shine`` how bright it is without any other light.
    """

    name: str
    picture: Callable[[], art_wonders.Rgba]
    faint: float = 0.0
    adds: bool = True
    shine: float = 1.0


MATERIALS: tuple[Material, ...] = (
    Material("plaster", (2.0, 2.0), art_building.plaster),
    Material("timbered", (2.4, 2.4), art_building.timbered),
    Material("planks", (2.0, 2.0), art_building.floor_planks),
    Material("ceiling", (2.0, 2.0), art_building.ceiling),
    Material("wainscot", (1.0, 2.0), art_building.wainscot),
    Material("rubble", (2.0, 2.0), art_building.rubble),
    Material("whitewash", (2.0, 2.0), art_building.whitewash),
    Material("ashlar", (2.0, 2.0), art_building.ashlar),
    Material("flags", (2.0, 2.0), art_building.flags),
    Material("earth", (2.0, 2.0), art_building.packed_earth),
    Material("shingles", (2.0, 2.0), art_building.shingles),
    Material("thatch", (2.0, 2.0), art_building.thatch),
    Material("trim", (0.5, 1.0), art_building.trim),
    Material("table", (1.0, 1.0), art_furnishings.table_wood),
    Material("brick", (1.0, 1.0), art_building.brick),
    Material("embers", (1.0, 1.0), art_furnishings.embers, 1.0),
    Material("staves", (1.0, 1.0), art_furnishings.staves),
    Material("lid", (1.0, 1.0), art_furnishings.lid),
    Material("door", (1.0, 2.0), art_building.door_leaf),
    Material("blanket", (1.0, 1.0), art_furnishings.blanket),
    Material("linen", (1.0, 1.0), art_furnishings.linen),
    Material("crate", (1.0, 1.0), art_furnishings.crate),
    Material("sign", (1.0, 1.0), art_furnishings.sign),
    Material("bark", (1.0, 2.0), art_furnishings.bark),
    Material("iron", (1.0, 1.0), art_furnishings.iron),
    Material("flame", (1.0, 1.0), art_furnishings.flame, 1.0),
    Material("boulder", (2.0, 2.0), art_plants.boulder),
    Material("awning", (1.0, 1.0), art_furnishings.awning),
    Material("books", (1.0, 1.0), art_furnishings.books),
    Material("panelled", (2.4, 3.25), art_building.panelled),
    Material("vault", (2.5, 2.5), art_building.vault),
    Material("arch", (1.0, 1.0), art_building.arch_stone),
    Material("rug", (1.0, 1.0), art_furnishings.rug),
    Material("curtain", (1.0, 1.0), art_furnishings.curtain),
    Material("chest", (1.0, 1.0), art_furnishings.chest),
    Material("bone", (1.0, 1.0), art_furnishings.bone),
    Material("pewter", (1.0, 1.0), art_furnishings.pewter),
    Material("town sign", (1.0, 1.0), art_furnishings.town_sign),
    Material("crystal", (1.0, 1.0), art_wonders.crystal, 0.75),
    Material("skin", (0.25, 0.25), art_figure.skin),
    Material("hair", (0.25, 0.25), art_figure.hair),
    Material("jerkin", (0.25, 0.25), art_figure.jerkin),
    Material("shirt", (0.25, 0.25), art_figure.shirt),
    Material("hose", (0.25, 0.25), art_figure.hose),
    Material("leather", (0.25, 0.25), art_figure.leather),
    Material("boots", (0.25, 0.25), art_figure.boots),
    Material("face", (0.25, 0.25), art_figure.face),
    Material("straw", (1.0, 1.0), art_stores.straw),
    Material("sackcloth", (0.5, 0.5), art_stores.sackcloth),
    Material("stoneware", (0.5, 0.5), art_stores.stoneware),
    Material("bottle", (0.25, 0.25), art_stores.bottle),
    Material("mug", (0.5, 0.25), art_stores.mug),
    Material("beer", (0.25, 0.25), art_stores.beer),
    Material("loaf", (0.25, 0.25), art_stores.loaf),
    Material("pane", (1.0, 1.0), art_stores.pane),
)
CUTOUTS: tuple[Cutout, ...] = (
    Cutout(
        name="foliage",
        metres=(1.0, 1.0),
        indices=art_ground.foliage,
        dark=(24, 40, 16),
        light=(116, 146, 66),
        format=PixelFormat.INDEX16,
    ),
    Cutout(
        name="pine",
        metres=(1.0, 1.0),
        indices=art_plants.pine,
        dark=(13, 30, 17),
        light=(82, 116, 66),
        format=PixelFormat.P8,
    ),
    Cutout(
        name="reeds",
        metres=(1.0, 1.0),
        indices=art_plants.reeds,
        dark=(58, 44, 22),
        light=(150, 160, 84),
        format=PixelFormat.P8,
    ),
    Cutout(
        name="flowers",
        metres=(1.0, 1.0),
        indices=art_plants.flowers,
        dark=(24, 58, 16),
        light=(230, 216, 124),
        format=PixelFormat.P8,
    ),
    Cutout(
        name="lattice",
        metres=(1.0, 1.0),
        indices=art_ground.lattice,
        dark=(16, 16, 18),
        light=(120, 104, 84),
        format=PixelFormat.P8,
    ),
)
GLOWS: tuple[Glow, ...] = (
    Glow("fire", art_wonders.fire),
    Glow("halo", art_wonders.halo, 0.45),
    Glow("light on the ground", art_wonders.halo, 0.68),
    Glow("blue halo", art_wonders.blue_halo, 0.4),
    Glow("violet halo", art_wonders.violet_halo, 0.4),
    Glow("swirl", art_wonders.swirl, adds=False),
    Glow("tongue", art_effects.tongue),
    Glow("spark", art_effects.spark),
    Glow("blue mote", art_effects.blue_mote),
    Glow("violet mote", art_effects.violet_mote),
    Glow("puff", art_effects.puff, adds=False, shine=0.0),
    Glow("drop", art_effects.drop, adds=False, shine=0.18),
)
GROUNDS: tuple[tuple[str, Callable[[], Picture]], ...] = (
    ("grass", art_ground.grass), ("lush", art_ground.lush), ("patchy", art_ground.patchy),
    ("dirt", art_ground.dirt), ("forest", art_ground.forest), ("rock", art_ground.rock),
    ("sand", art_ground.sand), ("marsh", art_ground.marsh), ("water", art_ground.water),
    ("snow", art_ground.snow), ("cobbles", art_ground.cobbles),
)  # fmt: skip
CORNER_MASKS = ((8, art_ground.corner_mask, 501), (8, art_ground.corner_mask, 502))
SIDE_MASKS = ((9, art_ground.side_mask, 511), (9, art_ground.side_mask, 512))
ROAD_MASKS = (
    (8, art_ground.road_corner_mask, 521),
    (9, art_ground.road_side_mask, 522),
    (10, art_ground.road_diagonal_mask, 523),
)

_ORDER = [*(x.name for x in MATERIALS), *(x.name for x in CUTOUTS), *(x.name for x in GLOWS), OPENING]
_METRES = {m.name: m.metres for m in MATERIALS} | {c.name: c.metres for c in CUTOUTS}


def surface_id(name: str) -> int:
    """The Surface id of a material."""
    return SURFACE + _ORDER.index(name)


def metres_of(name: str) -> tuple[float, float]:
    """How much one repeat of a material's texture covers."""
    return _METRES.get(name, (1.0, 1.0))


def ground_texture(name: str) -> int:
    """The SurfaceTexture id of a terrain texture."""
    return GROUND_TEXTURE + [n for n, _ in GROUNDS].index(name)


def mask_textures() -> tuple[tuple[tuple[int, int], ...], ...]:
    """Pairs of corner code and SurfaceTexture id: corner masks, side masks, road masks."""
    out = []
    number = MASK_TEXTURE
    for masks in (CORNER_MASKS, SIDE_MASKS, ROAD_MASKS):
        out.append(tuple((code, number + i) for i, (code, _, _) in enumerate(masks)))
        number += len(masks)
    return tuple(out)


def records() -> list[tuple[int, Record]]:
    """Surfaces, textures, images and palettes by id."""
    out: list[tuple[int, Record]] = []
    for i, material in enumerate(MATERIALS):
        kind = BASE1_IMAGE | (LUMINOUS if material.luminosity else 0)
        out.append((SURFACE + i, Surface(kind, TEXTURE + i, 0, luminosity=material.luminosity)))
        out += _texture(
            TEXTURE + i, IMAGE + i, pixel_format=PixelFormat.R8G8B8, pixels=_bgr(material.picture())
        )
    for i, cutout in enumerate(CUTOUTS):
        k = len(MATERIALS) + i
        out.append((SURFACE + k, Surface(BASE1_CLIP_MAP, TEXTURE + k, 0)))
        indices = cutout.indices()
        stored = indices.astype("<u2") if cutout.format == PixelFormat.INDEX16 else indices
        out += _texture(
            TEXTURE + k, IMAGE + k, pixel_format=cutout.format, pixels=stored, palette=PALETTE + i
        )
        out.append((PALETTE + i, _palette(PALETTE + i, cutout)))
    for i, glow in enumerate(GLOWS):
        k = len(MATERIALS) + len(CUTOUTS) + i
        kind = BASE1_IMAGE | ALPHA | ADDITIVE * glow.adds | (TRANSLUCENT if glow.faint else 0)
        kind |= LUMINOUS if glow.shine else 0
        out.append(
            (SURFACE + k, Surface(kind, TEXTURE + k, 0, translucency=glow.faint, luminosity=glow.shine))
        )
        rgba = glow.picture()[:, :, (2, 1, 0, 3)]
        out += _texture(TEXTURE + k, IMAGE + k, pixel_format=PixelFormat.A8R8G8B8, pixels=rgba)
    opening = Surface(BASE1_SOLID | TRANSLUCENT, color=0xFFFFFFFF, translucency=1.0)
    out.append((surface_id(OPENING), opening))
    for i, (_, picture) in enumerate(GROUNDS):
        image = _bgr(picture())
        out += _texture(
            GROUND_TEXTURE + i, GROUND_IMAGE + i, pixel_format=PixelFormat.CUSTOM_LSCAPE_R8G8B8, pixels=image
        )
    masks = (*CORNER_MASKS, *SIDE_MASKS, *ROAD_MASKS)
    for i, (_, draw, seed) in enumerate(masks):
        out += _texture(
            MASK_TEXTURE + i, MASK_IMAGE + i, pixel_format=PixelFormat.CUSTOM_LSCAPE_ALPHA, pixels=draw(seed)
        )
    return out


def _texture(
    texture: int, image: int, *, pixel_format: int, pixels: NDArray[np.generic], palette: int | None = None
) -> list[tuple[int, Record]]:
    height, width = pixels.shape[:2]
    data = np.ascontiguousarray(pixels).tobytes()
    return [
        (texture, SurfaceTexture(texture, 0, 2, (image,))),
        (
            image,
            RenderSurface(
                id=image,
                category=0,
                width=width,
                height=height,
                format=int(pixel_format),
                data=data,
                palette=palette,
            ),
        ),
    ]


def _bgr(picture: Picture) -> Bytes:
    return finished(picture)[:, :, ::-1]


def _palette(palette_id: int, cutout: Cutout) -> Palette:
    """2048 entries of which the first 256 are used; the eight that stand for holes are black."""
    colors = []
    for i in range(2048):
        t = min(i, 255)
        r, g, b = (d + (c - d) * t // 255 for d, c in zip(cutout.dark, cutout.light, strict=True))
        colors.append(0xFF000000 | r << 16 | g << 8 | b if i >= 8 else 0xFF000000)
    return Palette(palette_id, tuple(colors))
