"""Which image has which layer of which page: pages are of one image size, layers handed out as images come.

A layer that is given back is the next to be handed out; a page all of whose layers are back is no more. The
number of one is not given to another. Triangles are drawn in the order of their pages' numbers, and where two
are equally far, the first is seen: so pages are numbered by what they hold, not by what came first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, Protocol, TypeVar

from viewer.renderer.gl.array_texture import Image

_PAGE_TEXELS = 1 << 22
_MOST_LAYERS = 256
FIRST_LAYERS = 8

Size = tuple[int, int]


class Page:
    """Room for images of one size, all cut-outs or none."""

    def __init__(self, size: Size, layers: int, *, cut_out: bool) -> None:
        self.size = size
        self.cut_out = cut_out
        self.layers = max(1, min(layers, _MOST_LAYERS, _PAGE_TEXELS // (size[0] * size[1])))
        self.free = list(range(self.layers - 1, -1, -1))


P = TypeVar("P", bound=Page)
P_co = TypeVar("P_co", bound=Page, covariant=True)


class MakesPage(Protocol[P_co]):
    """What makes a page."""

    def __call__(self, size: Size, layers: int, *, cut_out: bool) -> P_co:
        """One for images of a size, with room for so many at most."""


class PageBook(Generic[P]):
    """The pages by number, counted from ``first``; ``make`` makes one of a size and so many layers.

    Counts must stay below 2**48.
    """

    __slots__ = ("make", "next", "pages")

    def __init__(self, make: MakesPage[P], first: int) -> None:
        self.make = make
        self.next = first
        self.pages: dict[int, P] = {}

    def place(self, size: Size, *, cut_out: bool) -> tuple[int, int]:
        """The page and layer of a new image, on a new page where all others are full."""
        same = {n: page for n, page in self.pages.items() if (page.size, page.cut_out) == (size, cut_out)}
        number = next((n for n, page in same.items() if page.free), -1)
        if number < 0:
            # As large as all before it: few mip levels in a small world, few pages in a large one.
            layers = sum(page.layers for page in same.values()) or FIRST_LAYERS
            number, self.next = _number(size, self.next, cut_out=cut_out), self.next + 1
            self.pages[number] = self.make(size, layers, cut_out=cut_out)
        return number, self.pages[number].free.pop()

    def give_back(self, number: int, layer: int) -> P | None:
        """A layer that nothing is drawn with any more; its page, where that is no more."""
        page = self.pages[number]
        page.free.append(layer)
        return self.pages.pop(number) if len(page.free) == page.layers else None


def _number(size: Size, count: int, *, cut_out: bool) -> int:
    """Of pages with the same images ``count`` decides: all of a process have numbers of their own by it."""
    return (size[0] << 16 | size[1]) << 49 | cut_out << 48 | count


class Images(Protocol):
    """Who keeps images: on the GPU, or on the way to it."""

    def add(self, image: Image, *, cut_out: bool = False) -> tuple[int, int]:
        """Keep an image; its page's number and its layer there."""

    def give_back(self, places: Iterable[tuple[int, int]]) -> None:
        """Layers, by page and layer, that nothing is drawn with any more."""

    def settle(self) -> None:
        """Something new is to be made with the images that were added."""
