"""Cut-outs show the same share of themselves at any distance (surfaces 4.5)."""

from __future__ import annotations

from hashlib import sha256
from itertools import pairwise

import numpy as np
import pytest

from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.palette import Palette
from engine.dat.records.render_surface import PixelFormat, RenderSurface
from engine.dat.records.surface import Surface
from engine.dat.records.surface_texture import SurfaceTexture
from engine.world.source import Problems
from tests.viewer.renderer.flat_shapes import SKY, quad
from tests.viewer.renderer.memory_source import LOW
from tests.viewer.renderer.reading import count
from tests.viewer.renderer.render_stage import Stage
from tests.viewer.renderer.scene_builder import SceneBuilder
from viewer.renderer.gl.array_texture import ArrayTexture
from viewer.renderer.gl.context import RawGl
from viewer.renderer.images.cut_outs import CUT, FEWEST_TEXELS, cut_out_levels, on_one_scale
from viewer.renderer.images.images import drawn_image
from viewer.renderer.images.materials import ALPHA, CLIP_MAP, IMAGE, RenderClass
from viewer.renderer.images.surfaces import SurfaceLibrary
from viewer.renderer.images.textures import TextureStore

SURFACE, WHITE = 0x08003000, (255, 255, 255)
DISTANCES = (1, 2, 4, 6, 8, 11, 16, 23, 32)


def with_holes(holds: np.ndarray) -> np.ndarray:
    """A white image with black holes, as clip maps are decoded."""
    return np.where(holds[..., None], np.uint8(255), np.uint8(0)).repeat(4, axis=2)


def leads(period: int, width: int) -> np.ndarray:
    line = np.arange(64) % period < width
    return line[:, None] | line[None, :]


def stage_of(ctx, image: np.ndarray, flags: int = CLIP_MAP) -> Stage:
    """A wall to the north with the image on it, two metres a repeat."""
    scene = SceneBuilder()
    height, width = image.shape[:2]
    scene.image(0x3000, width, height, image[..., (2, 1, 0, 3)].tobytes())
    scene.put("surface", SURFACE, Surface(flags, 0x05003000, 0))
    model = scene.gfx_obj([(quad(0.0, -16.0, 16.0, z0=-16.0, z1=16.0), "shell")])
    record = scene.source.records["gfx_obj", model]
    assert isinstance(record, GfxObj)
    uvs = ((0.0, 16.0), (16.0, 16.0), (16.0, 0.0), (0.0, 0.0))
    array = record.vertex_array
    corners = (v._replace(uvs=(uv,)) for v, uv in zip(array.vertices, uvs, strict=True))
    array = array._replace(vertices=tuple(corners))
    scene.put("gfx_obj", model, record._replace(vertex_array=array, surfaces=(SURFACE,)))
    return Stage(ctx, scene.outdoor_object(model))


def wall_of(stage: Stage, distance: int, **changes: object) -> np.ndarray:
    """The middle of the picture from a distance: nothing but the wall, and the sky through its holes."""
    picture = stage.picture(LOW, eye=(0.0, -float(distance), 0.0), **changes)
    half = min(100, 1600 // distance)
    return picture[100 - half : 100 + half, 100 - half : 100 + half]


def shown(ctx, image: np.ndarray) -> dict[int, float]:
    """By distance, the share that shows of such a wall."""
    stage = stage_of(ctx, image)
    walls = {distance: wall_of(stage, distance) for distance in DISTANCES}
    return {distance: count(wall, WHITE) / wall[..., 0].size for distance, wall in walls.items()}


@pytest.mark.gl
@pytest.mark.parametrize("coverage", [0.1, 0.3, 0.5, 0.61, 0.85])
def test_a_random_clip_map_shows_its_share_at_any_distance(ctx, coverage: float) -> None:
    holds = np.random.default_rng(5).random((64, 64)) < coverage
    for distance, share in shown(ctx, with_holes(holds)).items():
        assert share == pytest.approx(holds.mean(), abs=0.08), distance


@pytest.mark.gl
@pytest.mark.parametrize(("period", "width"), [(16, 2), (8, 1), (16, 1), (32, 3)])
def test_thin_leads_are_seen_at_any_distance(ctx, period: int, width: int) -> None:
    holds = leads(period, width)
    for distance, share in shown(ctx, with_holes(holds)).items():
        assert share == pytest.approx(holds.mean(), abs=0.08), distance
        assert share > 0.5 * holds.mean(), distance


@pytest.mark.gl
@pytest.mark.parametrize(("samples", "least", "most"), [(1, 0.0, 0.0), (4, 0.04, 0.6)])
def test_the_edge_of_a_lead_covers_a_part_of_a_pixel_that_has_several_samples(
    ctx, samples: int, least: float, most: float
) -> None:
    holds = leads(16, 2)
    stage = stage_of(ctx, with_holes(holds))
    for distance in (3, 7, 10):
        wall = wall_of(stage, distance, samples=samples, sentinel=False, check_stencil=False)
        covered = (wall[..., 0] - float(SKY[0])) / (WHITE[0] - SKY[0])
        assert least <= ((covered > 0.1) & (covered < 0.9)).mean() <= most, distance
        if samples > 1:
            assert covered.mean() == pytest.approx(holds.mean(), abs=0.08), distance


@pytest.mark.gl
def test_what_is_all_holes_or_without_any_stays_so(ctx) -> None:
    assert set(shown(ctx, with_holes(np.zeros((64, 64), bool))).values()) == {0.0}
    assert set(shown(ctx, with_holes(np.ones((64, 64), bool))).values()) == {1.0}


@pytest.mark.parametrize("size", [(64, 64), (64, 16), (26, 10), (7, 5), (1, 64), (2, 2)])
def test_levels_halve_down_to_sixteen_texels(size: tuple[int, int]) -> None:
    holds = np.random.default_rng(1).random(size) < 0.4
    levels = cut_out_levels(with_holes(holds))
    assert (levels[0] == with_holes(holds)).all()
    for below, above in pairwise(levels):
        assert above.shape == (max(1, below.shape[0] // 2), max(1, below.shape[1] // 2), 4)
        assert above[..., 0].size >= 16
    height, width = levels[-1].shape[:2]
    assert max(1, height // 2) * max(1, width // 2) < 16


def test_holes_do_not_darken_the_colours_of_levels() -> None:
    image = with_holes(np.random.default_rng(2).random((64, 64)) < 0.2)
    image[image[..., 3] > 0, :3] = (90, 160, 30)
    for level in cut_out_levels(image):
        drawn = level[level[..., 3] >= CUT][:, :3].astype(int)
        assert len(drawn)
        assert np.abs(drawn - (90, 160, 30)).max() <= 5


def test_references_of_stored_alpha_become_one_cut() -> None:
    image = np.zeros((1, 256, 4), np.uint8)
    image[0, :, 3] = np.arange(256)
    for smallest in (100, 200):
        alpha = on_one_scale(image, smallest)[0, :, 3]
        assert ((alpha >= CUT) == (np.arange(256) >= smallest)).all()
        assert alpha[0] == 0 and alpha[255] == 255
        assert (np.diff(alpha.astype(int)) >= 0).all()


def test_palettised_images_are_cut_at_100_and_others_at_200() -> None:
    scene = SceneBuilder()
    alphas = (0, 99, 100, 150, 199, 200, 255, 255)
    scene.image(0x3000, 8, 1, b"".join(bytes((9, 9, 9, a)) for a in alphas))
    scene.put("palette", 0x04000001, Palette(0x04000001, (0xFF808080,) * 16))
    indexed = b"".join(bytes((9, a)) for a in alphas)
    stored = RenderSurface(
        id=0x06003001,
        category=0,
        width=8,
        height=1,
        format=PixelFormat.A8P8,
        data=indexed,
        palette=0x04000001,
    )
    scene.put("render_surface", stored.id, stored)
    scene.put("surface_texture", 0x05003001, SurfaceTexture(0x05003001, 0, 2, (stored.id,)))
    for texture, smallest in ((0x05003000, 200), (0x05003001, 100)):
        image = drawn_image(scene.source, Surface(CLIP_MAP, texture, 0))
        assert (image[0, :, 3] >= CUT).tolist() == [a >= smallest for a in alphas]


@pytest.mark.gl
def test_an_image_may_be_cut_out_here_and_blended_there(ctx) -> None:
    scene = SceneBuilder()
    image = with_holes(leads(16, 2))
    scene.image(0x3000, 64, 64, image.tobytes())
    for surface, flags in ((SURFACE, CLIP_MAP), (SURFACE + 1, IMAGE | ALPHA)):
        scene.put("surface", surface, Surface(flags, 0x05003000, 0))
    textures = TextureStore(ctx)
    library = SurfaceLibrary(scene.source, textures, Problems())
    cut, blended = library.material(SURFACE), library.material(SURFACE + 1)
    assert (cut.render_class, blended.render_class) == (RenderClass.CUTOUT, RenderClass.BLEND)
    assert textures.pages[cut.page].cut_out and not textures.pages[blended.page].cut_out


@pytest.mark.gl
@pytest.mark.parametrize("size", [(64, 32), (26, 10), (1, 64), (3, 4)])
def test_the_arrays_of_cut_outs_end_with_their_last_level(ctx, size: tuple[int, int]) -> None:
    raw = RawGl(ctx)
    levels = cut_out_levels(with_holes(np.ones(size, bool)))
    array = ArrayTexture(ctx, raw, size=(size[1], size[0]), layers=2, fewest=FEWEST_TEXELS)
    array.write(1, levels)
    assert raw.errors() == []
    assert array.bytes_held == 2 * sum(level.nbytes for level in levels)
    array.release()


def test_the_levels_of_an_image_are_these_bytes():
    x, y = np.meshgrid(np.arange(96), np.arange(64))
    image = np.stack((x * 5 + y * 3, x * y, x ^ y, (x * x + 3 * y * y) // 7), axis=-1).astype(np.uint8)
    levels = cut_out_levels(image)
    assert [level.shape[:2] for level in levels] == [(64, 96), (32, 48), (16, 24), (8, 12), (4, 6)]
    assert sha256(b"".join(level.tobytes() for level in levels)).hexdigest()[:16] == "5297255356e14751"
