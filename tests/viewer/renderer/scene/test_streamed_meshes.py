"""Meshes made on another thread and uploaded bit by bit give the same pictures (passes 9.3)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from engine.physics.simulation.simulation import Simulation
from engine.visibility.camera import Camera
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import PictureView
from engine.world.box import Box
from engine.world.cells import Landblock, PlacedObject
from engine.world.frame import Frame
from engine.world.loading.builders import ThreadBuilder
from engine.world.loading.process_builder import Site
from engine.world.loading.streaming import Streamer
from engine.world.loading.world import World
from engine.world.sources.open_source import SourceArguments, demo_source
from tests.places import DEMO
from tests.viewer.renderer.flat_shapes import quad
from tests.viewer.renderer.memory_source import BLOCK, OUTDOORS
from tests.viewer.renderer.render_stage import library_of
from tests.viewer.renderer.scene_builder import SceneBuilder
from viewer.picture.eye_line import eye_line, see
from viewer.places import put
from viewer.renderer.images.textures import TextureStore
from viewer.renderer.renderer import Renderer
from viewer.renderer.scene import block_meshes, scene_store
from viewer.renderer.scene.block_maker import BlockMaker
from viewer.renderer.scene.block_meshes import BlockMeshes
from viewer.renderer.scene.entities import SceneObjects
from viewer.renderer.scene.matrices import EyeSpace
from viewer.renderer.scene.mesh_buffer import MeshGroup
from viewer.renderer.scene.sight import Sight
from viewer.renderer.scene.terrain_mesh import BLOCK_VERTICES

if TYPE_CHECKING:
    import moderngl

pytestmark = pytest.mark.gl

SIZE = (96, 54)
PLACES = (
    "0xA9B40031 [155.4 18.2 94.0] 0 0 0 1",
    "0xA9B40170 [155.4 15.2 94.0] 0 0 0 1",
    "0xA9B40029 [140.0 20.0 94.0] 0.7 0 0 0.714",
)


def seen_from(simulation: Simulation, place: str, yaw: float | None = None) -> PictureView:
    put(simulation, place)
    index, body = OpeningIndex(), simulation.body
    camera = Camera(body.position.frame.heading() if yaw is None else yaw, 0.0, third_person=False)
    line = eye_line(simulation.world, index, body, drawn=simulation.drawn(), camera=camera)
    look = (camera.yaw, camera.pitch)
    return see(simulation.world, index, body.position.cell_id, line, look=look, size=SIZE)


def pictures(renderer: Renderer, simulation: Simulation) -> list[np.ndarray]:
    out = []
    for place in PLACES:
        renderer.draw(seen_from(simulation, place), SceneObjects())
        assert renderer.gl_errors() == []
        out.append(renderer.read_rgba().copy())
    return out


@pytest.mark.parametrize(
    "site", [None, Site(SourceArguments(demo=DEMO), BlockMaker)], ids=["thread", "process"]
)
def test_streamed_landblocks_look_like_those_that_were_loaded_at_once(
    ctx: moderngl.Context, site: Site | None
) -> None:
    plain = Simulation(World(demo_source(DEMO)))
    wanted = pictures(Renderer(ctx, plain.world, *SIZE), plain)
    world = World(demo_source(DEMO))
    stream = Streamer(world, radius=1, site=site)
    simulation = Simulation(world, residency=stream)
    renderer = Renderer(ctx, world, *SIZE)
    scene = renderer.scene
    scene.follow(stream)
    stream.start()
    try:
        end = time.perf_counter() + 60.0
        while not stream.approach(0xA9B40031):
            stream.pump()
            assert time.perf_counter() < end
        assert world.blocks[0xA9B40000].env_cells
        assert scene._made[0xA9B40000][1].vao is not None  # up before it was loaded
        models = {thing.model_id for thing in world.blocks[0xA9B40000].entities}
        parts = {part for model_id in models for part, _, _ in scene._library.parts_of(model_id)}
        assert parts and parts <= set(scene.entities._parts)  # and no frame makes what moves there
        found = pictures(renderer, simulation)
        assert scene._made == {}
        assert isinstance(stream._builder, ThreadBuilder) == (site is None)
    finally:
        stream.close()
    for a, b in zip(wanted, found, strict=True):
        assert np.abs(a.astype(int) - b.astype(int)).max() <= 2


def test_landblocks_are_made_ready_as_they_come_into_sight_and_none_is_missed(
    ctx: moderngl.Context,
) -> None:
    simulation = Simulation(World(demo_source(DEMO)))
    put(simulation, PLACES[0])
    whole, lazy = (Renderer(ctx, simulation.world, *SIZE) for _ in range(2))
    whole.scene.update(0xA9B40001)
    ready = [len(whole.scene.blocks())]
    for place in (PLACES[1], *PLACES):
        ready.append(0)
        for turn in range(4):
            picture = seen_from(simulation, place, 90.0 * turn)
            seen = []
            for renderer in (whole, lazy):
                renderer.draw(picture, SceneObjects())
                seen.append(renderer.read_rgba().copy())
            assert (seen[0] == seen[1]).all()
        ready[-1] = len(lazy.scene.blocks())
    assert ready[1] < ready[0] == ready[-1] == len(simulation.world.blocks)


def test_a_first_picture_takes_what_it_shows_and_the_next_place_all_the_rest(ctx: moderngl.Context) -> None:
    simulation = Simulation(World(demo_source(DEMO)))
    put(simulation, PLACES[0])
    whole = Renderer(ctx, simulation.world, *SIZE)
    whole.scene.update(0xA9B40001)
    left_out = []
    for place in PLACES:
        first = Renderer(ctx, simulation.world, *SIZE)
        for cell_place, yaw in ((place, 0.0), (place, 180.0), (PLACES[0], 90.0), (PLACES[1], 270.0)):
            picture = seen_from(simulation, cell_place, yaw)
            for renderer in (whole, first):
                renderer.draw(picture, SceneObjects())
            assert (whole.read_rgba() == first.read_rgba()).all()
            village = first.scene.block(0xA9B40000)
            left_out.append(village is not None and village.lacks(None))
        assert not left_out[-1]
    assert left_out[0 :: len(left_out) // len(PLACES)] == [True] * len(PLACES)


class OneRoom:
    """A sight of one room, and of all that is outdoors or of nothing there."""

    def __init__(self, room: int, *, outdoors: bool) -> None:
        self.rooms = {room}
        self._outdoors = outdoors

    def sees_each(self, _: int, centers: np.ndarray, __: np.ndarray) -> np.ndarray:
        return np.full(len(centers), self._outdoors)


def test_a_landblock_is_drawn_up_to_so_many_corners_and_the_rest_is_told(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """2,700 rooms of one structure with 12,000 corners took 4.5 GB."""
    world = World(demo_source(DEMO))
    block = world.load_block(0xA9B40000)
    assert block is not None
    library = library_of(world, TextureStore(ctx))
    monkeypatch.setattr(block_meshes, "MOST_VERTICES", 3000)
    found = BlockMeshes(block, world.source, library)
    drawn = [cell_id for cell_id, group in found.cells.items() if group.opaque]
    assert 0 < len(drawn) < len(block.env_cells)
    (told,) = [line for line in library.problems.lines if "is drawn of it" in line]
    assert "object 0xA9B4FFFE: what is drawn of it has over 3000 corners: " in told


def test_all_landblocks_together_are_drawn_up_to_so_many_corners(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thirty landblocks of a few kilobytes, each with as much as one may have, took 6.4 GB."""
    monkeypatch.setattr(scene_store, "MOST_VERTICES_OF_ALL", 3000)
    world = World(demo_source(DEMO))
    scene = Renderer(ctx, world, *SIZE).scene
    for block_id in (0xA9B40000, 0xA9B30000):
        assert world.load_block(block_id) is not None
    scene.update(0xA9B40031)
    assert 0 < sum(meshes.count for meshes in scene.blocks()) <= 3000
    told = [line for line in world.problems.lines if "is drawn of all landblocks" in line]
    assert len(told) == len(scene.blocks()) == 2


def test_what_stands_in_rooms_left_out_is_there_where_it_reaches_into_others_and_outdoors(
    ctx: moderngl.Context,
) -> None:
    world = World(demo_source(DEMO))
    block = world.load_block(0xA9B40000)
    assert block is not None
    library = library_of(world, TextureStore(ctx))
    whole = BlockMeshes(block, world.source, library)

    def corners(group: MeshGroup) -> int:
        return sum(part.size for part in group.opaque)

    for room in list(block.env_cells)[::8]:
        sight: Any = OneRoom(room, outdoors=True)
        found = BlockMeshes(block, world.source, library, only=sight)
        assert list(found.cells) == [room]
        assert corners(found.cells[room]) == corners(whole.cells[room])
        assert len(found.shared_in.get(room, ())) == len(whole.shared_in.get(room, ()))
        for name in ("reaching", "outdoor", "all_shells"):
            assert corners(getattr(found, name)) == corners(getattr(whole, name))
        assert found.lacks(None) and not found.lacks(sight)
    sight = OneRoom(room, outdoors=False)
    found = BlockMeshes(block, world.source, library, only=sight)
    assert corners(found.outdoor) == corners(found.all_shells) == 0
    assert found.lacks(OneRoom(room, outdoors=True)) and not found.lacks(sight)
    assert not whole.lacks(None)


def test_the_ground_of_the_horizon_is_drawn(ctx: moderngl.Context) -> None:
    world = World(demo_source(DEMO))
    renderer = Renderer(ctx, world, *SIZE)
    scene = renderer.scene
    world.load_block(0xA9B40000)
    scene.update(0xA9B40001)
    assert scene.terrain.vertices == BLOCK_VERTICES
    for block_id in (0xA9B50000, 0xA9B60000):
        ground = world.build_ground(block_id)
        assert ground is not None
        scene.prepare(ground)
        assert scene.stage(ground, time.perf_counter() + 1.0)
        world.show_horizon(ground)
    scene.update(0xA9B40001)
    assert scene.terrain.vertices == 3 * BLOCK_VERTICES
    world.load_block(0xA9B50000)  # whole now: its ground is drawn once
    scene.update(0xA9B40001)
    assert scene.terrain.vertices == 3 * BLOCK_VERTICES
    world.unload_block(0xA9B50000, keep_ground=True)
    world.forget_horizon(0xA9B60000)
    scene.update(0xA9B40001)
    assert scene.terrain.vertices == 2 * BLOCK_VERTICES
    assert sorted(block.block_id for block in scene.blocks()) == [0xA9B40000]


def test_ground_out_of_sight_is_made_when_it_comes_into_sight(ctx: moderngl.Context) -> None:
    simulation = Simulation(World(demo_source(DEMO)))
    renderer = Renderer(ctx, simulation.world, *SIZE)
    renderer.draw(seen_from(simulation, "0xA9B40031 [160 12 94]", 0.0), SceneObjects())
    blocks, north = len(simulation.world.blocks), renderer.scene.terrain.vertices
    assert 0 < north < blocks * BLOCK_VERTICES
    renderer.draw(seen_from(simulation, "0xA9B40031 [160 12 94]", 180.0), SceneObjects())
    both = renderer.scene.terrain.vertices
    assert north < both <= blocks * BLOCK_VERTICES
    south = renderer.read_rgba().copy()
    other = Renderer(ctx, simulation.world, *SIZE)
    other.scene.update(0xA9B40031)  # without a sight all of it
    assert other.scene.terrain.vertices == blocks * BLOCK_VERTICES
    other.draw(seen_from(simulation, "0xA9B40031 [160 12 94]", 180.0), SceneObjects())
    assert (other.read_rgba() == south).all()


@pytest.mark.parametrize("place", PLACES)
def test_a_box_is_in_sight_as_far_as_anything_in_it_is(place: str) -> None:
    simulation = Simulation(World(demo_source(DEMO)))
    picture = seen_from(simulation, place)
    sight = Sight(picture, EyeSpace(picture.view, picture.root))
    random = np.random.default_rng(8)
    answers = []
    for _ in range(300):
        block = 0xA9B40000 + (int(random.integers(-1, 2)) << 24) + (int(random.integers(-1, 2)) << 16)
        corner, size = random.uniform(0.0, 192.0, 3), random.uniform(0.0, 60.0, 3)
        points = corner + np.concatenate([[[0, 0, 0], [1, 1, 1]], random.random((60, 3))]) * size
        box = Box()
        for point in points[:2]:
            box.take((float(point[0]), float(point[1]), float(point[2])), 0.0)
        answers.append(sight.sees_box(block, box))
        radius = float(np.linalg.norm(size)) / 2.0
        around = sight.sees_each(block, points[:2].mean(axis=0)[None], np.array([radius + 0.1]))
        inside = sight.sees_each(block, points, np.zeros(len(points)))
        assert inside.any() <= answers[-1] <= around[0]
    assert any(answers) is picture.outside_visible
    assert not all(answers)


def test_what_was_prepared_in_vain_is_given_back(ctx: moderngl.Context) -> None:
    world = World(demo_source(DEMO))
    scene = Renderer(ctx, world, *SIZE).scene
    block = world.build_block(0xA9B30000)
    assert block is not None
    scene.prepare(block)
    assert scene.stage(block, time.perf_counter() + 60.0)
    scene.discard(block)
    assert scene._made == scene.terrain._made == {}


def test_a_scaled_static_is_drawn_at_its_size(ctx: moderngl.Context) -> None:
    scene = SceneBuilder()
    model = scene.gfx_obj([(quad(1.0, -1, 1, z0=-1, z1=1), "shell")])
    world = scene.world()
    library = library_of(world, TextureStore(ctx))

    def outdoors(scale: float) -> tuple[tuple[float, float, float], float]:
        block = Landblock(BLOCK)
        block.statics.append(
            PlacedObject(
                object_id=1, model_id=model, cell_id=OUTDOORS, frame=Frame((84.0, 84.0, 20.0)), scale=scale
            )
        )
        group = BlockMeshes(block, world.source, library).outdoor
        return group.center, group.radius

    (x, y, z), radius = outdoors(1.0)
    assert (x, y, z) == pytest.approx((84.0, 85.0, 20.0))
    center, grown = outdoors(3.0)
    assert center == pytest.approx((84.0, 87.0, 20.0))
    assert grown == pytest.approx(3.0 * radius)
