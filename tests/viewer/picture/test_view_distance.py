"""How far ground and objects reach: what is loaded for a picture, and that fog hides the end of it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from threading import get_ident
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from engine.dat.records.land_block import LandBlock
from engine.dat.records.land_block_info import LandBlockInfo, Stab
from engine.dat.records.region_sky import DayGroup, SkyDesc, SkyTimeOfDay
from engine.dat.values import StoredFrame
from engine.physics.enums import TICK
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.simulation import Simulation
from engine.visibility.picture_view import PictureView, build_view
from engine.visibility.view import View, vertical_fov
from engine.world.loading.outlines import Outlines
from engine.world.loading.streaming import Streamer
from engine.world.loading.world import World
from tests.viewer.renderer.flat_shapes import quad
from tests.viewer.renderer.scene_builder import SceneBuilder
from viewer.commands.walk import settings_over
from viewer.main import main
from viewer.picture.horizon import load_in_sight, show_horizon, view_distance
from viewer.places import put
from viewer.renderer.render_options import RenderOptions
from viewer.renderer.renderer import Renderer
from viewer.renderer.scene.entities import SceneObjects
from viewer.tables.arguments import parse
from viewer.user_error import UserError
from viewer.window.walking.walk import Walk

if TYPE_CHECKING:
    import moderngl

HOME = 0x80800000
SIZE = (160, 90)
REACH = 3
TIME = SkyTimeOfDay(
    begin=0.0,
    dir_bright=0.8,
    dir_heading=180.0,
    dir_pitch=70.0,
    dir_color=0xFFFFFFFF,
    amb_bright=0.45,
    amb_color=0xFFFFFFFF,
    fog_min=150.0,
    fog_max=2400.0,
    fog_color=0xFF808080,
    fog_mode=1,
)


def boards(*, rough: bool) -> SceneBuilder:
    """A square of landblocks with a pair of crossed boards each, on flat ground or anywhere up to 400 m."""
    scene = SceneBuilder(HOME)
    scene.source.heights[:] = [2.0 * i for i in range(256)]
    scene.source.sky = SkyDesc(1.0, 1.0, (DayGroup(1.0, "", (), (TIME,)),))
    tall = quad(0.0, -5.0, 5.0, z0=0.0, z1=12.0)
    model = scene.gfx_obj([(tall, "shell"), ([(y, x, z) for x, y, z in tall], "leaf")], sides=1)
    random = np.random.default_rng(4)
    for x in range(-REACH - 1, REACH + 2):
        for y in range(-REACH - 1, REACH + 2):
            block = HOME + (x << 24) + (y << 16)
            level = int(random.integers(0, 200)) if rough and (x, y) != (0, 0) else 10
            at = StoredFrame((96.0, 96.0, 2.0 * level), (1.0, 0.0, 0.0, 0.0))
            scene.put("land_block", block, LandBlock(block | 0xFFFF, 1, (0,) * 81, (level,) * 81))
            scene.put(
                "land_block_info",
                block,
                LandBlockInfo(
                    id=block | 0xFFFE, num_cells=0, objects=(Stab(model, at),), mask=0, buildings=()
                ),
            )
    return scene


def seen(
    world: World, eye: tuple[float, float, float], yaw: float, pitch: float, *, body: int
) -> PictureView:
    width, height = SIZE
    view = View.from_angles(eye, yaw, pitch, fov_y=vertical_fov(16.0 / 9.0), width=width, height=height)
    picture = build_view(world, HOME | 1, foot=eye, pivot=eye, eye=eye, view=view)
    return picture._replace(body_cell=body)


def drawn(ctx: moderngl.Context, world: World, picture: PictureView, **options: object) -> np.ndarray:
    renderer = Renderer(ctx, world, *SIZE)
    renderer.draw(picture, SceneObjects(), RenderOptions(sentinel=True, **options))  # type: ignore[arg-type]
    assert renderer.gl_errors() == []
    assert renderer.stats.sentinel == 0
    return renderer.read_rgba()[..., :3].astype(int)


@pytest.mark.gl
@pytest.mark.parametrize(
    "yaw, pitch", [(0.0, 0.0), (50.0, 10.0), (140.0, 35.0), (215.0, -20.0), (300.0, 60.0)]
)
def test_what_is_loaded_for_a_picture_is_all_that_it_shows(
    ctx: moderngl.Context, yaw: float, pitch: float
) -> None:
    scene = boards(rough=True)
    eye = (90.0, 60.0, 60.0)
    whole = World(scene.world().source)
    whole.load_around(HOME, REACH)
    everything = drawn(ctx, whole, seen(whole, eye, yaw, pitch, body=HOME | 1), fog=False)
    some = World(whole.source)
    some.load_around(HOME, 1)
    assert load_in_sight(some, seen(some, eye, yaw, pitch, body=HOME | 1), REACH)
    assert not load_in_sight(some, seen(some, eye, yaw, pitch, body=HOME | 1), REACH)
    show_horizon(some, HOME | 1, REACH)
    assert len(some.blocks) < len(whole.blocks) - 5
    assert len(some.blocks) + len(some.horizon) == len(whole.blocks)
    assert (drawn(ctx, some, seen(some, eye, yaw, pitch, body=HOME | 1), fog=False) == everything).all()


@pytest.mark.gl
@pytest.mark.parametrize(
    "yaw, pitch", [(0.0, 0.0), (50.0, 10.0), (215.0, -20.0), (300.0, 60.0), (30.0, -89.0)]
)
def test_what_is_loaded_by_outlines_is_all_that_shows_and_few_of_the_neighbours(
    ctx: moderngl.Context, yaw: float, pitch: float
) -> None:
    scene = boards(rough=True)
    eye = (90.0, 60.0, 60.0)
    whole = World(scene.world().source)
    whole.load_around(HOME, REACH)
    everything = drawn(ctx, whole, seen(whole, eye, yaw, pitch, body=HOME | 1), fog=False)
    some, usual = World(whole.source), World(whole.source)
    outlines = Outlines(some)
    some.load_block(HOME)
    load_in_sight(some, seen(some, eye, yaw, pitch, body=HOME | 1), REACH, outlines)
    assert not load_in_sight(some, seen(some, eye, yaw, pitch, body=HOME | 1), REACH, outlines)
    usual.load_around(HOME, 1)
    load_in_sight(usual, seen(usual, eye, yaw, pitch, body=HOME | 1), REACH)
    assert set(some.blocks) < set(usual.blocks)
    show_horizon(some, HOME | 1, REACH)
    assert (drawn(ctx, some, seen(some, eye, yaw, pitch, body=HOME | 1), fog=False) == everything).all()


@pytest.mark.gl
def test_nothing_pops_up_when_a_border_is_crossed(ctx: moderngl.Context) -> None:
    source = boards(rough=False).world().source
    eye = (96.0, 191.99, 22.0)

    def both_sides(objects: int, *, fog: bool = True) -> int:
        """How much a pixel differs at the most between the last step before a border and the first after."""
        pictures = []
        for body in (HOME | 1, (HOME + 0x10000) | 1):
            world = World(source)
            world.load_around(HOME, 1)
            picture = seen(world, eye, 0.0, 0.0, body=body)
            world.load_around(body, 1)
            load_in_sight(world, picture, objects)
            show_horizon(world, body, REACH)
            pictures.append(drawn(ctx, world, picture, fog=fog, view_distance=view_distance(REACH)))
        return int(np.abs(pictures[0] - pictures[1]).max())

    assert both_sides(REACH) <= 2
    assert both_sides(REACH, fog=False) > 40
    assert both_sides(1) > 40


@pytest.mark.gl
def test_objects_reach_as_far_as_they_are_told_and_no_farther_than_the_ground(tmp_path: Path) -> None:
    def picture(*words: str) -> np.ndarray:
        path = tmp_path / "p.png"
        place = "0xA9B60031 [150.0 40.0 120.0] 0 0 0 1"
        line = ["render", "--demo", "--at", place, "--size", "160x90", "--eye", "150,40,160", *words]
        assert main([*line, "--out", str(path)]) == 0
        return np.asarray(Image.open(path).convert("RGB"), int)

    far = picture()
    assert (picture("--objects", "5") == far).all()
    near = picture("--objects", "1")
    assert (np.abs(near - far).max(axis=-1) > 20).sum() > 20
    close = picture("--radius", "1")
    assert (picture("--radius", "1", "--objects", "1") == close).all()


def test_both_reach_as_far_as_the_games_own_unless_told(tmp_path: Path) -> None:
    for name in ("walk", "tour", "render"):
        words = ["--at", "0xA9B40001", "--out", "x.png"] if name == "render" else []
        _, args = parse([name, *words])
        if name == "walk":
            settings_over(args, tmp_path)
        assert (args.radius, args.objects) == (5, 5)
        _, args = parse([name, *words, "--radius", "8", "--objects", "3"])
        assert (args.radius, args.objects) == (8, 3)
    with pytest.raises(UserError, match="--radius"):
        parse(["walk", "--radius", "27"])
    assert view_distance(5) == 960.0


@pytest.mark.gl
def test_a_walk_shows_at_once_more_or_less_of_the_land(ctx: moderngl.Context) -> None:
    world = World(boards(rough=False).world().source)
    with closing(Streamer(world, 1, 1)) as streamer:
        simulation = Simulation(world, residency=streamer)
        put(simulation, f"0x{HOME | 1:08X} [4 4 22] 1 0 0 0")
        renderer = Renderer(ctx, world, *SIZE)
        renderer.scene.follow(streamer)
        streamer.start()
        walk = Walk(simulation)
        walk.distances = {"radius": 1, "objects": 1}

        def shown(**changed: int) -> tuple[int, int, int]:
            """Landblocks, ground, triangles in the picture once all has come and gone that is to."""
            here = get_ident()
            for name, landblocks in changed.items():
                walk.set_distance(name, landblocks)
            builders = [here]
            streamer.builders.append(lambda block: builders.append(get_ident()))
            while streamer.busy or _steps_on(walk, world) > max(1, walk.distances["objects"]):
                before = len(world.blocks)
                walk.advance(TICK, MovementInput())
                assert len(world.blocks) >= before - 1
            assert builders.count(here) == 1  # the walk's own thread builds nothing
            for _ in range(3):  # ground goes 32 landblocks a tick
                walk.advance(TICK, MovementInput())
            reach = view_distance(walk.report().distances["radius"])
            stats = renderer.draw(
                walk.look_out(SIZE, TICK), SceneObjects(), RenderOptions(view_distance=reach, fog=False)
            )
            return len(world.blocks), len(world.horizon), stats.triangles

        near, whole, ground, less = (
            shown(), shown(radius=3, objects=3), shown(objects=1), shown(radius=1)
        )  # fmt: skip
        assert [row[:2] for row in (near, whole, ground, less)] == [(9, 0), (49, 0), (9, 40), (9, 0)]
        assert whole[2] > ground[2] >= near[2] == less[2]


def _steps_on(walk: Walk, world: World) -> int:
    """How many landblocks the farthest of the loaded is from the body's."""
    x, y = walk.simulation.position.cell_id >> 24, walk.simulation.position.cell_id >> 16 & 0xFF
    return max(max(abs((b >> 24) - x), abs((b >> 16 & 0xFF) - y)) for b in world.blocks)
