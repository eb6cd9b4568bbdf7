"""The images of a world's surfaces take no more memory than they may; what is too much is drawn smaller."""

from types import SimpleNamespace

import numpy as np
import pytest

from engine.world.source import Problems
from viewer.renderer.images import surfaces
from viewer.renderer.images.images import MissingImageError
from viewer.renderer.images.surfaces import SurfaceLibrary

SIDE = 1024
WHOLE = SIDE * SIDE * 4 * 4 // 3
BUDGET = 32 * WHOLE


class Kept:
    """Counts the images that are there, the smallest of those, and what they take."""

    def __init__(self):
        self.images = {}
        self.most = 0

    def add(self, image, *, cut_out=False):
        self.images[0, len(self.images)] = image
        self.most = max(self.most, sum(held.nbytes * 4 // 3 for held in self.images.values()))
        return 0, len(self.images) - 1

    def give_back(self, places):
        for place in places:
            del self.images[place]

    def settle(self):
        pass


@pytest.fixture
def made(monkeypatch):
    """A library of a world with an image for every surface, a grey of its id."""
    monkeypatch.setattr(
        surfaces, "drawn_image", lambda _, surface: np.full((SIDE, SIDE, 4), surface.grey, np.uint8)
    )
    monkeypatch.setattr(surfaces, "made_of", lambda _, surface: (surface.grey, 0, 0))
    usual = {"drawn_type": 2, "translucency": 0.0, "luminosity": 0.0, "diffuse": 1.0}
    source = SimpleNamespace(name="made", surface=lambda number: SimpleNamespace(grey=number & 0xFF, **usual))
    kept, problems = Kept(), Problems()
    return SurfaceLibrary(source, kept, problems, BUDGET), kept, problems


def test_images_within_the_budget_are_drawn_as_they_are(made):
    library, kept, problems = made
    for number in range(20):
        library.material(number)
    assert {image.shape for image in list(kept.images.values())[1:]} == {(SIDE, SIDE, 4)}
    assert problems.lines == []


def test_many_large_images_take_no_more_than_the_budget_and_one_line_says_so(made):
    library, kept, problems = made
    for number in range(100):
        library.material(number)
    assert kept.most <= BUDGET
    for number, image in enumerate(list(kept.images.values())[1:]):
        assert image.shape[0] == image.shape[1] >= 64
        assert (image == number & 0xFF).all()
    assert len(problems.lines) == 1
    assert "drawn with fewer texels" in problems.lines[0]


def test_what_is_given_back_makes_room_for_whole_images_again(made):
    library, kept, _ = made
    for number in range(150):
        library.material(number)
    library.keep(set())
    assert len(kept.images) == 1  # the marker
    kept.images = {(1, 0): kept.images[0, 0]}
    library.material(200)
    assert kept.images[0, 1].shape == (SIDE, SIDE, 4)


def test_a_large_image_is_decoded_once_for_all_surfaces_that_show_it(made, monkeypatch):
    library, kept, _ = made
    decoded = []

    def counted(_, surface):
        decoded.append(surface.grey)
        if surface.grey == 9:
            raise MissingImageError("no image")
        return np.full((SIDE, SIDE, 4), surface.grey, np.uint8)

    monkeypatch.setattr(surfaces, "drawn_image", counted)
    monkeypatch.setattr(surfaces, "_LARGE", SIDE)
    for grey in (7, 8, 9):
        for number in range(grey, 0x2000, 0x100):
            library.material(number)
    assert decoded == [7, 8, 9]
    shapes = [image.shape[0] for image in list(kept.images.values())[1:]]
    assert len(shapes) == 64 and shapes == sorted(shapes, reverse=True) and shapes[0] == SIDE > shapes[-1]
    library.keep(set())
    kept.images = {(1, 0): kept.images[0, 0]}
    library.material(0x3008)
    assert kept.images[0, 1].shape == (SIDE, SIDE, 4)
    assert decoded == [7, 8, 9, 8]
