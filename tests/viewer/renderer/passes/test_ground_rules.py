"""The ground a centimetre lower than physics has it (passes 3.8), and its textures' tiling (surfaces 5.4)."""

from __future__ import annotations

import numpy as np
import pytest

from engine.world.cells import Landblock
from engine.world.terrain import add_land_cells
from tests.viewer.renderer.flat_shapes import EXIT, GRASS, floor_at, quad, room
from tests.viewer.renderer.memory_source import LOW
from tests.viewer.renderer.reading import count
from tests.viewer.renderer.render_stage import Stage
from tests.viewer.renderer.scene_builder import SceneBuilder
from viewer.renderer.scene.terrain_mesh import block_vertices

GROUND = -1.5


def at_height(scene: SceneBuilder, z: float) -> SceneBuilder:
    """Ground whose height in physics is ``z``, whatever it is drawn at."""
    scene.ground(0.0)
    scene.source.heights[1] = z
    return scene


def test_terrain_is_drawn_a_centimetre_lower_and_stands_at_its_true_height():
    block = Landblock(0xA9B40000, (0,) * 81, (12.0,) * 81)
    add_land_cells(block)
    drawn = block_vertices(block, lambda pcode: (bytes(12), 0))["position"][:, 2]
    assert np.abs(drawn - (12.0 - 0.0099999998)).max() < 2e-6
    assert {v[2] for cell in block.land_cells for p in cell.polygons for v in p.vertices} == {12.0}


@pytest.mark.gl
def test_a_floor_outdoors_at_the_grounds_height_hides_the_ground(ctx):
    """B23: a building's floor without a trace of the ground, as if that were far below."""

    def floor_pixels(ground: float, eye: tuple[float, float, float], pitch: float) -> int:
        scene = at_height(SceneBuilder(), ground)
        shell = scene.gfx_obj([(floor_at(GROUND, -3.3, 2.9, y0=0.7, y1=7.1), "floor2")])
        picture = Stage(ctx, scene.building(shell, [])).picture(LOW, eye, 0.0, pitch)
        assert count(picture, GRASS) > 0
        return count(picture, "floor2")

    for eye, pitch in (((0.1, -3.0, 0.3), -15.0), ((0.6, -2.0, 1.4), -30.0)):
        alone = floor_pixels(GROUND - 9.0, eye, pitch)
        assert alone > 1500
        assert floor_pixels(GROUND, eye, pitch) == alone


@pytest.mark.gl
def test_I4_ground_and_cell_floor_at_one_height_meet_in_one_line(ctx):
    """From inside towards the door: floor, then ground, in every column, and no pixel of either astray."""
    sill = quad(2.0, -0.5, 0.5, z0=GROUND, z1=0.5)
    scene = at_height(SceneBuilder(), GROUND)
    scene.cell(0x100, room(-2, 2, -2, 2, z0=GROUND, z1=1.5, front=sill), [(sill, 0, EXIT, -1)])
    stage = Stage(ctx, scene)
    for y in (-1.0, -0.4, 0.3):
        picture = stage.checked(0x100, (0.0, y, 0.0)).astype(int)
        floor, ground = ((np.abs(picture - rgb) <= 1).all(axis=-1) for rgb in ((130, 90, 50), GRASS))
        assert floor.any()
        assert ground.any()
        for column in range(200):
            rows = np.flatnonzero(ground[:, column])
            assert (np.diff(rows) == 1).all()
            assert not floor[: rows[-1] + 1, column].any() if len(rows) else True


@pytest.mark.gl
@pytest.mark.parametrize("tiling", [1, 3])
def test_a_ground_texture_is_repeated_over_its_cell_as_often_as_its_tiling_says(ctx, tiling):
    scene = at_height(SceneBuilder(), 0.0)
    side = 64
    half = np.zeros((side, side, 4), np.uint8)
    half[..., 3] = 255
    half[:, : side // 2, 2] = 255  # red in the west, blue in the east of a repetition
    half[:, side // 2 :, 0] = 255
    scene.image(0x4000, side, side, half.tobytes())
    merge = scene.source.tex_merge
    first = merge.terrain[0]._replace(texture=0x05004000, tiling=tiling)
    scene.source.tex_merge = merge._replace(terrain=(first, *merge.terrain[1:]))
    # Straight down from 12 m over the middle of a cell: its 24 m fill the picture.
    picture = Stage(ctx, scene).picture(LOW, (0.0, 0.0, 12.0), 0.0, -90.0).astype(int)
    red = picture[100, :, 0] > picture[100, :, 2]
    changes = np.flatnonzero(red[1:] != red[:-1])
    expected = 200.0 / (2 * tiling) * np.arange(1, 2 * tiling)
    inner = [c for c in changes if 2 < c < 197]
    assert inner == pytest.approx(list(expected), abs=2.0)
    assert (picture[40, :, 0] == picture[150, :, 0]).mean() > 0.95  # and nothing changes from north to south
