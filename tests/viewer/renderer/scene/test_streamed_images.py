"""What other threads make of images and models is up when it is drawn, shared, and goes when unused."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from engine.world.cells import Landblock
from engine.world.loading.world import World
from engine.world.sources.open_source import demo_source
from tests.places import DEMO
from tests.viewer.renderer.flat_shapes import quad
from tests.viewer.renderer.render_stage import first_level, library_of
from tests.viewer.renderer.scene_builder import SceneBuilder
from viewer.renderer.images.materials import Material
from viewer.renderer.images.textures import TextureStore
from viewer.renderer.scene import block_maker
from viewer.renderer.scene.block_maker import BlockMaker, ImageLedger, NewPage, OldPage
from viewer.renderer.scene.block_meshes import BlockMeshes

if TYPE_CHECKING:
    import moderngl

pytestmark = pytest.mark.gl


def on_a_thread(work: Callable[[], object]) -> None:
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def image(shade: int, size: int = 4) -> np.ndarray:
    return np.full((size, size, 4), shade, np.uint8)


def texels(store: TextureStore, page: int, layer: int) -> int:
    array = store.pages[page].array
    assert array is not None
    (width, height), layers = store.pages[page].size, store.pages[page].layers
    data = first_level(array, (layers, height, width))
    return int(data[layer].max())


def test_images_of_the_contexts_own_thread_go_up_at_once_those_of_others_wait(ctx: moderngl.Context) -> None:
    store = TextureStore(ctx)
    page, layer = store.add(image(50))
    assert texels(store, page, layer) == 50
    late: list[tuple[int, int]] = []
    on_a_thread(lambda: late.extend(store.add(image(60 + n)) for n in range(3)))
    assert late == [(page, layer + 1 + n) for n in range(3)]
    assert texels(store, *late[0]) != 60
    assert not store.upload_queued(time.perf_counter() - 1.0)  # one goes up in any case
    assert texels(store, *late[0]) == 60
    assert texels(store, *late[1]) != 61
    assert store.upload_queued()
    assert [texels(store, *place) for place in late] == [60, 61, 62]


def test_a_sampler_is_bound_where_another_one_was_and_only_there(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that repeats, one that doesn't, one of cut-outs: a wrong sampler shows at edges and far away."""
    store = TextureStore(ctx)
    plain, other = store.add(image(50))[0], store.add(np.zeros((4, 8, 4), np.uint8))[0]
    holes = store.add(image(70), cut_out=True)[0]
    used: list[tuple[bool, bool]] = []
    watched = {key: SimpleNamespace(use=lambda unit, key=key: used.append(key)) for key in store._samplers}
    monkeypatch.setattr(store, "_samplers", watched)
    bound: tuple[bool, bool] | None = None
    for page, wrap in ((plain, True), (other, True), (other, False), (holes, False), (holes, False)):
        bound = store.bind(page, wrap=wrap, bound=bound)
        assert bound == (wrap, page == holes)
        assert used[-1] == bound
    assert used == [(True, False), (False, False), (False, True)]
    store.bind(holes, wrap=False)
    assert len(used) == 4  # where nothing is known it is bound


def test_what_another_thread_made_is_up_when_the_contexts_thread_asks_for_it(ctx: moderngl.Context) -> None:
    scene = SceneBuilder()
    model = scene.gfx_obj([(quad(1.0, -1, 1, z0=-1, z1=1), "shell")])
    world = scene.world()
    store = TextureStore(ctx)
    library = library_of(world, store)
    on_a_thread(lambda: library.part(model))
    assert store._queue
    (chunk,) = library.part(model)
    assert not store._queue
    assert texels(store, chunk.batch.page, int(chunk.vertices["layer"][0])) > 0


def test_threads_that_make_the_same_share_it(ctx: moderngl.Context) -> None:
    world = World(demo_source(DEMO))
    store = TextureStore(ctx)
    library = library_of(world, store)
    block = world.build_block(0xA9B40000)
    assert block is not None
    made: list[BlockMeshes] = []
    threads = [
        threading.Thread(target=lambda: made.append(BlockMeshes(block, world.source, library))) for _ in "ab"
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.upload_queued()
    assert made[0].cells.keys() == made[1].cells.keys()
    for cell_id, group in made[0].cells.items():
        assert [r.size for r in group.opaque] == [r.size for r in made[1].cells[cell_id].opaque]


def test_parts_and_shells_that_nobody_uses_are_forgotten_with_their_materials(ctx: moderngl.Context) -> None:
    world = World(demo_source(DEMO))
    library = library_of(world, TextureStore(ctx))
    village, north = world.build_block(0xA9B40000), world.build_block(0xA9B50000)
    assert village is not None and north is not None

    def keep(*blocks: Landblock) -> set[Material]:
        models = {thing.model_id for block in blocks for thing in (*block.statics, *block.buildings)}  # type: ignore[attr-defined]
        return library.keep(models, [cell for block in blocks for cell in block.env_cells.values()])

    BlockMeshes(north, world.source, library)
    alone = library.size()
    few = keep(north)
    BlockMeshes(village, world.source, library)
    both = library.size()
    many = keep(village, north)
    assert library.size() == both
    assert few < many
    assert keep(north) == few
    assert library.size() == alone
    assert keep() == set()
    assert library.size() == 0
    BlockMeshes(village, world.source, library)
    BlockMeshes(north, world.source, library)
    assert library.size() == both


def test_pages_of_a_process_that_nothing_is_drawn_with_any_more_go(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(demo_source(DEMO))
    maker = BlockMaker(world)
    begun: set[int] = set()
    ended: set[int] = set()
    for number, block_id in enumerate((0xA9B40000, 0x01070000)):
        block = world.build_block(block_id)
        assert block is not None
        begun.update(made.number for made in maker.made_of(block, number) if isinstance(made, NewPage))
    monkeypatch.setattr(block_maker, "MOST_VERTICES", 0)
    ended.update(made.number for made in maker.let_go([0]) if isinstance(made, OldPage))
    assert ended < begun
    ended.update(made.number for made in maker.let_go([1]) if isinstance(made, OldPage))
    assert len(begun - ended) == 1  # the marker's
    assert len(begun) > 2


def test_a_ledger_places_images_as_the_store_does(ctx: moderngl.Context) -> None:
    store, ledger = TextureStore(ctx), ImageLedger(1000)
    for size, cut_out in ((16, False), (32, False), (16, True), *[(16, False)] * 9):
        image = np.zeros((size, size, 4), np.uint8)
        page, layer = store.add(image, cut_out=cut_out)
        assert ledger.add(image, cut_out=cut_out) == (1000 + page, layer)
    pages = [made for made in ledger.take() if isinstance(made, NewPage)]
    assert [(p.size, p.layers) for p in pages] == [(p.size, p.layers) for p in store.pages.values()]
