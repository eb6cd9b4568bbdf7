"""Which class a surface is of, and how it is blended."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest

from engine.dat.records.surface import Surface
from tests.viewer.renderer.flat_shapes import COLORS, EXIT, SKY, flipped, quad, room
from tests.viewer.renderer.memory_source import BLOCK, LOW
from tests.viewer.renderer.render_scenes import DOOR
from tests.viewer.renderer.render_stage import Stage, library_of
from tests.viewer.renderer.scene_builder import SceneBuilder, record_of
from viewer.renderer.gl.gl_state import ONE, ONE_MINUS_SRC_ALPHA, SRC_ALPHA
from viewer.renderer.images import materials
from viewer.renderer.images.materials import (
    BLEND_FACTORS,
    RenderClass,
    is_textured,
    light_factors,
    opacity,
    render_class,
    vertex_factors,
)
from viewer.renderer.images.textures import TextureStore


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
    library = library_of(world, TextureStore(ctx))
    triangles = np.concatenate([c.corners for c in library.cell(cell)])["position"].reshape(-1, 3, 3)
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
    scene.put("gfx_obj", model, record_of(scene, model)._replace(surfaces=(surface,)))
    picture = Stage(ctx, scene.outdoor_object(model)).picture(LOW)
    mixed = [min(255.0, expected[0] * a + expected[1] * b) for a, b in zip(texture, SKY, strict=True)]
    assert np.abs(picture[50, 100] - np.array(mixed)).max() <= 2.0


def test_light_factors_need_their_bits():
    assert light_factors(0x2, 0.5, 0.5) == (0.0, 1.0)
    assert light_factors(0x62, 0.5, 0.25) == (0.5, 0.25)
