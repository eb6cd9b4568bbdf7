"""Terrain cases T1, T5, T7 of surfaces 11.5, time of day, point lights, and finding the shaders."""

from __future__ import annotations

import time

import numpy as np
import pytest

from engine.dat.records.land_block import LandBlock
from engine.dat.records.region_sky import DayGroup, SkyDesc
from engine.world.cells import Landblock
from engine.world.frame import Frame, quat_of_heading
from engine.world.ids import CELL_SIDE
from engine.world.terrain import add_land_cells, cut_sw_ne, split_hash
from tests.viewer.renderer.flat_shapes import ROCK, SKY
from tests.viewer.renderer.memory_source import LOW
from tests.viewer.renderer.reading import count
from tests.viewer.renderer.render_stage import Stage
from tests.viewer.renderer.scene_builder import SceneBuilder
from viewer.renderer.gl.context import RawGl
from viewer.renderer.gl.framebuffer import SceneTarget
from viewer.renderer.gl.gl_state import LEQUAL, GlState
from viewer.renderer.gl.programs import Programs
from viewer.renderer.gl.resources import MissingResourceError, data_folder, shader_source
from viewer.renderer.images.materials import RenderClass
from viewer.renderer.scene.figure_mesh import figure_chunks
from viewer.renderer.scene.lighting import (
    FALLBACK_SKY,
    cell_block,
    keyframes_of,
    landscape_block,
    sky_light,
)
from viewer.renderer.scene.meshes import Batch, bounds
from viewer.renderer.scene.point_lights import Lights, PointLight, light_at, place_light, vertex_light
from viewer.renderer.scene.terrain_mesh import RENDER_DROP, block_vertices

SPLITS = [
    (0, 0, 0xAE6470DB), (1, 0, 0x6C488D1E), (0, 1, 0x1A7F3662), (1, 1, 0xE52E12D8),
    (1352, 1440, 0xC15BD913), (1355, 1445, 0x7EBDEBD4), (1359, 1447, 0xF0E404E4), (2047, 2047, 0xE8FB6F44),
]  # fmt: skip


@pytest.mark.parametrize(("x", "y", "v"), SPLITS)
def test_T1_split_vectors(x, y, v):
    assert split_hash(x, y) == v


def hilly(block_id: int, seed: int = 5) -> Landblock:
    heights = np.random.default_rng(seed).uniform(0, 20, 81)
    block = Landblock(block_id, (0,) * 81, tuple(float(h) for h in heights))
    add_land_cells(block)
    return block


def test_T1_drawn_triangles_are_those_of_physics_one_centimetre_lower():
    block = hilly(0xA9B40000)
    vertices = block_vertices(block, lambda pcode: (bytes(12), 0))
    assert len(vertices) == 384
    triangles = vertices["position"].reshape(-1, 3, 3)
    for index, cell in enumerate(block.land_cells):
        for k, polygon in enumerate(cell.polygons):
            drawn = triangles[2 * index + k]
            assert np.abs(drawn - (np.array(polygon.vertices) - (0, 0, RENDER_DROP))).max() < 1e-4
        cx, cy = divmod(index, 8)
        diagonal = {(round(x / CELL_SIDE) - cx, round(y / CELL_SIDE) - cy) for x, y, _ in
                    set(cell.polygons[0].vertices) & set(cell.polygons[1].vertices)}  # fmt: skip
        expected = {(0, 0), (1, 1)} if cut_sw_ne(0xA9 * 8 + cx, 0xB4 * 8 + cy) else {(1, 0), (0, 1)}
        assert diagonal == expected
    normals = (vertices["normal"][:, :3].astype(float) - 128.0) / 127.0
    assert (normals[:, 2] > 0).all()
    assert np.abs(np.linalg.norm(normals, axis=1) - 1.0).max() < 0.01


@pytest.mark.gl
def test_T5_no_crack_between_blocks(ctx):
    scene = SceneBuilder().ground(0.0)
    random = np.random.default_rng(3)
    scene.source.heights[:] = [float(h) for h in np.linspace(0.0, 12.0, 256)]
    table = random.integers(0, 255, (3 * 8 + 1, 3 * 8 + 1))
    for kind, block in list(scene.source.records):
        if kind == "land_block":
            x, y = (block >> 24) - 0xA8, (block >> 16 & 0xFF) - 0xB3
            heights = tuple(int(v) for v in table[8 * x : 8 * x + 9, 8 * y : 8 * y + 9].ravel())
            scene.put("land_block", block, LandBlock(block | 0xFFFF, 1, (0,) * 81, heights))
    stage = Stage(ctx, scene)
    for eye, yaw, pitch in (((100.0, 20.0, 30.0), 90.0, -45.5), ((105.0, 40.0, 25.0), 180.0, -46.0),
                            ((20.0, 106.0, 30.0), -90.0, -45.2)):  # fmt: skip
        picture = stage.picture(LOW, eye, yaw, pitch)
        assert stage.renderer.stats.sentinel == 0
        ground = picture[100:]
        assert count(ground, SKY) == 0


@pytest.mark.gl
def test_each_corner_shows_the_ground_of_its_type(ctx):
    scene = SceneBuilder().ground(0.0)
    words = [0] * 81
    for x in range(9):
        for y in range(9):
            words[9 * x + y] = 1 << 2 if x >= 4 else 0
    for kind, block in list(scene.source.records):
        if kind == "land_block":
            scene.put("land_block", block, LandBlock(block | 0xFFFF, 1, tuple(words), (1,) * 81))
    stage = Stage(ctx, scene)
    east = stage.picture(LOW, (60.0, 10.0, 3.0), 0.0, -60.0)
    assert count(east, ROCK) == 40_000
    west = stage.picture(LOW, (-60.0, 10.0, 3.0), 0.0, -60.0)
    assert count(west, ROCK) == 0


@pytest.mark.gl
def test_T7_a_slope_towards_the_low_sun_is_brightest(ctx):
    scene = SceneBuilder().ground(0.0)
    scene.source.heights[:] = [float(h) for h in range(256)]
    rows = {0: 20, 1: 20, 2: 20, 3: 40, 4: 20, 5: 20, 6: 20, 7: 20, 8: 20}  # a ridge along y at x = 3
    heights = tuple(rows[x] for x in range(9) for _ in range(9))
    for kind, block in list(scene.source.records):
        if kind == "land_block":
            scene.put("land_block", block, LandBlock(block | 0xFFFF, 1, (0,) * 81, heights))
    east_sun = FALLBACK_SKY[0]._replace(dir_heading=90.0, dir_pitch=0.0, dir_bright=0.6)
    scene.source.sky = SkyDesc(1.0, 1.0, (DayGroup(1.0, "East", (), (east_sun,)),))
    stage = Stage(ctx, scene)
    picture = stage.picture(LOW, (-12.0, -40.0, 90.0), 0.0, -89.0, plain=False, fog=False, flat_sky=None)
    brightness = picture[90:110].astype(int).sum(axis=(0, 2))
    east, west, level = brightness[112:160].mean(), brightness[40:88].mean(), brightness[:20].max()
    assert east > 1.5 * west
    assert east > 1.5 * level
    assert brightness.argmax() in range(120, 150)


def test_keyframes_are_interpolated_and_wrap_round_midnight():
    keys = (
        FALLBACK_SKY[0]._replace(begin=0.25, dir_heading=350.0, amb_bright=0.0, fog_min=10.0),
        FALLBACK_SKY[0]._replace(begin=0.75, dir_heading=10.0, amb_bright=1.0, fog_min=30.0),
    )
    noon = sky_light(keys, 0.5)
    assert noon.ambient_bright == pytest.approx(0.5)
    assert noon.fog_start == pytest.approx(20.0)
    assert noon.sun_direction[0] == pytest.approx(0.0, abs=1e-9)  # halfway along the shorter arc
    midnight = sky_light(keys, 0.0)
    assert midnight.ambient_bright == pytest.approx(0.5)
    assert sky_light(keys, 1.0) == midnight
    assert sky_light(keys, 0.25).ambient_bright == 0.0


def test_the_sun_points_where_heading_and_pitch_say():
    east = sky_light((FALLBACK_SKY[0]._replace(dir_heading=90.0, dir_pitch=0.0),), 0.3)
    assert east.sun_direction == pytest.approx((1.0, 0.0, 0.0))
    assert sky_light(keyframes_of(None), 0.5).sun_direction[2] > 0.9


def test_cells_have_no_sun_and_their_ambient_follows_the_players_cell():
    light = sky_light(FALLBACK_SKY, 0.5)

    def floats(block: bytes) -> np.ndarray:
        return np.frombuffer(block, "<f4").reshape(7, 4)

    outdoors, seen, sealed = (
        floats(b)
        for b in (
            landscape_block(light),
            cell_block(light, seen_outside=True, fog=False),
            cell_block(light, seen_outside=False, fog=False),
        )
    )
    assert outdoors[1, :3].max() > 0.5
    assert (seen[1, :3] == 0).all()
    assert (sealed[1, :3] == 0).all()
    assert (seen[0] == outdoors[0]).all()
    assert sealed[0, :3].tolist() == pytest.approx([0.2, 0.2, 0.2])
    assert outdoors[5, 3] == 1.0
    assert sealed[5, 3] == seen[5, 3] == 0.0
    assert floats(cell_block(light, seen_outside=True, fog=True))[5, 3] == 1.0


def test_point_light_formula():
    lamp = PointLight((0.0, 0.0, 2.0), (1.0, 0.5, 0.25), 1.0, 4.0)
    up = np.array([[0.0, 0.0, 1.0]])
    at = np.array([[0.0, 0.0, 0.0]])
    # d = 2, r = 5.2, wrap = (2 + 1) / 1.5 = 2, norm = 8
    s = (1 - 2 / 5.2) * 2 / 8
    assert vertex_light(at, up, Lights([lamp]))[0].tolist() == pytest.approx([s, s / 2, s / 4])
    assert vertex_light(at, -up, Lights([lamp]))[0].tolist() == [0.0, 0.0, 0.0]
    assert place_light((0.0, 0.0, 0.0), Lights([lamp])) == pytest.approx((s, s / 2, s / 4))
    far = np.array([[0.0, 0.0, -4.0]])
    assert vertex_light(far, up, Lights([lamp]))[0].tolist() == [0.0, 0.0, 0.0]
    strong = lamp._replace(intensity=100.0)
    assert vertex_light(at, up, Lights([strong]))[0].tolist() == [1.0, 0.5, 0.25]
    two = vertex_light(at, up, Lights([strong, strong]))[0]
    assert two.tolist() == [1.0, 1.0, 0.5]


def test_a_setups_light_stands_where_its_object_stands():
    lamp = light_at(
        Frame((10.0, 0.0, 5.0), quat_of_heading(90.0)),
        (0.0, 1.0, 1.5),
        argb=0xFFFF8000,
        intensity=2.0,
        falloff=6.0,
    )
    assert lamp.place == pytest.approx((11.0, 0.0, 6.5))
    assert lamp.color == pytest.approx((1.0, 128 / 255, 0.0))


def test_the_figure_stands_on_its_feet_and_faces_outward():
    chunks = figure_chunks(Batch(RenderClass.OPAQUE, 0, wrap=False), 0)
    points = chunks[0].corners["position"]
    assert points[:, 2].min() == pytest.approx(0.0)
    assert 1.75 <= points[:, 2].max() <= 1.85
    assert bounds(chunks)[1] < 1.1
    assert np.hypot(points[:, 0], points[:, 1]).max() < 0.48  # within the spheres that collide
    triangles = points.reshape(-1, 3, 3)
    cross = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    normals = chunks[0].corners["normal"].reshape(-1, 3, 3)[:, 0]
    lengths = np.linalg.norm(cross, axis=1)
    sound = lengths > 1e-9
    assert (np.einsum("ij,ij->i", cross[sound], normals[sound]) > 0).all()


def test_shaders_are_found_and_include_each_other(tmp_path):
    assert "uniform Light" in shader_source(data_folder("shaders"), "mesh/mesh.frag")
    (tmp_path / "a.frag").write_text('#version 330 core\n#include "b.glsl"\nvoid main() {}\n')
    with pytest.raises(MissingResourceError, match=r"b\.glsl"):
        shader_source(tmp_path, "a.frag")
    with pytest.raises(MissingResourceError, match="nowhere"):
        data_folder("nowhere")


@pytest.mark.gl
def test_I0_depth_is_written_and_the_stencil_has_eight_bits(ctx):
    raw = RawGl(ctx)
    target = SceneTarget(ctx, raw, 16, 16)
    target.use()
    assert target.stencil_bits() == 8
    state = GlState(raw)
    state.forget()
    state.no_stencil()
    state.depth(test=True, write=True, func=LEQUAL)
    state.clear_color((0.0, 0.0, 0.0))
    state.clear_depth()
    program = Programs(ctx, data_folder("shaders")).portal
    program["u_view_projection"].write(np.eye(4, dtype="<f4").tobytes())  # type: ignore[union-attr]
    for z, color in ((-0.5, (1.0, 0.0, 0.0, 1.0)), (0.5, (0.0, 1.0, 0.0, 1.0))):
        program["u_color"].value = color  # type: ignore[union-attr]
        corners = np.array([(-1, -1, z), (3, -1, z), (-1, 3, z)], "<f4")
        ctx.vertex_array(program, [(ctx.buffer(corners.tobytes()), "3f4", "in_position")]).render()
    assert (target.read_rgba()[..., :3] == (255, 0, 0)).all()
    assert target.read_depth() == pytest.approx(0.25, abs=1e-6)
    state.clear_stencil(0x80, 0xFF)
    state.clear_stencil(0x7F, 0x3F)
    assert (target.read_stencil() == 0xBF).all()
    assert raw.errors() == []


def test_many_lamps_in_one_room_light_as_one_after_the_other_and_cost_what_they_are():
    dice = np.random.default_rng(7)
    places = dice.uniform(-4.0, 4.0, (3000, 3))
    colors = dice.choice([(1.0, 0.5, 0.0), (0.2, 0.0, 0.0)], 3000)
    lamps = [
        PointLight(tuple(at), tuple(color), intensity, 6.0)
        for at, color, intensity in zip(places, colors, dice.uniform(0.001, 0.002, 3000), strict=True)
    ]
    for many in (1, 255, 256, 257, 700, 3000):
        some = Lights(lamps[:many])
        singly = np.clip(
            sum(np.array(place_light((0.1, 0.2, 0.3), Lights([lamp]))) for lamp in some.each), 0, 1
        )
        assert place_light((0.1, 0.2, 0.3), some) == pytest.approx(tuple(singly), abs=1e-9)
    bright = Lights([PointLight(tuple(at), (1.0, 0.5, 0.0), 100.0, 6.0) for at in places])
    points, up = np.tile(places, (4, 1)), np.tile((0.0, 0.0, 1.0), (12000, 1))
    started = time.process_time()
    for at in places:
        assert place_light(tuple(at), bright)[:2] == (1.0, 1.0)
    assert vertex_light(points, up, bright).max() == 1.0
    assert time.process_time() - started < 6.0
