"""What ground a pixel shows: by the terrain words, and the masks that its textures are laid over by."""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.dat.errors import DatError
from engine.dat.records.region import Region
from engine.dat.values import Vec3
from engine.world.cells import LandCell
from engine.world.ids import CELL_SIDE, block_xy
from engine.world.loading.roads import NE, NW, SE, SW, has_road, on_road
from engine.world.loading.scenery import pick_scene
from engine.world.loading.texmerge import ROAD_TYPE, cell_palette_code, merge, terrain_texture
from engine.world.loading.world import World
from engine.world.terrain import CELLS, CORNERS, SE_NW, SW_NE, VERTICES, cut_sw_ne, terrain_type, water_depth
from viewer.asking.drawn_faces import FaceStore
from viewer.renderer.gl.array_texture import Image
from viewer.renderer.images.ground_textures import as_mask
from viewer.renderer.images.images import MissingImageError, render_surface, texture_image
from viewer.renderer.images.remembered import Remembered
from viewer.report.ground_shown import Ground, GroundCorner, GroundLayer

NAMES = ("south-west", "south-east", "north-east", "north-west")  # in the order of terrain.CORNERS
BITS = (SW, SE, NE, NW)
MOST_KEPT: Final = 1 << 26  # bytes of all masks that are kept


class GroundFinder:
    """Tells of the ground of one world; masks that were needed once are kept."""

    def __init__(self, world: World, store: FaceStore) -> None:
        self._world = world
        self._store = store
        self._masks: Remembered[int, Image] = Remembered(MOST_KEPT)  # by image: many may name the same

    def ground(self, land: LandCell, polygon: int, place: Vec3) -> Ground | None:
        """The ground at a place of a block frame, in a triangle of its landcell; None without a Region."""
        region = self._region()
        if region is None or not land.terrain:
            return None
        cx, cy = divmod((land.id & 0xFFFF) - 1, CELLS)
        dx, dy = place[0] - CELL_SIDE * cx, place[1] - CELL_SIDE * cy
        corners = _corners(region, land, polygon)
        roads = sum(bit for bit, corner in zip(BITS, corners, strict=True) if corner.road)
        return Ground(
            corners=corners,
            layers=self._layers(
                region, cell_palette_code(land.terrain, cx, cy), (dx / CELL_SIDE, dy / CELL_SIDE)
            ),
            road=on_road(roads, dx, dy),
            water=water_depth(land, place),
        )

    def _region(self) -> Region | None:
        try:
            return self._world.source.region()
        except DatError:
            return None  # who draws has said so

    def _layers(self, region: Region, code: int, at: tuple[float, float]) -> tuple[GroundLayer, ...]:
        """As the landscape's shader lays them; ``at`` is east and north in the cell, 0 to 1."""
        found = merge(code, region.terrain.texmerge)
        kinds, masks, shares = [found.base], [0], [1.0]
        for layer in (*found.overlays, *found.roads):
            kept = self._kept(layer.mask, layer.rotation, at)
            shares = [share * kept for share in shares]
            kinds.append(layer.type)
            masks.append(layer.mask)
            shares.append(1.0 - kept)
        out = []
        for kind, mask, share in zip(kinds, masks, shares, strict=True):
            entry = terrain_texture(region.terrain.texmerge, kind)
            texture = 0 if entry is None else entry.texture
            out.append(
                GroundLayer(
                    type=kind,
                    name="road" if kind == ROAD_TYPE else _name(region, kind),
                    texture=texture,
                    image=self._store.image_of(texture),
                    mask=mask,
                    share=share,
                )
            )
        return tuple(out)

    def _kept(self, mask: int, quarters: int, at: tuple[float, float]) -> float:
        """How much of what is below a mask keeps, 0 to 1; all of it where it can't be read."""
        try:
            image = render_surface(self._world.source, mask).id
        except (DatError, MissingImageError):
            return 1.0
        kept = self._masks.get(image, lambda: self._mask(mask))
        if kept is None:
            return 1.0
        u, v = at[0] - 0.5, 0.5 - at[1]  # east and south of the middle
        for _ in range(quarters):
            u, v = -v, u
        return _smooth(kept, u + 0.5, v + 0.5) / 255.0

    def _mask(self, mask: int) -> Image | None:
        """What a mask keeps, a byte a texel."""
        try:
            return as_mask(texture_image(self._world.source, mask))[..., 3].copy()
        except (DatError, MissingImageError):
            return None


def _smooth(values: Image, u: float, v: float) -> float:
    """Values at a place of an image, 0 to 1 from its upper left corner, between texels as a GPU takes it."""
    height, width = values.shape
    x, y = u * width - 0.5, v * height - 0.5
    left, top = int(np.floor(x)), int(np.floor(y))
    columns = np.clip((left, left + 1), 0, width - 1)
    rows = np.clip((top, top + 1), 0, height - 1)
    some = values[np.ix_(rows, columns)].astype(float)
    across = some[:, 0] * (1.0 - (x - left)) + some[:, 1] * (x - left)
    return float(across[0] * (1.0 - (y - top)) + across[1] * (y - top))


def _name(region: Region, kind: int) -> str:
    types = region.terrain.types
    return types[kind].name if kind < len(types) else ""


def _corners(region: Region, land: LandCell, polygon: int) -> tuple[GroundCorner, ...]:
    cx, cy = divmod((land.id & 0xFFFF) - 1, CELLS)
    bx, by = block_xy(land.id)
    x, y = CELLS * bx + cx, CELLS * by + cy
    triangle = (SW_NE if cut_sw_ne(x, y) else SE_NW)[polygon % 2]
    out = []
    for number, (east, north) in enumerate(CORNERS):
        word = land.terrain[VERTICES * (cx + east) + cy + north]
        kind, scenery = terrain_type(word), word >> 11
        types = region.terrain.types
        scenes = types[kind].scenes if kind < len(types) else ()
        out.append(
            GroundCorner(
                corner=NAMES[number],
                type=kind,
                name=_name(region, kind),
                road=has_road(word),
                scene_type=scenes[scenery] if scenery < len(scenes) else -1,
                scene=pick_scene(region, word, x + east, y + north),
                in_triangle=number in triangle,
            )
        )
    return tuple(out)
