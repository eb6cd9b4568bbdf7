"""Textures that merge on the ground: T5 and T6 of surfaces 11.5, masks, their polarity and rotation."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest

from engine.dat.records.land_block import LandBlock
from engine.dat.records.region_terrain import TerrainAlphaMap, TerrainTex, TexMerge
from engine.dat.records.render_surface import PixelFormat, RenderSurface
from engine.dat.records.surface_texture import SurfaceTexture
from engine.world.loading.texmerge import ROAD_TYPE, CellGround, MaskedLayer
from engine.world.source import Problems
from tests.viewer.renderer.memory_source import BLOCK, LOW, MIDDLE
from tests.viewer.renderer.render_stage import Stage
from tests.viewer.renderer.scene_builder import SceneBuilder
from viewer.renderer.images.ground_textures import GroundTextures
from viewer.renderer.scene.terrain_drawer import Terrain
from viewer.renderer.scene.terrain_mesh import TERRAIN_VERTEX, pack

GROUNDS = {0: (200, 40, 40), 1: (40, 200, 40), 2: (40, 40, 200), 3: (200, 200, 40), 4: (40, 200, 200)}
ROAD = (120, 120, 120)
SIDE = 32


def mask_image(scene: SceneBuilder, number: int, pixels: np.ndarray) -> TerrainAlphaMap:
    """Store a mask of alpha bytes; its code is for the caller to set."""
    data = np.ascontiguousarray(pixels, np.uint8).tobytes()
    record = RenderSurface(
        id=0x06000000 | number,
        category=0,
        width=pixels.shape[1],
        height=pixels.shape[0],
        format=PixelFormat.CUSTOM_LSCAPE_ALPHA,
        data=data,
    )
    scene.put("render_surface", record.id, record)
    scene.put("surface_texture", 0x05000000 | number, SurfaceTexture(0x05000000 | number, 0, 2, (record.id,)))
    return TerrainAlphaMap(0, 0x05000000 | number)


def quadrants(*places: str) -> np.ndarray:
    """A mask that shows its layer (0) in some of the quadrants nw, ne, sw, se and keeps the rest (255)."""
    out = np.full((SIDE, SIDE), 255, np.uint8)
    for place in places:
        rows = slice(0, SIDE // 2) if place[0] == "n" else slice(SIDE // 2, SIDE)
        columns = slice(0, SIDE // 2) if place[1] == "w" else slice(SIDE // 2, SIDE)
        out[rows, columns] = 0
    return out


def with_grounds(scene: SceneBuilder, corner: list, side: list, road: list) -> SceneBuilder:
    """A region with five flat grounds, a road, and masks given as (code, pixels)."""
    textures = []
    for kind, rgb in (*GROUNDS.items(), (ROAD_TYPE, ROAD)):
        texture = scene.color(rgb)
        scene.put("terrain", texture, None)
        textures.append(TerrainTex(kind, 0x05000000 | texture & 0xFFFF, 1, *(0,) * 8))
    numbers = count(0x7001)
    maps = [
        tuple(mask_image(scene, next(numbers), p)._replace(code=code) for code, p in masks)
        for masks in (corner, side, road)
    ]
    scene.source.tex_merge = TexMerge(256, *maps, tuple(textures))  # type: ignore[call-arg]
    return scene


def with_words(scene: SceneBuilder, words: dict[int, tuple[int, ...]]) -> SceneBuilder:
    """Flat ground with these terrain words by block id."""
    for block, terrain in words.items():
        scene.put("land_block", block, LandBlock(block | 0xFFFF, 1, terrain, (1,) * 81))
    return scene


@pytest.mark.gl
def test_every_corner_shows_its_own_ground_or_road(ctx):
    scene = with_grounds(
        SceneBuilder().ground(0.0),
        corner=[(8, quadrants("nw")), (1, quadrants("sw")), (2, quadrants("se"))],
        side=[(9, quadrants("nw", "sw")), (12, quadrants("nw", "ne"))],
        road=[(8, quadrants("nw")), (9, quadrants("nw", "sw")), (10, quadrants("nw", "se"))],
    )
    random = np.random.default_rng(8)
    types = random.integers(0, 5, (9, 9))
    roads = (random.random((9, 9)) < 0.3).astype(int)
    terrain = tuple(int(t) << 2 | int(r) for t, r in zip(types.ravel(), roads.ravel(), strict=True))
    stage = Stage(ctx, with_words(scene, {BLOCK: terrain}), size=512)
    height = 96.0
    picture = stage.picture(LOW, (96.0 - MIDDLE[0], 96.0 - MIDDLE[1], height), 0.0, -90.0)
    wrong = []
    for x in range(8):
        for y in range(8):
            for dx, dy in ((0, 0), (1, 0), (1, 1), (0, 1)):
                kind, road = types[x + dx, y + dy], roads[x + dx, y + dy]
                wanted = ROAD if road else GROUNDS[int(kind)]
                east, north = 24.0 * x + (5.0, 19.0)[dx], 24.0 * y + (5.0, 19.0)[dy]
                column, row = int(east / 192.0 * 512), int((192.0 - north) / 192.0 * 512)
                if np.abs(picture[row, column].astype(int) - wanted).max() > 2:
                    wrong.append((x, y, dx, dy))
    assert wrong == []


@pytest.mark.gl
def test_later_layers_cover_earlier_ones_by_what_their_masks_let_through(ctx):
    keep = 102
    half = np.full((SIDE, SIDE), keep, np.uint8)
    scene = with_grounds(SceneBuilder().ground(0.0), [(8, half)], [(9, half)], [(8, half)])
    corners = {(3, 3): 0, (4, 3): 1, (4, 4): 2, (3, 4): 3}
    words = [0] * 81
    for (x, y), kind in corners.items():
        words[9 * x + y] = kind << 2 | (1 if kind == 2 else 0)
    picture = Stage(ctx, with_words(scene, {BLOCK: tuple(words)})).picture(LOW, (0.0, 0.0, 3.0), 0.0, -89.0)
    m = keep / 255.0
    expected = np.array(GROUNDS[0], float)
    for rgb in (GROUNDS[1], GROUNDS[2], GROUNDS[3], ROAD):
        expected = expected * m + np.array(rgb) * (1.0 - m)
    assert np.abs(picture[100, 100] - expected).max() <= 2.0


def random_scene() -> SceneBuilder:
    """Nine blocks of random heights, types and roads that agree on their borders."""
    ragged = np.random.default_rng(2).integers(0, 256, (SIDE, SIDE))
    scene = with_grounds(
        SceneBuilder().ground(0.0), [(8, ragged)], [(9, ragged)], [(8, ragged), (9, ragged), (10, ragged)]
    )
    random = np.random.default_rng(3)
    scene.source.heights[:] = [float(h) for h in np.linspace(0.0, 12.0, 256)]
    heights, types = random.integers(0, 255, (25, 25)), random.integers(0, 5, (25, 25))
    words = types << 2 | (random.random((25, 25)) < 0.2)
    for x in range(3):
        for y in range(3):
            block = (0xA8 + x) << 24 | (0xB3 + y) << 16
            part = np.s_[8 * x : 8 * x + 9, 8 * y : 8 * y + 9]
            terrain = tuple(int(w) for w in words[part].ravel())
            stored = tuple(int(h) for h in heights[part].ravel())
            scene.put("land_block", block, LandBlock(block | 0xFFFF, 1, terrain, stored))
    return scene


@pytest.mark.gl
def test_T6_one_draw_and_a_draw_a_block_give_the_same_picture(ctx):
    stage = Stage(ctx, random_scene())
    stage.renderer.scene.update(LOW)  # without a sight all of the ground is made
    for eye, yaw, pitch in (((0.0, 0.0, 40.0), 30.0, -30.0), ((100.0, 20.0, 30.0), 90.0, -45.5)):
        whole = stage.picture(LOW, eye, yaw, pitch, plain=False)
        draws = stage.renderer.stats.draws
        apart = stage.picture(LOW, eye, yaw, pitch, plain=False, terrain_apart=True)
        assert stage.renderer.stats.draws == draws + 8
        assert (whole == apart).all()
        assert len(np.unique(whole.reshape(-1, 3), axis=0)) > 100


@pytest.mark.gl
def test_blocks_come_and_go_without_a_trace(ctx):
    stage = Stage(ctx, random_scene())
    look = (LOW, (0.0, 0.0, 40.0), 30.0, -30.0)
    before = stage.picture(*look)
    neighbours = [b for b in stage.world.blocks if b != BLOCK]
    for block in neighbours:
        stage.world.unload_block(block)
    alone = stage.picture(*look)
    assert stage.renderer.scene.terrain.vertices == 384
    assert (alone != before).any()
    for block in reversed(neighbours):
        stage.world.load_block(block)
    assert (stage.picture(*look) == before).all()
    stage.renderer.scene.update(LOW)  # without a sight all of the ground is made
    assert stage.renderer.scene.terrain.vertices == 9 * 384


@pytest.mark.gl
def test_a_landscape_that_outgrows_its_buffer_keeps_what_is_there(ctx):
    scene = random_scene()
    stage = Stage(ctx, scene)
    look = (LOW, (0.0, 0.0, 40.0), 30.0, -30.0)
    before = stage.picture(*look)
    terrain: Terrain = stage.renderer.scene.terrain
    held = terrain.bytes_held
    for number in range(60):  # out of sight behind, and at the other end of the map
        far = (0x10 + number) << 24 | 0x10 << 16
        scene.put("land_block", far, LandBlock(far | 0xFFFF, 1, (0,) * 81, (1,) * 81))
        stage.world.show_horizon(stage.world.build_ground(far))
        stage.renderer.scene.update(BLOCK)
    assert terrain.vertices == 69 * 384
    assert terrain.bytes_held > held
    assert (stage.picture(*look) == before).all()


def test_a_vertex_has_32_bytes_with_layers_and_rotations():
    assert TERRAIN_VERTEX.itemsize == 32
    layers = [
        MaskedLayer(kind, 0, 100 + kind, turn) for kind, turn in ((1, 1), (2, 2), (3, 3), (4, 1), (5, 2))
    ]
    ground = CellGround(9, tuple(layers[:3]), tuple(layers[3:]))
    packed, turns = pack(ground, lambda kind: kind, lambda mask: mask, 255)
    assert packed == bytes((9, 0, 1, 101, 2, 102, 3, 103, 4, 104, 5, 105))
    assert turns == 1 | 2 << 2 | 3 << 4 | 1 << 6 | 2 << 8
    bare, turns = pack(CellGround(9), lambda kind: kind, lambda mask: mask, 255)
    assert bare == bytes((9, 0)) + b"\xff" * 10
    assert turns == 0


@pytest.mark.gl
def test_missing_grounds_and_masks_are_marked_and_reported_once(ctx):
    scene = with_grounds(SceneBuilder(), [(8, quadrants("nw"))], [], [])
    merge = scene.source.tex_merge
    gone = merge.terrain[1]._replace(texture=0x05007777)
    scene.source.tex_merge = merge._replace(terrain=(merge.terrain[0], gone))
    world = scene.world()
    textures = GroundTextures(ctx, world.source, world.problems, world.source.region())
    assert [textures.ground(0), textures.ground(1), textures.ground(1), textures.ground(7)] == [0, 1, 1, 0]
    assert textures.mask(0x05008888) == textures.mask(0x05008888) == 0
    textures.finish_uploads()
    assert len([line for line in world.problems.lines if "0x05007777" in line]) == 1
    assert len([line for line in world.problems.lines if "0x05008888" in line]) == 1


@pytest.mark.gl
@pytest.mark.parametrize("shape", [(0, 0), (0, SIDE), (SIDE, 0)])
def test_a_mask_and_a_ground_without_a_pixel_are_said_and_passed_over(ctx, shape):
    scene = with_grounds(SceneBuilder().ground(0.0), [], [], [])
    texture = mask_image(scene, 0x7001, np.empty(shape, np.uint8)).texture
    scene.source.tex_merge = scene.source.tex_merge._replace(terrain=(TerrainTex(0, texture, 1, *(0,) * 8),))
    problems = Problems()
    grounds = GroundTextures(ctx, scene.source, problems, scene.source.region())
    assert (grounds.mask(texture), grounds.ground(0)) == (0, 0)
    grounds.finish_uploads()
    what = f"image 0x06007001: an image of {shape[1]} by {shape[0]} pixels"
    assert problems.lines == [f"memory: mask 0x05007001: {what}", f"memory: ground 0x00: {what}"]
