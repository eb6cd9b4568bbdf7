"""Several samples a pixel: smooth edges, no foreign colours along exits, and one where pixels are counted."""

from __future__ import annotations

import numpy as np
import pytest

from engine.physics.simulation.simulation import Simulation
from engine.world.loading.world import World
from engine.world.sources.open_source import open_source
from tests.places import DEMO
from viewer.places import put
from viewer.renderer.render_options import DEPTH, DIFFERENCE, HOLES, OVERDRAW, SCENE, STENCIL, RenderOptions
from viewer.verify.picture_stage import Onlooker

pytestmark = pytest.mark.gl
SIZE = (240, 136)
MAIN_ROOM, FRONT_DOOR = "0xA9B40171 [155.4 12.6 94] 1 0 0 0", 0x7A9B4015


@pytest.fixture(scope="module")
def looking_out():
    """Out of the open door at the inn across the street."""
    simulation = Simulation(World(open_source(demo=DEMO)))
    put(simulation, MAIN_ROOM)
    simulation.use(FRONT_DOOR)
    simulation.wait(3.0)
    with Onlooker(simulation, SIZE) as onlooker:
        yield onlooker


def picture(onlooker, samples, size=SIZE):
    onlooker.size = size
    picture, objects = onlooker.view(0.0)
    renderer = onlooker.renderer
    renderer.resize(*size)
    renderer.draw(picture, objects, RenderOptions(samples=samples))
    rgb = renderer.read_rgba()[..., :3].astype(int)
    onlooker.size = SIZE
    renderer.resize(*SIZE)
    return rgb


def test_edges_are_smooth_and_all_else_is_the_same(looking_out):
    plain, smooth = (picture(looking_out, n) for n in (1, 4))
    changed = np.abs(plain - smooth).max(axis=2) > 2
    assert 0.005 < changed.mean() < 0.25
    # What changed lies between what it and its neighbours were.
    low, high = around(plain)
    beyond = (np.maximum(low - smooth, smooth - high)[1:-1, 1:-1].max(axis=2) > 40).sum()
    assert beyond < 0.002 * smooth.size / 3


def test_no_sample_along_an_exit_shows_what_its_pixel_is_too_near_for(looking_out):
    """Depths are taken in the middle of a pixel: a lintel has another at its edge."""
    rows, columns = slice(233, 239), slice(460, 820)  # the doorway's upper edge, the street below it
    plain, smooth = (picture(looking_out, n, (1280, 720)) for n in (1, 4))
    low, high = around(plain)
    foreign = np.maximum(low - smooth, smooth - high)[rows, columns].max(axis=2) > 15
    assert foreign.sum() < 40, foreign.sum(axis=1)


def around(rgb):
    """The least and greatest value of every pixel and its neighbours."""
    low = high = rgb
    for axis in (0, 1):
        for by in (-1, 1):
            low = np.minimum(low, np.roll(low, by, axis))
            high = np.maximum(high, np.roll(high, by, axis))
    return low, high


@pytest.mark.parametrize("show", [DEPTH, STENCIL, HOLES, DIFFERENCE, OVERDRAW])
def test_what_is_shown_as_numbers_has_one_sample(show):
    assert RenderOptions(samples=4, show=show).drawn_samples == 1


def test_what_is_counted_has_one_sample():
    options = RenderOptions(samples=4)
    assert (options.drawn_samples, options.show) == (4, SCENE)
    for counted in ({"sentinel": True}, {"check_stencil": True}, {"cell_ids": True}):
        assert options._replace(**counted).drawn_samples == 1


def test_the_hole_detector_counts_none_and_leaves_the_stencil_readable(looking_out):
    looking_out.size = SIZE
    picture, objects = looking_out.view(0.0)
    stats = looking_out.renderer.draw(picture, objects, RenderOptions(samples=4, sentinel=True))
    assert stats.sentinel == 0
    assert len(np.unique(looking_out.renderer.target.read_stencil())) > 1
    assert looking_out.renderer.gl_errors() == []


def test_more_samples_than_the_driver_has_are_as_many_as_it_has(looking_out):
    target = looking_out.renderer.target
    target.sample(64)
    assert target.fbo_drawn is not target.fbo
    assert target._many.samples == target.ctx.max_samples
    target.sample(1)
    assert target.fbo_drawn is target.fbo


@pytest.mark.parametrize(("asked", "drawn"), [(2, 2), (3, 2), (4, 4)])
def test_a_number_that_is_not_made_gives_the_next_one_below(looking_out, asked: int, drawn: int):
    target = looking_out.renderer.target
    target.sample(asked)
    assert target._many.samples == min(drawn, target.ctx.max_samples)


@pytest.mark.parametrize("samples", [2, 4])
@pytest.mark.parametrize("mode", [{}, {"wire_only": True}, {"regions": True}])
def test_a_pixel_is_the_mean_of_its_samples_as_the_driver_makes_it(looking_out, samples, mode):
    looking_out.size = SIZE
    picture, objects = looking_out.view(0.0)
    looking_out.renderer.draw(picture, objects, RenderOptions(samples=samples, **mode))
    target = looking_out.renderer.target
    assert target._many.samples == samples
    made = target.read_rgba()
    copy = target.ctx.framebuffer([target.ctx.texture(SIZE, 4)])
    target.raw.glBindFramebuffer(0x8CA8, target.fbo_drawn.glo)
    target.raw.glBindFramebuffer(0x8CA9, copy.glo)
    target.raw.glBlitFramebuffer(0, 0, *SIZE, 0, 0, *SIZE, 0x4000, 0x2600)
    copied = np.frombuffer(copy.read(components=4), np.uint8).reshape(made.shape)[::-1]
    assert len(np.unique(made)) > 20
    assert np.array_equal(made[..., :3], copied[..., :3])
    assert looking_out.renderer.gl_errors() == []
