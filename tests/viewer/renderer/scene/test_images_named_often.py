"""An image that many records name is decoded once for whoever asks, and little of it is kept."""

import io
from types import SimpleNamespace

import numpy as np
import PIL.Image
import pytest

from engine.dat.records.region_terrain import TerrainTex, TexMerge
from engine.dat.records.render_surface import PixelFormat, RenderSurface
from engine.dat.records.surface import ADDITIVE, ALPHA, INV_ALPHA, Surface
from engine.dat.records.surface_texture import SurfaceTexture
from engine.world.source import Problems
from tests.viewer.renderer.memory_source import MemorySource
from viewer.asking.drawn_faces import FaceStore
from viewer.asking.land_and_sky.pick_ground import GroundFinder
from viewer.asking.world_map import terrain_colors
from viewer.renderer.images import images
from viewer.renderer.images.ground_textures import GroundTextures, as_mask
from viewer.renderer.images.images import drawn_image
from viewer.renderer.images.materials import CLIP_MAP, IMAGE, opacity, render_class, vertex_factors
from viewer.renderer.images.opacity_planes import OpacityPlanes
from viewer.renderer.images.remembered import Remembered

MANY = 5
IMAGES = 0x06000000


def named_often(data: bytes, size: tuple[int, int] = (16, 16)) -> MemorySource:
    """A JPEG, textures that all name it, and additive surfaces of each."""
    source = MemorySource()
    record = RenderSurface(
        id=IMAGES, category=0, width=size[0], height=size[1], format=PixelFormat.CUSTOM_RAW_JPEG, data=data
    )
    source.records["render_surface", IMAGES] = record
    for n in range(MANY):
        source.records["surface_texture", 0x05000000 | n] = SurfaceTexture(0x05000000 | n, 0, 2, (IMAGES,))
        source.records["surface", 0x08000000 | n] = Surface(IMAGE | ADDITIVE, 0x05000000 | n, 0)
    return source


@pytest.fixture
def jpeg() -> bytes:
    out = io.BytesIO()
    PIL.Image.new("RGB", (16, 16), (90, 120, 40)).save(out, "JPEG")
    return out.getvalue()


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many bytes each JPEG had that was decoded."""
    sizes: list[int] = []
    real = images.decode_jpeg

    def counted(data: bytes):
        sizes.append(len(data))
        return real(data)

    monkeypatch.setattr(images, "decode_jpeg", counted)
    return sizes


@pytest.mark.parametrize("broken", [False, True])
def test_surfaces_of_one_image_that_a_ray_meets(jpeg, decoded, broken):
    source = named_often(jpeg[:20] if broken else jpeg)
    store = FaceStore(SimpleNamespace(source=source, problems=Problems()))
    shares = {store.paints(0x08000000 | n, (0.5, 0.5)) for n in range(MANY)}
    assert len(shares) == 1
    assert shares.pop() == (1.0 if broken else pytest.approx(120 / 255, abs=0.02))
    assert len(decoded) == 1


@pytest.mark.gl
@pytest.mark.parametrize("broken", [False, True])
def test_masks_and_grounds_of_one_image(ctx, jpeg, decoded, broken):
    source = named_often(jpeg[:20] if broken else jpeg)
    kinds = tuple(TerrainTex(n, 0x05000000 | n, n, *(0,) * 8) for n in range(MANY))
    source.tex_merge = TexMerge(base_size=256, corner=(), side=(), road=(), terrain=kinds)
    problems = Problems()
    grounds = GroundTextures(ctx, source, problems, source.region())
    for n in range(MANY):
        grounds.ground(n)
        grounds.mask(0x05000000 | n)
    assert len(decoded) == (1 if broken else 2)  # as a ground, as a mask
    assert len(problems.lines) == (2 * MANY if broken else 0)


@pytest.mark.gl
def test_a_large_ground_is_the_whole_image_made_smaller(ctx):
    out = io.BytesIO()
    PIL.Image.effect_noise((520, 16), 80).convert("RGB").save(out, "JPEG")
    source = named_often(out.getvalue(), (520, 16))
    whole = images.texture_image(source, 0x05000000)
    grounds = GroundTextures(ctx, source, Problems(), source.region())
    assert grounds.mask(0x05000000) == 0
    assert (grounds._masks._images[0][0] == images.fit(as_mask(whole), 512)[..., 3:]).all()


@pytest.mark.parametrize("broken", [False, True])
def test_masks_of_one_image_that_a_ray_meets(jpeg, decoded, broken):
    source = named_often(jpeg[:20] if broken else jpeg)
    world = SimpleNamespace(source=source, problems=Problems())
    ground = GroundFinder(world, FaceStore(world))
    shares = {ground._kept(0x05000000 | n, 1, (0.5, 0.5)) for n in range(MANY)}
    assert shares == {1.0 if broken else shares.copy().pop()}
    assert len(decoded) == 1


@pytest.mark.parametrize("broken", [False, True])
def test_the_mean_of_one_image_on_the_map(jpeg, decoded, broken):
    source = named_often(jpeg[:20] if broken else jpeg)
    kinds = tuple(TerrainTex(n, 0x05000000 | n, 1, *(0,) * 8) for n in range(MANY))
    source.tex_merge = TexMerge(base_size=256, corner=(), side=(), road=(), terrain=kinds)
    colors = terrain_colors(source, source.region())
    assert len(colors) == (2 if broken else MANY)  # the region has two types, of their own colour
    assert colors[1] == pytest.approx((0, 0, 0) if broken else (90, 120, 40), abs=3)
    assert len(decoded) == 1


@pytest.mark.parametrize(
    "kind",
    [
        IMAGE,
        IMAGE | ALPHA,
        IMAGE | INV_ALPHA,
        IMAGE | ADDITIVE,
        CLIP_MAP,
        CLIP_MAP | ADDITIVE,
        1,
        1 | ADDITIVE,
    ],
)
@pytest.mark.parametrize("translucency", [0.0, 0.25])
def test_a_texel_counts_as_it_is_drawn(kind, translucency):
    rng = np.random.default_rng(kind)
    texels = rng.integers(0, 256, (8, 4, 4), np.uint8)
    source = MemorySource()
    source.records["render_surface", IMAGES] = RenderSurface(
        id=IMAGES, category=0, width=4, height=8, format=PixelFormat.A8R8G8B8, data=texels.tobytes()
    )
    source.records["surface_texture", 0x05000000] = SurfaceTexture(0x05000000, 0, 2, (IMAGES,))
    surface = Surface(kind, 0x05000000, 0, 0x80FF4020, translucency=translucency)
    planes, image = OpacityPlanes(source), drawn_image(source, surface)
    flags = surface.drawn_type
    for row in range(8):
        for column in range(4):
            uv = ((column + 0.5) / 4 + 3, (row + 0.5) / 8 - 2)
            texel = image[row % image.shape[0], column % image.shape[1]]
            least = vertex_factors(flags, translucency, 0.0, 1.0)[3]
            alpha = 0.0 if texel[3] < least else int(texel[3]) / 255.0 * opacity(flags, translucency)
            light = float(texel[:3].max()) if render_class(flags).name == "ADD" else 255.0
            assert planes.alpha(surface, uv) == alpha
            assert planes.paints(surface, uv) == (alpha * light / 255.0 if light < 255.0 else alpha)


def test_no_more_bytes_are_kept_than_may_be():
    kept, made = Remembered[int, np.ndarray](10), []

    def asked(n: int) -> np.ndarray | None:
        def value() -> np.ndarray | None:
            made.append(n)
            return None if n == 9 else np.zeros(4, np.uint8)

        return kept.get(n, value)

    assert [asked(n) is None for n in (1, 2, 1, 3, 1, 9, 2, 9, 1)] == [False] * 5 + [True, False, True, False]
    assert made == [1, 2, 3, 9, 2]
    assert kept._bytes == 8


def test_what_is_no_jpeg_is_told_in_the_same_words_each_time() -> None:
    with pytest.raises(ValueError, match=r"^it is no JPEG$"):
        images.decode_jpeg(b"nothing")


def test_a_jpeg_of_thousands_of_scans_is_refused_before_it_is_decoded() -> None:
    """Each goes through all pixels: twelve minutes of a record of 7 kB."""
    file = io.BytesIO()
    PIL.Image.new("L", (8, 8), 200).save(file, "JPEG", progressive=True)
    data = file.getvalue()
    assert images.decode_jpeg(data).shape == (8, 8, 4)
    last = data.rindex(b"\xff\xda")
    with pytest.raises(ValueError, match="scans, more than 200"):
        images.decode_jpeg(data[:last] + 300 * data[last:-2] + data[-2:])
