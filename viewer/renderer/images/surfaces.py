"""Surfaces by id: their images decoded and uploaded, their materials worked out, each once."""

from __future__ import annotations

from threading import Lock

from engine.dat.errors import DatError
from engine.dat.hex_id import hex_id
from engine.dat.records.surface import Surface
from engine.world.source import Problems, WorldSource
from viewer.renderer.images.images import MissingImageError, drawn_image
from viewer.renderer.images.materials import Material, RenderClass, is_textured, render_class, vertex_factors
from viewer.renderer.images.pages import Images
from viewer.renderer.images.textures import marker_image

SURFACE_TYPE = 0x08000000


class SurfaceLibrary:
    """Materials by surface id. What is missing gets an orange and black marker and one problem line."""

    def __init__(self, source: WorldSource, textures: Images, problems: Problems) -> None:
        self._source = source
        self._problems = problems
        self.textures = textures
        self._materials: dict[int, Material] = {}
        self._lock = Lock()
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
        self.textures.give_back({(m.page, m.layer) for m in gone.values()})

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
        page, layer = self.textures.add(drawn_image(self._source, surface), cut_out=how is RenderClass.CUTOUT)
        factors = vertex_factors(flags, surface.translucency, surface.luminosity, surface.diffuse)
        return Material(
            render_class=how, page=page, layer=layer, textured=is_textured(flags), factors=factors
        )
