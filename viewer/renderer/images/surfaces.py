"""Surfaces by id: their images decoded and uploaded, their materials worked out, each once."""

from __future__ import annotations

from threading import Lock
from typing import Final

from engine.dat.errors import DatError
from engine.dat.hex_id import hex_id
from engine.dat.records.surface import Surface
from engine.world.source import Problems, WorldSource
from viewer.renderer.gl.array_texture import Image, halved
from viewer.renderer.images.images import MissingImageError, drawn_image, made_of
from viewer.renderer.images.materials import Material, RenderClass, is_textured, render_class, vertex_factors
from viewer.renderer.images.pages import Images
from viewer.renderer.images.textures import marker_image

SURFACE_TYPE = 0x08000000
BUDGET: Final = 1 << 30
"""Bytes that the images of a library take at most, as good as: far more than a game's do."""
_SMALLEST = 64 * 64 * 4 * 4 // 3  # so large an image may be in any case
_LARGE = 1 << 20  # bytes of an image that is remembered, for other surfaces that show it: few worlds have any
_REMEMBERED = 1 << 26  # bytes of all of these
_SHARE = 8  # of what is left an image takes no more than this part, lest one leave nothing to the next


class SurfaceLibrary:
    """Materials by surface id. What is missing gets an orange and black marker and one problem line.

    Images that would take more than what is left of ``budget``, in bytes, are made smaller; a line says so.
    """

    def __init__(
        self, source: WorldSource, textures: Images, problems: Problems, budget: int = BUDGET
    ) -> None:
        self._source = source
        self._problems = problems
        self.textures = textures
        self._materials: dict[int, Material] = {}
        self._lock = Lock()
        self._left = budget
        self._taken: dict[tuple[int, int], int] = {}
        self._is_short = False
        # As far as they were made smaller, with the bytes of the next larger one, 0 for a whole one.
        self._large: dict[tuple[int, int, int], tuple[Image, int]] = {}
        self._broken: dict[tuple[int, int, int], str] = {}
        page, layer = textures.add(marker_image())
        self.marker = Material(
            render_class=RenderClass.OPAQUE, page=page, layer=layer, textured=True, factors=(255, 0, 255, 0)
        )

    def material(self, surface_id: int) -> Material:
        """The material of a surface; a low word stands for the full id, as EnvCells store it."""
        full = surface_id | SURFACE_TYPE
        found = self._materials.get(full)
        if found is None:
            with self._lock:  # one at a time: what two threads made twice would hold a layer for nobody
                found = self._materials.get(full)
                if found is None:
                    found = self._materials[full] = self._make(full)
        return found

    def keep(self, used: set[Material]) -> None:
        """Forget all materials but these, and give their images' layers back; on the context's thread."""
        gone = {n: m for n, m in self._materials.items() if m not in used and m != self.marker}
        for surface_id in gone:
            del self._materials[surface_id]
        places = {(m.page, m.layer) for m in gone.values()}
        self.textures.give_back(places)
        with self._lock:
            self._left += sum(self._taken.pop(place, 0) for place in places)

    def _make(self, surface_id: int) -> Material:
        try:
            surface = self._source.surface(surface_id)
            if surface is None:
                raise MissingImageError(f"there is no surface {hex_id(surface_id)}")
            return self._of_surface(surface)
        except (DatError, MissingImageError) as error:
            self._problems.report(f"{self._source.name}: surface {hex_id(surface_id)}: {error}")
            return self.marker

    def _of_surface(self, surface: Surface) -> Material:
        flags = surface.drawn_type
        how = render_class(flags)
        image = self._image(surface)
        page, layer = self.textures.add(image, cut_out=how is RenderClass.CUTOUT)
        self._taken[page, layer] = _bytes_of(image)
        self._left -= _bytes_of(image)
        factors = vertex_factors(flags, surface.translucency, surface.luminosity, surface.diffuse)
        return Material(
            render_class=how, page=page, layer=layer, textured=is_textured(flags), factors=factors
        )

    def _image(self, surface: Surface) -> Image:
        """An image as large as is left for one, at least so small that all there can be find room."""
        if not is_textured(surface.drawn_type):
            return drawn_image(self._source, surface)
        most = max(self._left // _SHARE, _SMALLEST)
        key = made_of(self._source, surface)
        if key in self._broken:
            raise MissingImageError(self._broken[key])
        smaller, larger = self._large.pop(key, (None, 0))
        if smaller is None or 0 < larger <= most:
            smaller, larger = self._whole(surface, key), 0
        is_large = larger or smaller.nbytes > _LARGE
        while _bytes_of(smaller) > most:
            smaller, larger = halved(smaller), _bytes_of(smaller)
        if larger and not self._is_short:
            self._is_short = True
            self._problems.report(
                f"{self._source.name}: the images of its surfaces take too much memory: "
                f"large ones are drawn with fewer texels"
            )
        if is_large:
            self._large[key] = smaller, larger
            while sum(image.nbytes for image, _ in self._large.values()) > _REMEMBERED:
                del self._large[next(iter(self._large))]
        return smaller

    def _whole(self, surface: Surface, key: tuple[int, int, int]) -> Image:
        try:
            return drawn_image(self._source, surface)
        except (DatError, MissingImageError) as error:
            self._broken[key] = str(error)
            raise


def _bytes_of(image: Image) -> int:
    """What an image takes with its mip levels."""
    return int(image.nbytes) * 4 // 3
