"""Material cases M1-M7 of surfaces 11.5, and how surfaces and polygons become what is drawn."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from engine.dat.pieces.bsp_record import BspNode, PortalRef
from engine.dat.pieces.geometry import Polygon
from engine.dat.records.surface import Surface
from engine.dat.values import NO_SPHERE, Plane
from engine.world.frame import Frame
from engine.world.source import Problems
from tests.viewer.renderer.render_scenes import (
    BLOCK,
    COLORS,
    DOOR,
    EXIT,
    OUTDOORS,
    SKY,
    SceneBuilder,
    Stage,
    count,
    flipped,
    quad,
    room,
)
from viewer.renderer.gl.gl_state import ONE, ONE_MINUS_SRC_ALPHA, SRC_ALPHA
from viewer.renderer.images import materials
from viewer.renderer.images.materials import (
    BLEND_FACTORS,
    Material,
    RenderClass,
    is_textured,
    light_factors,
    opacity,
    render_class,
    vertex_factors,
)
from viewer.renderer.images.surfaces import SurfaceLibrary
from viewer.renderer.images.textures import TextureStore, anisotropy, fill_transparent
from viewer.renderer.scene.entities import DrawnObject, SceneObjects
from viewer.renderer.scene.mesh_library import MARKER, MeshLibrary
from viewer.renderer.scene.meshes import Batch, bounds, chunks_of, drawn_polygons, place, sides_of

LOW = OUTDOORS & 0xFFFF


def record_of(scene: SceneBuilder, model: int):
    return scene.source.records["gfx_obj", model]


def spread(record):
    """The vertices of a quad model with the whole texture over it; v grows downwards."""
    uvs = ((0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0))
    vertices = zip(record.vertex_array.vertices, uvs, strict=True)
    return replace(record.vertex_array, vertices=tuple(replace(v, uvs=(uv,)) for v, uv in vertices))


def with_tree(scene: SceneBuilder, model: int, **changes: object) -> None:
    record = record_of(scene, model)
    scene.put("gfx_obj", model, replace(record, drawing_bsp=replace(record.drawing_bsp, **changes)))


def test_M1_only_polygons_that_the_drawing_tree_names_are_drawn():
    scene = SceneBuilder()
    model = scene.gfx_obj([(quad(y, -1, 1, z0=-1, z1=1), "shell") for y in (1.0, 2.0, 3.0)])
    with_tree(scene, model, polys=(1,))
    record = record_of(scene, model)
    assert [p.key for p in drawn_polygons(record)] == [1]
    assert [p.key for p in drawn_polygons(record, by_tree=False)] == [0, 1, 2]
    assert [p.key for p in drawn_polygons(replace(record, drawing_bsp=None))] == [0, 1, 2]


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
    record = replace(record_of(scene, model), drawing_bsp=port)
    assert [p.key for p in drawn_polygons(record)] == [0]


def solid(scene: SceneBuilder, argb: int = 0xFF2040C0) -> int:
    scene.put("surface", 0x08002000, Surface(1, None, None, argb))
    return 0x08002000


@pytest.mark.gl
def test_M2_untextured_polygons_are_drawn_solid_in_objects_and_nowhere_else(ctx):
    scene = SceneBuilder()
    model = scene.gfx_obj([(quad(1.0, -1, 1, z0=-1, z1=1), "shell")])
    scene.put("gfx_obj", model, replace(record_of(scene, model), surfaces=(solid(scene),)))
    scene.cell(0x100, [(quad(1.0, -1, 1, z0=-1, z1=1), "wall")])
    record = scene.source.records["env_cell", BLOCK | 0x100]
    scene.put("env_cell", BLOCK | 0x100, replace(record, surfaces=(0x2000,)))
    world = scene.world()
    problems = Problems()
    library = MeshLibrary(
        world.source,
        SurfaceLibrary(world.source, TextureStore(ctx), problems),
        problems,
        model_of=world.model,
    )
    assert sum(len(c.vertices) for c in library.part(model)) == 6
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
    first = replace(record.polygons[0], sides_type=sides)
    if sides == 2:
        first = replace(first, neg_surface=1, neg_uv_indices=(0, 0, 0, 0))
    scene.put("gfx_obj", model, replace(record, polygons=(first, record.polygons[1])))
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
    array = replace(
        record.vertex_array,
        vertices=tuple(
            replace(v, uvs=(uv,)) for v, uv in zip(record.vertex_array.vertices, uvs, strict=True)
        ),
    )
    scene.put("gfx_obj", model, replace(record, vertex_array=array, surfaces=(0x08003000,)))
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
    array = replace(
        record.vertex_array,
        vertices=tuple(
            replace(v, uvs=(uv,)) for v, uv in zip(record.vertex_array.vertices, uvs, strict=True)
        ),
    )
    scene.put("gfx_obj", fence, replace(record, vertex_array=array, surfaces=(0x08003000,)))
    behind = scene.gfx_obj([(quad(2.0, -2, 2, z0=-2, z1=2), "roof")])
    # The fence is drawn first: where its holes wrote depth, what is behind would be missing.
    picture = Stage(ctx, scene.outdoor_object(fence).outdoor_object(behind)).picture(LOW)
    assert np.abs(picture[100, 75].astype(int) - COLORS["roof"]).max() <= 1
    assert np.abs(picture[100, 125].astype(int) - body[:3]).max() <= 1
    assert count(picture, SKY) == 0


def test_M6_translucency_counts_with_its_bit_only():
    assert opacity(materials.TRANSLUCENT | materials.IMAGE, 0.25) == 0.75
    assert opacity(materials.IMAGE, 0.25) == 1.0


def test_M6_a_record_with_translucency_has_the_bit_once_it_is_loaded():
    """The client sets the bit itself (dat-format 3.11), so the flags of M6 are those after loading."""
    assert [
        Surface(type=2, texture=1, palette=0, color=None, translucency=t).drawn_type
        for t in (0.0, 0.0002, 0.00021, 0.25, 1.0)
    ] == [
        0x2,
        0x2,
        0x12,
        0x12,
        0x12,
    ]


@pytest.mark.gl
def test_M6_the_bit_that_loading_sets_makes_the_picture(ctx):
    pictures = []
    for flags in (2, 2 | 0x10):
        scene = SceneBuilder()
        model = scene.gfx_obj([(quad(1.0, -1, 1, z0=-1, z1=1), "leaf")], flags=flags, translucency=0.25)
        pictures.append(Stage(ctx, scene.outdoor_object(model)).picture(LOW))
    assert (pictures[0] == pictures[1]).all()


@pytest.mark.gl
def test_M6_a_translucent_surface_lets_a_quarter_through(ctx):
    scene = SceneBuilder()
    model = scene.gfx_obj([(quad(1.0, -1, 1, z0=-1, z1=1), "leaf")], flags=2 | 0x10, translucency=0.25)
    picture = Stage(ctx, scene.outdoor_object(model)).picture(LOW)
    mixed = [0.75 * a + 0.25 * b for a, b in zip(COLORS["leaf"], SKY, strict=True)]
    assert np.abs(picture[50, 100] - np.array(mixed)).max() <= 1.5


@pytest.mark.gl
def test_M7_walls_and_portals_close_the_box(ctx):
    scene = SceneBuilder()
    scene.cell(0x100, room(-2, 2, -2, 2, z0=-1.5, z1=1.5, front=DOOR), [(DOOR, 0, EXIT, -1)])
    world = scene.world()
    cell = world.env_cell(BLOCK | 0x100)
    problems = Problems()
    library = MeshLibrary(
        world.source,
        SurfaceLibrary(world.source, TextureStore(ctx), problems),
        problems,
        model_of=world.model,
    )
    triangles = np.concatenate([c.vertices for c in library.cell(cell)])["position"].reshape(-1, 3, 3)
    in_door_plane = [t for t in triangles if (abs(t[:, 1] - 2.0) < 1e-6).all()]
    assert all(abs(t[:, 0]).max() > 0.5 or abs(t[:, 2]).max() > 0.5 for t in in_door_plane)
    edges: Counter[frozenset[tuple[float, ...]]] = Counter()
    faces = [list(map(tuple, t)) for t in triangles] + [[tuple(p) for p in flipped(DOOR)]]
    for face in faces:
        for k, corner in enumerate(face):
            ends = frozenset({tuple(round(float(v), 4) for v in p) for p in (face[k - 1], corner)})
            edges[ends] += 1
    assert all(n == 2 for n in edges.values())


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (0x1, RenderClass.OPAQUE),
        (0x2, RenderClass.OPAQUE),
        (0x4, RenderClass.CUTOUT),
        (0x12, RenderClass.BLEND),
        (0x14 | 0x10000, RenderClass.BLEND),
        (0x10002, RenderClass.ADD),
        (0x10012, RenderClass.ADD),
        (0x202, RenderClass.INV),
        (0x102, RenderClass.BLEND),
        (0x112, RenderClass.BLEND),
        (0x104, RenderClass.BLEND),
    ],
)
def test_render_class_takes_the_first_match(flags, expected):
    assert render_class(flags) is expected


IMAGE, CLIP, TRANSLUCENT, ALPHA, INVERSE, ADDITIVE = 0x2, 0x4, 0x10, 0x100, 0x200, 0x10000
NO_MATTER = (0x20, 0x40, 0x20000, 0x10000000, 0x40000000, 0x80000000)  # diffuse … stippled, perspective


def test_every_combination_of_flags_has_the_class_of_the_first_row_that_fits():
    """The table of surfaces 4.5, row by row, over all combinations of the bits that it names."""
    for bits in product((0, 1), repeat=6):
        image, clip, translucent, alpha, inverse, additive = (bool(b) for b in bits)
        flags = sum(
            bit
            for bit, on in zip((IMAGE, CLIP, TRANSLUCENT, ALPHA, INVERSE, ADDITIVE), bits, strict=True)
            if on
        )
        rows = (
            (translucent and (clip or not (alpha or inverse or additive)), RenderClass.BLEND),
            (additive, RenderClass.ADD),
            (inverse, RenderClass.INV),
            (alpha or translucent, RenderClass.BLEND),
            (clip, RenderClass.CUTOUT),
            (True, RenderClass.OPAQUE),
        )
        expected = next(kind for fits, kind in rows if fits)
        for other in (0, 1, *NO_MATTER):
            assert render_class(flags | other) is expected
        assert is_textured(flags) == (image or clip)


def test_blend_factors_and_alpha_cuts_of_the_classes():
    assert BLEND_FACTORS == {
        RenderClass.OPAQUE: None,
        RenderClass.CUTOUT: None,
        RenderClass.BLEND: (SRC_ALPHA, ONE_MINUS_SRC_ALPHA),
        RenderClass.INV: (ONE_MINUS_SRC_ALPHA, SRC_ALPHA),
        RenderClass.ADD: (SRC_ALPHA, ONE),
    }
    cuts = {0x2: 0, 0x4: 128, 0x102: 1, 0x12: 1, 0x202: 0, 0x10002: 0}
    assert {flags: vertex_factors(flags, 0.0, 0.0, 1.0)[3] for flags in cuts} == cuts


@pytest.mark.gl
@pytest.mark.parametrize(
    ("flags", "alpha", "expected"),
    [
        (0x2, 0, (1.0, 0.0)),
        (0x102, 102, (0.4, 0.6)),
        (0x202, 102, (0.6, 0.4)),
        (0x10002, 255, (1.0, 1.0)),
        (0x10102, 102, (0.4, 1.0)),
        (0x12, 255, (0.75, 0.25)),
        (0x112, 204, (0.6, 0.4)),
        (0x10012, 255, (0.75, 1.0)),
    ],
)
def test_what_a_class_leaves_of_texture_and_background(ctx, flags, alpha, expected):
    scene = SceneBuilder()
    texture = (60, 100, 40)
    surface = scene.color((*texture, alpha), flags, 0.25 if flags & TRANSLUCENT else 0.0)
    model = scene.gfx_obj([(quad(1.0, -1, 1, z0=-1, z1=1), "shell")])
    scene.put("gfx_obj", model, replace(record_of(scene, model), surfaces=(surface,)))
    picture = Stage(ctx, scene.outdoor_object(model)).picture(LOW)
    mixed = [min(255.0, expected[0] * a + expected[1] * b) for a, b in zip(texture, SKY, strict=True)]
    assert np.abs(picture[50, 100] - np.array(mixed)).max() <= 2.0


def test_light_factors_need_their_bits():
    assert light_factors(0x2, 0.5, 0.5) == (0.0, 1.0)
    assert light_factors(0x62, 0.5, 0.25) == (0.5, 0.25)


def test_a_side_without_a_surface_is_not_drawn():
    scene = SceneBuilder()
    model = scene.gfx_obj([(quad(1.0, -1, 1, z0=-1, z1=1), "shell")])
    record = record_of(scene, model)
    for slot in (-1, 5):
        polygons = [replace(record.polygons[0], pos_surface=slot)]
        assert sides_of(record.vertex_array, polygons, 1, lambda s: True) == []


def test_degenerate_and_damaged_polygons_are_left_out():
    scene = SceneBuilder()
    model = scene.gfx_obj([(quad(1.0, -1, 1, z0=-1, z1=1), "shell")])
    record = record_of(scene, model)
    polygon = record.polygons[0]
    nan = replace(record.vertex_array.vertices[0], pos=(float("nan"), 0.0, 0.0))
    damaged = replace(record.vertex_array, vertices=(nan, *record.vertex_array.vertices[1:]))
    for array, changes in (
        (record.vertex_array, {"vertex_ids": (0, 1), "pos_uv_indices": (0, 0)}),
        (record.vertex_array, {"vertex_ids": (0, 0, 0), "pos_uv_indices": (0, 0, 0)}),
        (record.vertex_array, {"vertex_ids": (0, 1, 99), "pos_uv_indices": (0, 0, 0)}),
        (damaged, {}),
    ):
        assert sides_of(array, [replace(polygon, **changes)], 1, lambda s: True) == []


def test_wrapping_follows_the_bit_or_the_coordinates():
    scene = SceneBuilder()
    model = scene.gfx_obj([(quad(1.0, -1, 1, z0=-1, z1=1), "shell")])
    record = record_of(scene, model)

    def wraps(stippling: int, u: float) -> bool:
        vertices = tuple(replace(v, uvs=((u, 0.0),)) for v in record.vertex_array.vertices)
        array = replace(record.vertex_array, vertices=vertices)
        return sides_of(array, [replace(record.polygons[0], stippling=stippling)], 1, lambda s: True)[0].wrap

    assert [wraps(0, 0.5), wraps(1, 0.5), wraps(0, 1.001), wraps(0, 1.5), wraps(0, -0.5)] == [
        False, True, False, True, True,
    ]  # fmt: skip


def with_uvs(scene: SceneBuilder, model: int, *uvs: tuple[tuple[float, float], ...]) -> None:
    """Give the polygons of a model, four corners each, their coordinates."""
    record = record_of(scene, model)
    flat = [uv for polygon in uvs for uv in polygon]
    vertices = tuple(replace(v, uvs=(uv,)) for v, uv in zip(record.vertex_array.vertices, flat, strict=True))
    scene.put("gfx_obj", model, replace(record, vertex_array=replace(record.vertex_array, vertices=vertices)))


def square_uvs(u0: float, u1: float) -> tuple[tuple[float, float], ...]:
    return ((u0, 1.0), (u1, 1.0), (u1, 0.0), (u0, 0.0))


def test_a_surface_repeats_in_the_whole_mesh_or_not_at_all():
    """Surfaces 4.7: wrapping is decided for a surface in a mesh, not for a polygon."""
    scene = SceneBuilder()
    model = scene.gfx_obj(
        [(quad(1.0, k, k + 1, z0=-1, z1=1), name) for k, name in enumerate(["wall"] * 2 + ["roof"])]
    )
    with_uvs(scene, model, square_uvs(0.0, 1.0), square_uvs(1.0, 2.0), square_uvs(0.0, 1.0))
    record = record_of(scene, model)
    materials = [
        Material(
            render_class=RenderClass.OPAQUE, page=0, layer=layer, textured=True, factors=(0, 255, 255, 0)
        )
        for layer in (4, 7)
    ]

    def batches(polygons: tuple[Polygon, ...]) -> dict[tuple[bool, int], int]:
        """How many vertices there are by wrap and layer."""
        sides = sides_of(record.vertex_array, polygons, 2, lambda slot: True)
        return dict(
            Counter((c.batch.wrap, int(v["layer"])) for c in chunks_of(sides, materials) for v in c.vertices)
        )

    assert batches(record.polygons) == {(True, 4): 12, (False, 7): 6}
    assert batches(record.polygons[::-1]) == {(True, 4): 12, (False, 7): 6}
    assert batches((record.polygons[0], record.polygons[2])) == {(False, 4): 6, (False, 7): 6}


@pytest.mark.gl
def test_no_seam_between_polygons_of_a_surface_that_repeats_on_one_of_them(ctx):
    """At their common edge, u = 1, both blend the last column of the texture with the first."""
    scene = SceneBuilder()
    red, blue = (255, 0, 0), (0, 0, 255)
    scene.image(0x3000, 2, 2, b"".join(bytes((b, g, r, 255)) for r, g, b in (red, blue) * 2))
    scene.put("surface", 0x08003000, Surface(2, 0x05003000, 0))
    model = scene.gfx_obj([(quad(1.0, x, x + 0.9, z0=-0.9, z1=0.9), "shell") for x in (-0.9, 0.0)])
    scene.put("gfx_obj", model, replace(record_of(scene, model), surfaces=(0x08003000,)))
    with_uvs(scene, model, square_uvs(0.0, 1.0), square_uvs(1.0, 2.0))
    picture = Stage(ctx, scene.outdoor_object(model)).picture(LOW).astype(int)
    left, right = picture[100, 99], picture[100, 100]
    assert np.abs(left - right).max() <= 12
    assert 100 < left[0] < 155
    assert 100 < left[2] < 155
    assert np.abs(picture[100, 12] - picture[100, 102]).max() <= 12  # both begin with the same columns


def test_anisotropy_is_8_or_what_there_is_and_off_in_software():
    def asked(renderer: str, most: float) -> float:
        return anisotropy(SimpleNamespace(info={"GL_RENDERER": renderer}, max_anisotropy=most))

    assert asked("NVIDIA GeForce RTX 3060/PCIe/SSE2", 16.0) == 8.0
    assert asked("AMD Radeon RX 6600", 8.0) == 8.0
    assert asked("Old card", 4.0) == 4.0
    assert asked("llvmpipe (LLVM 15.0.7, 256 bits)", 16.0) == 1.0


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
        moved = place(chunk, Frame((5.0, 0.0, 0.0)), scale).vertices
        a, b, c = moved["position"][:3]
        assert np.dot(np.cross(b - a, c - a), moved["normal"][0]) > 0.0
    assert bounds([chunk]) == ((0.0, 1.0, 0.0), pytest.approx(2**0.5))


@pytest.mark.gl
def test_missing_things_are_marked_and_reported_once(ctx):
    scene = SceneBuilder()
    model = scene.gfx_obj([(quad(1.0, -1, 1, z0=-1, z1=1), "shell")])
    scene.put("gfx_obj", model, replace(record_of(scene, model), surfaces=(0x08007777,)))
    world = scene.world()
    problems = world.problems
    surfaces = SurfaceLibrary(world.source, TextureStore(ctx), problems)
    library = MeshLibrary(world.source, surfaces, problems, model_of=world.model)
    for _ in range(2):
        assert library.part(model)[0].batch == Batch(RenderClass.OPAQUE, surfaces.marker.page, wrap=False)
        assert library.parts_of(0x02001234)[0][0] == library.parts_of(0x01009999)[0][0] == MARKER
        assert len(library.part(0x01009999)[0].vertices) == 36
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
