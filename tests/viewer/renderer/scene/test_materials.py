"""Material cases M1-M7 of surfaces 11.5, and how surfaces and polygons become what is drawn."""

from __future__ import annotations

import numpy as np
import pytest

from engine.dat.pieces.bsp_record import BspNode, PortalRef
from engine.dat.records.env_cell import EnvCell
from engine.dat.records.surface import Surface
from engine.dat.values import NO_SPHERE, Plane
from engine.world.frame import Frame
from tests.viewer.renderer.flat_shapes import COLORS, SKY, quad
from tests.viewer.renderer.memory_source import BLOCK, LOW, OUTDOORS
from tests.viewer.renderer.reading import count
from tests.viewer.renderer.render_stage import Stage, library_of
from tests.viewer.renderer.scene_builder import SceneBuilder, record_of
from viewer.renderer.images.materials import (
    Material,
    RenderClass,
)
from viewer.renderer.images.surfaces import SurfaceLibrary
from viewer.renderer.images.textures import TextureStore, fill_transparent
from viewer.renderer.scene.entities import DrawnObject, SceneObjects
from viewer.renderer.scene.mesh_library import MARKER, MeshLibrary
from viewer.renderer.scene.meshes import Batch, bounds, chunks_of, drawn_polygons, place, sides_of


def with_tree(scene: SceneBuilder, model: int, **changes: object) -> None:
    record = record_of(scene, model)
    scene.put("gfx_obj", model, record._replace(drawing_bsp=record.drawing_bsp._replace(**changes)))


def test_M1_only_polygons_that_the_drawing_tree_names_are_drawn():
    scene = SceneBuilder()
    model = scene.gfx_obj([(quad(y, -1, 1, z0=-1, z1=1), "shell") for y in (1.0, 2.0, 3.0)])
    with_tree(scene, model, polys=(1,))
    record = record_of(scene, model)
    assert [p.key for p in drawn_polygons(record)] == [1]
    assert [p.key for p in drawn_polygons(record, by_tree=False)] == [0, 1, 2]
    assert [p.key for p in drawn_polygons(record._replace(drawing_bsp=None))] == [0, 1, 2]


def test_M1_openings_of_a_building_are_not_drawn_even_if_listed():
    scene = SceneBuilder()
    model = scene.gfx_obj(
        [(quad(1.0, -1, 1, z0=-1, z1=1), "shell"), (quad(2.0, -1, 1, z0=-1, z1=1), "shell")]
    )
    end = BspNode("BPOL", Plane((0.0, 0.0, 1.0), 0.0), sphere=NO_SPHERE, polys=(0, 1))
    port = BspNode(
        tag="PORT",
        plane=Plane((0.0, 1.0, 0.0), 0.0),
        pos_child=end,
        neg_child=end,
        sphere=NO_SPHERE,
        polys=(),
        portals=(PortalRef(1, 0),),
    )
    record = record_of(scene, model)._replace(drawing_bsp=port)
    assert [p.key for p in drawn_polygons(record)] == [0]


def solid(scene: SceneBuilder, argb: int = 0xFF2040C0) -> int:
    scene.put("surface", 0x08002000, Surface(1, None, None, argb))
    return 0x08002000


@pytest.mark.gl
def test_M2_untextured_polygons_are_drawn_solid_in_objects_and_nowhere_else(ctx):
    scene = SceneBuilder()
    model = scene.gfx_obj([(quad(1.0, -1, 1, z0=-1, z1=1), "shell")])
    scene.put("gfx_obj", model, record_of(scene, model)._replace(surfaces=(solid(scene),)))
    scene.cell(0x100, [(quad(1.0, -1, 1, z0=-1, z1=1), "wall")])
    record = scene.source.records["env_cell", BLOCK | 0x100]
    assert isinstance(record, EnvCell)
    scene.put("env_cell", BLOCK | 0x100, record._replace(surfaces=(0x2000,)))
    world = scene.world()
    library = library_of(world, TextureStore(ctx))
    assert sum(len(c.corners) for c in library.part(model)) == 6
    assert library.part(model, shell=True) == []
    assert library.cell(world.env_cell(BLOCK | 0x100)) == []
    stage = Stage(ctx, scene.outdoor_object(model))
    assert count(stage.picture(LOW), (0x20, 0x40, 0xC0)) > 30_000


@pytest.mark.gl
@pytest.mark.parametrize(
    ("sides", "front", "back"), [(0, "shell", None), (1, "shell", "shell"), (2, "shell", "roof")]
)
def test_M3_sides_seen_from_both_sides(ctx, sides, front, back):
    scene = SceneBuilder()
    model = scene.gfx_obj([(quad(0.0, -1, 1, z0=-1, z1=1), "shell"), (quad(90.0, 0, 1, z0=0, z1=1), "roof")])
    record = record_of(scene, model)
    first = record.polygons[0]._replace(sides_type=sides)
    if sides == 2:
        first = first._replace(neg_surface=1, neg_uv_indices=(0, 0, 0, 0))
    scene.put("gfx_obj", model, record._replace(polygons=(first, record.polygons[1])))
    stage = Stage(ctx, scene.outdoor_object(model))
    from_front = stage.picture(LOW, (0.0, -1.5, 0.0))
    from_back = stage.picture(LOW, (0.0, 1.5, 0.0), 180.0)
    assert count(from_front, "shell") > 15_000
    for name in ("shell", "roof"):
        assert (count(from_back, name) > 15_000) == (name == back)


@pytest.mark.gl
def test_M4_a_texture_is_shown_with_its_first_row_at_v_zero(ctx):
    scene = SceneBuilder()
    red, green, blue, white = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)
    # Stored rows: red green / blue white.
    pixels = b"".join(bytes((b, g, r, 255)) for r, g, b in (red, green, blue, white))
    scene.image(0x3000, 2, 2, pixels)
    scene.put("surface", 0x08003000, Surface(2, 0x05003000, 0))
    model = scene.gfx_obj([(quad(1.0, -0.9, 0.9, z0=-0.9, z1=0.9), "shell")])
    record = record_of(scene, model)
    uvs = ((0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0))  # v grows downwards
    array = record.vertex_array._replace(
        vertices=tuple(
            v._replace(uvs=(uv,)) for v, uv in zip(record.vertex_array.vertices, uvs, strict=True)
        ),
    )
    scene.put("gfx_obj", model, record._replace(vertex_array=array, surfaces=(0x08003000,)))
    picture = Stage(ctx, scene.outdoor_object(model)).picture(LOW)
    corners = {(20, 20): red, (20, 179): green, (179, 20): blue, (179, 179): white}
    for (row, column), rgb in corners.items():
        assert np.abs(picture[row, column].astype(int) - rgb).max() <= 3


@pytest.mark.gl
def test_M5_holes_of_a_clip_map_write_no_depth(ctx):
    scene = SceneBuilder()
    hole, body = (0, 0, 0, 0), (10, 200, 10, 255)
    rows = b"".join(bytes((c[2], c[1], c[0], c[3])) for c in [hole, hole, body, body] * 4)
    scene.image(0x3000, 4, 4, rows)
    scene.put("surface", 0x08003000, Surface(4, 0x05003000, 0))
    fence = scene.gfx_obj([(quad(1.0, -0.5, 0.5, z0=-0.5, z1=0.5), "shell")])
    record = record_of(scene, fence)
    uvs = ((0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0))
    array = record.vertex_array._replace(
        vertices=tuple(
            v._replace(uvs=(uv,)) for v, uv in zip(record.vertex_array.vertices, uvs, strict=True)
        ),
    )
    scene.put("gfx_obj", fence, record._replace(vertex_array=array, surfaces=(0x08003000,)))
    behind = scene.gfx_obj([(quad(2.0, -2, 2, z0=-2, z1=2), "roof")])
    # The fence is drawn first: where its holes wrote depth, what is behind would be missing.
    picture = Stage(ctx, scene.outdoor_object(fence).outdoor_object(behind)).picture(LOW)
    assert np.abs(picture[100, 75].astype(int) - COLORS["roof"]).max() <= 1
    assert np.abs(picture[100, 125].astype(int) - body[:3]).max() <= 1
    assert count(picture, SKY) == 0


def test_a_side_without_a_surface_is_not_drawn():
    scene = SceneBuilder()
    model = scene.gfx_obj([(quad(1.0, -1, 1, z0=-1, z1=1), "shell")])
    record = record_of(scene, model)
    for slot in (-1, 5):
        polygons = [record.polygons[0]._replace(pos_surface=slot)]
        assert sides_of(record.vertex_array, polygons, 1, lambda s: True) == []


def test_degenerate_and_damaged_polygons_are_left_out():
    scene = SceneBuilder()
    model = scene.gfx_obj([(quad(1.0, -1, 1, z0=-1, z1=1), "shell")])
    record = record_of(scene, model)
    polygon = record.polygons[0]
    nan = record.vertex_array.vertices[0]._replace(pos=(float("nan"), 0.0, 0.0))
    damaged = record.vertex_array._replace(vertices=(nan, *record.vertex_array.vertices[1:]))
    for array, changes in (
        (record.vertex_array, {"vertex_ids": (0, 1), "pos_uv_indices": (0, 0)}),
        (record.vertex_array, {"vertex_ids": (0, 0, 0), "pos_uv_indices": (0, 0, 0)}),
        (record.vertex_array, {"vertex_ids": (0, 1, 99), "pos_uv_indices": (0, 0, 0)}),
        (damaged, {}),
    ):
        assert sides_of(array, [polygon._replace(**changes)], 1, lambda s: True) == []


def test_a_mirroring_scale_keeps_faces_outward():
    scene = SceneBuilder()
    model = scene.gfx_obj([(quad(1.0, -1, 1, z0=-1, z1=1), "shell")])
    record = record_of(scene, model)
    side = sides_of(record.vertex_array, record.polygons, 1, lambda s: True)
    chunk = chunks_of(
        side,
        [Material(render_class=RenderClass.OPAQUE, page=0, layer=0, textured=True, factors=(0, 255, 255, 0))],
    )[0]
    for scale in ((1.0, 1.0, 1.0), (1.0, -1.0, 1.0), (-2.0, 1.0, 1.0)):
        moved = place(chunk, Frame((5.0, 0.0, 0.0)), scale).corners
        a, b, c = moved["position"][:3]
        assert np.dot(np.cross(b - a, c - a), moved["normal"][0]) > 0.0
    assert bounds([chunk]) == ((0.0, 1.0, 0.0), pytest.approx(2**0.5))


@pytest.mark.gl
def test_missing_things_are_marked_and_reported_once(ctx):
    scene = SceneBuilder()
    model = scene.gfx_obj([(quad(1.0, -1, 1, z0=-1, z1=1), "shell")])
    scene.put("gfx_obj", model, record_of(scene, model)._replace(surfaces=(0x08007777,)))
    world = scene.world()
    problems = world.problems
    surfaces = SurfaceLibrary(world.source, TextureStore(ctx), problems)
    library = MeshLibrary(world.source, surfaces, problems, model_of=world.model)
    for _ in range(2):
        assert library.part(model)[0].batch == Batch(RenderClass.OPAQUE, surfaces.marker.page, wrap=False)
        assert library.parts_of(0x02001234)[0][0] == library.parts_of(0x01009999)[0][0] == MARKER
        assert len(library.part(0x01009999)[0].corners) == 36
    assert len([line for line in problems.lines if "0x08007777" in line]) == 1
    assert len([line for line in problems.lines if "0x02001234" in line]) == 1
    assert len([line for line in problems.lines if "0x01009999" in line]) == 1
    stage = Stage(ctx, SceneBuilder())
    lost = SceneObjects(
        [
            DrawnObject(
                object_id=1,
                model_id=0x02001234,
                cell_id=OUTDOORS,
                frame=Frame((84.0, 85.0, -0.3)),
                cells=(OUTDOORS,),
            )
        ]
    )
    assert count(stage.picture(LOW, objects=lost), (255, 128, 0), (24, 24, 24)) > 500


def test_transparent_texels_take_the_colour_of_the_others():
    image = np.array([[(0, 0, 0, 0), (100, 50, 20, 255)]], np.uint8)
    assert fill_transparent(image)[0, 0].tolist() == [100, 50, 20, 0]
    clear = np.zeros((1, 2, 4), np.uint8)
    assert fill_transparent(clear) is clear
    full = np.full((2, 1, 4), 7, np.uint8)
    assert fill_transparent(full) is full


@pytest.mark.parametrize("step", [1, 2])
def test_their_colour_is_the_mean_of_each_channel_and_nothing_else_changes(step):
    random = np.random.default_rng(5)
    for height, width in ((1, 7), (3, 5), (64, 33), (200, 256)):
        image = random.integers(0, 256, (height, width * step, 4), dtype=np.uint8)[:, ::step]
        image[random.random((height, width)) < 0.4, 3] = 0
        image[0, :2, 3] = 0, 1
        clear = image[..., 3] == 0
        wanted = image.copy()
        wanted[clear, :3] = image[~clear][:, :3].mean(axis=0).astype(np.uint8)
        assert (fill_transparent(image) == wanted).all()
