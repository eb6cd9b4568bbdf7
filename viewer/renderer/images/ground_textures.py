"""Texture arrays of the ground: one layer a terrain texture, and one a mask (surfaces 5.3, 5.6)."""

from __future__ import annotations

from collections.abc import Hashable
from threading import Lock

import moderngl
import numpy as np

from engine.dat.errors import DatError
from engine.dat.hex_id import hex_id
from engine.dat.records.region import Region
from engine.dat.records.region_terrain import TerrainTex
from engine.world.loading.texmerge import terrain_texture
from engine.world.source import Problems, WorldSource
from viewer.renderer.gl.array_texture import ArrayTexture, Image, mip_levels
from viewer.renderer.gl.context import RawGl
from viewer.renderer.images.images import MissingImageError, fit, render_surface, texture_image
from viewer.renderer.images.pages import FIRST_LAYERS
from viewer.renderer.images.remembered import Remembered
from viewer.renderer.images.textures import anisotropy, marker_image, solid_image

NO_LAYER = 0xFF
MOST_GROUNDS = 40
_MOST_MASKS = 64
_LARGEST = 512
_MOST_KEPT = 1 << 26  # bytes of images that are kept, for other textures that name them
_NO_TYPE_COLOR = 0xFF607040
GROUND_UNIT, MASK_UNIT = 1, 2


class LayeredArray:
    """Square images of several sizes as the layers of one array texture, scaled to the largest of them.

    ``components`` is 4, or 1 for images whose alpha alone counts. Any thread may add.
    """

    def __init__(self, ctx: moderngl.Context, raw: RawGl, components: int, most: int) -> None:
        self._ctx = ctx
        self._raw = raw
        self._components = components
        self._most = most
        self._images: list[list[Image]] = []
        self._layers: dict[Hashable, int] = {}
        self._lock = Lock()
        self._uploaded = 0
        self._wanted = self._size = 0
        self._room = 0
        self.array: ArrayTexture | None = None

    @property
    def bytes_held(self) -> int:
        """GPU memory, mip levels included."""
        return 0 if self.array is None else self.array.bytes_held

    def find(self, key: Hashable) -> int | None:
        """The layer of a key that was added."""
        return self._layers.get(key)

    def add(self, key: Hashable, image: Image) -> int:
        """The layer of a new image; the first one where there is no room left."""
        with self._lock:
            if key not in self._layers:
                full = len(self._images) == self._most
                self._layers[key] = 0 if full else len(self._images)
                if not full:
                    self._wanted = min(_LARGEST, max(self._wanted, *image.shape[:2]))
                    self._images.append(self._levels(image, self._wanted))
            return self._layers[key]

    def finish_uploads(self) -> None:
        """Bring what was added onto the GPU, with its mip levels."""
        count = len(self._images)
        if self._uploaded == count:
            return
        size = self._wanted
        if self.array is None or size != self._size or count > self._room:
            self.array = self._make_room(size, count)
        for layer in range(self._uploaded, count):
            levels = self._images[layer]
            if levels[0].shape[0] != size:
                levels = self._images[layer] = self._levels(levels[0], size)
            self.array.write(layer, levels)
        self._uploaded = count

    def _levels(self, image: Image, size: int) -> list[Image]:
        fitted = fit(image, size) if image.shape[2] == 4 else fit(image.repeat(4, axis=2), size)
        return mip_levels(fitted if self._components == 4 else fitted[..., 3:])

    def _make_room(self, size: int, count: int) -> ArrayTexture:
        if self.array is not None:
            self.array.release()
        room = FIRST_LAYERS
        while room < count:
            room *= 2
        self._room, self._size, self._uploaded = min(room, self._most), size, 0
        return ArrayTexture(
            self._ctx, self._raw, size=(size, size), layers=self._room, components=self._components
        )


class GroundTextures:
    """The layers of a region's terrain types and masks, loaded when they are first asked for."""

    def __init__(
        self, ctx: moderngl.Context, source: WorldSource, problems: Problems, region: Region | None
    ) -> None:
        self._source = source
        self._problems = problems
        self._region = region
        self._entries: dict[int, TerrainTex | None] = {}  # by terrain type, each looked for once
        raw = RawGl(ctx)
        self._grounds = LayeredArray(ctx, raw, 4, MOST_GROUNDS)
        self._masks = LayeredArray(ctx, raw, 1, _MOST_MASKS)
        self._made: Remembered[tuple[int, bool], Image] = Remembered(_MOST_KEPT)
        self._broken: dict[int, str] = {}
        self.tiling = [1.0] * MOST_GROUNDS
        self._repeat = ctx.sampler(
            filter=(moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR), anisotropy=anisotropy(ctx)
        )
        self._clamp = ctx.sampler(
            repeat_x=False, repeat_y=False, filter=(moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        )

    @property
    def bytes_held(self) -> int:
        """GPU memory of both arrays."""
        return self._grounds.bytes_held + self._masks.bytes_held

    def ground(self, kind: int) -> int:
        """The layer of a terrain type; a type that is absent has the first entry's."""
        assert self._region is not None
        terrain = self._region.terrain
        if kind not in self._entries:
            self._entries[kind] = terrain_texture(terrain.texmerge, kind)
        entry = self._entries[kind]
        if entry is None:
            color = terrain.types[kind].color if kind < len(terrain.types) else _NO_TYPE_COLOR
            found = self._grounds.find(("solid", color))
            return self._grounds.add(("solid", color), solid_image(color)) if found is None else found
        key = (entry.texture, max(1, entry.tiling))
        found = self._grounds.find(key)
        if found is None:
            image = self._image(entry.texture, f"ground 0x{kind:02X}")
            found = self._grounds.add(key, marker_image() if image is None else image)
            self.tiling[found] = float(key[1])
        return found

    def mask(self, texture: int) -> int:
        """The layer of a mask; one that cannot be read keeps what is below, and is reported."""
        found = self._masks.find(texture)
        if found is None:
            image = self._image(texture, f"mask {hex_id(texture)}", mask=True)
            if image is None:
                image = np.full((1, 1, 4), 255, np.uint8)  # keeps what is below
            found = self._masks.add(texture, image)
        return found

    def finish_uploads(self) -> None:
        """Bring what was asked for onto the GPU."""
        self._grounds.finish_uploads()
        if self._masks.find("none") is None:
            self._masks.add("none", np.full((1, 1, 4), 255, np.uint8))  # the sampler needs some array
        self._masks.finish_uploads()

    def bind(self, program: moderngl.Program) -> None:
        """Make both arrays current for a program."""
        if self._grounds.array is None or self._masks.array is None:
            return
        self._grounds.array.texture.use(GROUND_UNIT)
        self._repeat.use(GROUND_UNIT)
        self._masks.array.texture.use(MASK_UNIT)
        self._clamp.use(MASK_UNIT)
        program["u_grounds"].value = GROUND_UNIT  # type: ignore[union-attr]
        program["u_masks"].value = MASK_UNIT  # type: ignore[union-attr]
        program["u_tiling"].value = self.tiling  # type: ignore[union-attr]

    def _image(self, texture: int, what: str, *, mask: bool = False) -> Image | None:
        """A texture's image, no larger than it is drawn."""
        try:
            image = render_surface(self._source, texture).id
            if image in self._broken:
                raise MissingImageError(self._broken[image])
            return self._made.get((image, mask), lambda: self._decoded(texture, image, mask=mask))
        except (DatError, MissingImageError) as error:
            self._problems.report(f"{self._source.name}: {what}: {error}")
            return None

    def _decoded(self, texture: int, image: int, *, mask: bool) -> Image:
        try:
            pixels = texture_image(self._source, texture)
        except (DatError, MissingImageError) as error:
            self._broken[image] = str(error)
            raise
        pixels = as_mask(pixels) if mask else pixels
        return fit(pixels, _LARGEST) if max(pixels.shape[:2]) > _LARGEST else pixels


def as_mask(image: Image) -> Image:
    """An image with what it keeps of the ground below in its alpha, 255 all of it."""
    if image[..., 3].min() == 255:
        image = image.repeat(1, axis=0)
        image[..., 3] = image[..., 0]  # stored as brightness, not as alpha
    return image
