"""What is held on the GPU stays bounded on a long way, and nothing that was freed is drawn."""

from __future__ import annotations

import math
import threading
import time
from pathlib import Path

import moderngl
import numpy as np
import pytest

from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.land_block import LandBlock
from engine.dat.records.land_block_info import LandBlockInfo, Stab
from engine.dat.records.surface import Surface
from engine.dat.values import StoredFrame
from engine.visibility.picture_view import build_view
from engine.world.cells import PlacedObject
from engine.world.frame import Frame
from engine.world.loading.world import World
from tests.viewer.renderer.flat_shapes import quad
from tests.viewer.renderer.render_stage import context, first_level
from tests.viewer.renderer.scene_builder import SceneBuilder
from tests.visibility.view_scenes import c0
from viewer.main import main
from viewer.picture import offscreen
from viewer.renderer.images.textures import TextureStore
from viewer.renderer.renderer import Renderer
from viewer.renderer.scene.entities import DrawnObject, SceneObjects

pytestmark = pytest.mark.gl

BLOCKS = 48
SIZE = 64
TEXELS = 64
IMAGE_BYTES = 4 * sum(4**n for n in range(7))  # of 64 by 64 texels with their mip levels
STATIC, ENTITY = 0, 1
LIMIT = 24 * IMAGE_BYTES


def block_id(number: int) -> int:
    return 0x20800000 + (number << 24)


def board(scene: SceneBuilder, number: int, which: int, x: float) -> int:
    """A board with an image of its own."""
    model = scene.gfx_obj([(quad(4.0, x, x + 1.8, z0=-1.0, z1=1.0), "shell")])
    n = 0x3000 + 2 * number + which
    noise = np.random.default_rng(n).integers(0, 255, (TEXELS, TEXELS, 4), np.uint8)
    noise[..., 3] = 255
    scene.image(n, TEXELS, TEXELS, noise.tobytes())
    scene.put(
        "surface",
        0x08000000 | n,
        Surface(
            type=2,
            texture=0x05000000 | n,
            palette=0,
            color=None,
            translucency=0.0,
            luminosity=0.0,
            diffuse=1.0,
        ),
    )
    record = scene.source.records["gfx_obj", model]
    assert isinstance(record, GfxObj)
    scene.put("gfx_obj", model, record._replace(surfaces=(0x08000000 | n,)))
    return model


class Road:
    """A row of landblocks with a static and an entity each, both unlike all others, and a way along it."""

    def __init__(self, ctx: moderngl.Context, limit: float) -> None:
        scene = SceneBuilder()
        self.entities: dict[int, int] = {}
        at = StoredFrame((84.0, 84.0, 0.0), (1.0, 0.0, 0.0, 0.0))
        for number in range(BLOCKS):
            block = block_id(number)
            stab = Stab(board(scene, number, STATIC, -1.9), at)
            self.entities[number] = board(scene, number, ENTITY, 0.1)
            scene.put("land_block", block, LandBlock(block | 0xFFFF, 1, (0,) * 81, (0,) * 81))
            scene.put(
                "land_block_info",
                block,
                LandBlockInfo(id=block | 0xFFFE, num_cells=0, objects=(stab,), mask=0, buildings=()),
            )
        self.world = World(scene.source)
        self.renderer = Renderer(ctx, self.world, SIZE, SIZE)
        self.store = self.renderer.scene
        self.store.most_texture_bytes = limit  # type: ignore[assignment]
        self.store.most_vertices = 60 if limit < math.inf else limit  # type: ignore[assignment]

    def go_to(self, number: int, *, streamed: bool = False) -> np.ndarray:
        """Load a landblock and its neighbours, drop all others, and look at its boards."""
        for other in range(max(0, number - 1), min(BLOCKS, number + 2)):
            if block_id(other) not in self.world.blocks:
                self._load(other, streamed=streamed)
        for block in [b for b in self.world.blocks if abs((b - block_id(number)) >> 24) > 1]:
            self.world.unload_block(block)
        cell = block_id(number) | 28
        eye = (84.0, 84.0, 0.5)
        view = c0(eye, SIZE)
        thing = DrawnObject(
            object_id=7,
            model_id=self.entities[number],
            cell_id=cell,
            frame=Frame((84.0, 84.0, 0.0)),
            cells=(cell,),
        )
        self.renderer.draw(
            build_view(self.world, cell, foot=eye, pivot=eye, eye=eye, view=view), SceneObjects([thing])
        )
        assert self.renderer.gl_errors() == []
        return self.renderer.read_rgba().copy()

    def _load(self, number: int, *, streamed: bool) -> None:
        block = self.world.build_block(block_id(number))
        assert block is not None
        at = Frame((84.0, 84.0, 0.0))
        block.entities.append(PlacedObject(7, self.entities[number], block.id | 28, at, is_entity=True))
        if streamed:
            thread = threading.Thread(target=self.store.prepare, args=(block,))
            thread.start()
            thread.join()
            assert self.store.stage(block, time.perf_counter() + 60.0)
        self.world.attach_block(block)


@pytest.mark.parametrize("streamed", [False, True])
def test_a_long_way_and_back_holds_no_more_than_a_short_one_and_looks_the_same(
    ctx: moderngl.Context, *, streamed: bool
) -> None:
    road = Road(ctx, LIMIT)
    there = [(road.go_to(n, streamed=streamed), road.store.bytes_held) for n in range(BLOCKS)]
    back = [(road.go_to(n, streamed=streamed), road.store.bytes_held) for n in reversed(range(BLOCKS))][::-1]
    held = [size for _, size in there + back]
    # A page is filled before the next comes, so the limit is passed by no more than a page.
    ground = road.store.terrain.bytes_held
    assert max(held) - ground < 2.5 * LIMIT
    assert max(held[BLOCKS:]) <= max(held[:BLOCKS])
    assert road.store._library.size() <= 60 + 3 * 2 * 6
    for (a, _), (b, _) in zip(there, back, strict=True):
        assert (a == b).all()
    assert len({picture.tobytes() for picture, _ in there}) == BLOCKS


def test_without_limits_it_grows_and_shows_the_same(ctx: moderngl.Context) -> None:
    free, kept = Road(ctx, math.inf), Road(ctx, LIMIT)
    for n in range(BLOCKS):
        assert (free.go_to(n) == kept.go_to(n)).all()
    assert free.store.bytes_held - kept.store.bytes_held > (2 * BLOCKS - 64) * IMAGE_BYTES
    assert free.store._library.size() == BLOCKS * 2 * 4


def test_a_landblocks_vertices_go_with_it(ctx: moderngl.Context) -> None:
    road = Road(ctx, math.inf)
    road.go_to(0)
    road.store.update(block_id(0))  # the neighbour, out of sight, has waited
    meshes = road.store.blocks()
    assert [m.bytes_held > 0 for m in meshes] == [True, True]
    buffers = [buffer for m in meshes if m.vao for buffer in (m.vao.extra, m.vao.index_buffer)]
    road.go_to(10)
    assert [type(buffer.mglo).__name__ for buffer in buffers] == ["InvalidObject"] * 4
    assert [m.bytes_held for m in meshes] == [0, 0]


def test_nothing_is_freed_while_a_landblock_is_being_made(ctx: moderngl.Context) -> None:
    road = Road(ctx, 0)
    road.go_to(0)
    before = road.store.textures.bytes_held, road.store._library.size()
    with road.store._making:
        road.go_to(10)
        during = road.store._library.size()
    assert during > before[1]
    road.go_to(10)  # nothing has come or gone since: what was put off is done now
    assert road.store._library.size() < during


def test_what_is_on_its_way_keeps_its_images(ctx: moderngl.Context) -> None:
    road = Road(ctx, 0)
    wanted = road.go_to(20)
    road.go_to(0)
    block = road.world.build_block(block_id(20))
    assert block is not None
    at = Frame((84.0, 84.0, 0.0))
    block.entities.append(PlacedObject(7, road.entities[20], block.id | 28, at, is_entity=True))
    road.store.prepare(block)
    for n in (3, 6, 9):
        road.go_to(n)
    assert road.store.stage(block, time.perf_counter() + 60.0)
    road.world.attach_block(block)
    assert (road.go_to(20) == wanted).all()


# -- layers ------------------------------------------------------------------------------------------


def image(shade: int) -> np.ndarray:
    return np.full((8, 8, 4), shade, np.uint8)


def test_a_layer_that_was_given_back_is_the_next_to_be_used(ctx: moderngl.Context) -> None:
    store = TextureStore(ctx)
    places = [store.add(image(n)) for n in range(8)]
    assert len({page for page, _ in places}) == 1
    held = store.bytes_held
    store.give_back([places[3]])
    assert store.add(image(90)) == places[3]
    assert store.bytes_held == held
    other = store.add(image(91))[0]
    assert other == places[0][0] + 1
    assert store.pages[other].layers == 8


def test_pages_are_in_the_order_of_what_they_hold_whatever_came_first(ctx: moderngl.Context) -> None:
    """What is equally far is seen by that order: it must not hang on where one has been before."""
    images = [np.full((height, width, 4), 9, np.uint8) for width, height in ((16, 8), (8, 16), (8, 8))]
    orders = []
    for came in (images, images[::-1]):
        store = TextureStore(ctx)
        pages = [
            (store.add(image, cut_out=cut)[0], image.shape, cut) for image in came for cut in (True, False)
        ]
        orders.append([what for _, *what in sorted(pages, key=lambda row: row[0])])
    assert orders[0] == orders[1]


def test_a_page_without_images_is_freed_and_its_number_is_not_used_again(ctx: moderngl.Context) -> None:
    store = TextureStore(ctx)
    place = store.add(image(1))
    assert store.bytes_held > 0
    store.give_back([place])
    assert store.bytes_held == 0
    assert store.pages == {}
    assert store.add(image(2)) == (place[0] + 1, 0)


def test_an_image_that_is_given_back_before_it_is_up_never_goes_up(ctx: moderngl.Context) -> None:
    store = TextureStore(ctx)
    store.add(image(1))
    late: list[tuple[int, int]] = []
    thread = threading.Thread(target=lambda: late.append(store.add(image(2))))
    thread.start()
    thread.join()
    store.give_back(late)
    assert store.add(image(200)) == late[0]
    assert store.upload_queued()
    array = store.pages[late[0][0]].array
    assert array is not None
    data = first_level(array, (8, 8, 8))
    assert data[late[0][1]].max() == 200


@pytest.mark.parametrize("works", [True, False])
def test_a_picture_lets_go_of_what_it_was_drawn_with(
    *, works: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one that can't be written: who draws many in one process would run out of memory."""
    made: list[moderngl.Context] = []
    monkeypatch.setattr(offscreen, "create_headless", lambda _: made.append(context()) or made[-1])
    words = ["render", "--demo", "--at", "0xA9B40170 [155.4 15.2 94.0]", "--size", "64x64"]
    if not works:
        monkeypatch.setattr(offscreen, "write_picture", _refuse)
    assert main([*words, "--out", str(tmp_path / "a.png")]) == (0 if works else 2)
    assert (tmp_path / "a.png").exists() is works
    assert [isinstance(ctx.mglo, moderngl.InvalidObject) for ctx in made] == [True]


def _refuse(*_: object) -> None:
    raise OSError(28, "No space left on device", "a.png")
