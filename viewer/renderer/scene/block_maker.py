"""The meshes and images of landblocks, made in the process that builds them, for another's GPU.

It numbers the pages of its images itself, each process from a number of its own on, so that vertices can
name page and layer before anything is on a GPU. Who draws does as the parcels say, in their order.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from engine.named_tuple import NamedTuple
from engine.world.cells import EnvCell, Landblock
from engine.world.loading.world import World
from viewer.renderer.gl.array_texture import Image, mip_levels
from viewer.renderer.images.cut_outs import cut_out_levels
from viewer.renderer.images.pages import Page, PageBook, Size
from viewer.renderer.images.surfaces import SurfaceLibrary
from viewer.renderer.scene.block_meshes import MOST_VERTICES_OF_ALL, BlockMeshes
from viewer.renderer.scene.mesh_library import MeshLibrary

PAGES_OF_PROCESS = 1 << 20
MOST_VERTICES = 1_000_000  # of models and cells, before those of landblocks that went are forgotten
MOST_TEXELS = 64 << 20


class NewPage(NamedTuple):
    """Images of that size are to come on a page of that number."""

    number: int
    size: Size
    layers: int
    cut_out: bool


class NewImage(NamedTuple):
    """An image with its mip levels for a layer of a page."""

    page: int
    layer: int
    levels: list[Image]


class OldPage(NamedTuple):
    """Nothing that is still needed is drawn with a page."""

    number: int


class Meshes(NamedTuple):
    """The meshes of the landblock that comes next."""

    block_id: int
    meshes: BlockMeshes


Made = NewPage | NewImage | OldPage | Meshes


class ImageLedger:
    """Keeps no image: notes where it is to be, in ``news`` until somebody takes them."""

    def __init__(self, first: int) -> None:
        self._book: PageBook[Page] = PageBook(Page, first)
        self.news: list[Made] = []

    def add(self, image: Image, *, cut_out: bool = False) -> tuple[int, int]:
        """Note an image; its page's number and its layer there."""
        height, width = image.shape[:2]
        known = set(self._book.pages)
        number, layer = self._book.place((width, height), cut_out=cut_out)
        if number not in known:
            page = self._book.pages[number]
            self.news.append(NewPage(number, page.size, page.layers, cut_out))
        levels = cut_out_levels(image) if cut_out else mip_levels(image)
        self.news.append(NewImage(number, layer, levels))
        return number, layer

    def give_back(self, places: Iterable[tuple[int, int]]) -> None:
        """Layers that nothing is drawn with any more."""
        for number, layer in places:
            if self._book.give_back(number, layer) is not None:
                self.news.append(OldPage(number))

    def settle(self) -> None:
        """Nothing: the images go ahead of what is made with them."""

    @property
    def texels(self) -> int:
        """How many texels all pages have room for."""
        return sum(page.layers * page.size[0] * page.size[1] for page in self._book.pages.values())

    def take(self) -> Iterator[Made]:
        """What is new."""
        news, self.news = self.news, []
        yield from news


class BlockMaker:
    """Makes meshes, and forgets what no landblock has any more that is in use."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._images = ImageLedger(PAGES_OF_PROCESS * (1 + os.getpid()))
        self._surfaces = SurfaceLibrary(world.source, self._images, world.problems)
        self._library = MeshLibrary(world.source, self._surfaces, world.problems, model_of=world.model)
        self._in_use: dict[int, tuple[tuple[int, ...], list[EnvCell]]] = {}
        self._counts: dict[int, int] = {}  # of vertices, as ``_in_use``

    def made_of(self, block: Landblock, number: int) -> Iterator[Made]:
        """What is to be sent ahead of a landblock: new images, then its meshes; nothing for bare ground."""
        if not (block.env_cells or block.statics or block.buildings):
            return
        most = MOST_VERTICES_OF_ALL - sum(self._counts.values())
        meshes = BlockMeshes(block, self._world.source, self._library, most=most)
        self._counts[number] = meshes.count
        self._in_use[number] = (block.model_ids(), list(block.env_cells.values()))
        yield from self._images.take()
        yield Meshes(block.id, meshes)

    def let_go(self, numbers: Iterable[int]) -> Iterator[Made]:
        """These landblocks are not needed any more; pages that go with them."""
        for number in numbers:
            self._in_use.pop(number, None)
            self._counts.pop(number, None)
        if self._library.size() > MOST_VERTICES or self._images.texels > MOST_TEXELS:
            models = {model_id for used, _ in self._in_use.values() for model_id in used}
            cells = [cell for _, used in self._in_use.values() for cell in used]
            self._surfaces.keep(self._library.keep(models, cells))
        yield from self._images.take()
