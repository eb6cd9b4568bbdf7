"""Surfaces that repeat, their seams and their filter."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest

from engine.dat.pieces.geometry import Polygon
from engine.dat.records.surface import Surface
from tests.viewer.renderer.flat_shapes import quad
from tests.viewer.renderer.memory_source import LOW
from tests.viewer.renderer.render_stage import Stage
from tests.viewer.renderer.scene_builder import SceneBuilder, record_of
from viewer.renderer.images.materials import (
    Material,
    RenderClass,
)
from viewer.renderer.images.textures import anisotropy
from viewer.renderer.scene.meshes import chunks_of, sides_of


def test_wrapping_follows_the_bit_or_the_coordinates():
    scene = SceneBuilder()
    model = scene.gfx_obj([(quad(1.0, -1, 1, z0=-1, z1=1), "shell")])
    record = record_of(scene, model)

    def wraps(stippling: int, u: float) -> bool:
        vertices = tuple(v._replace(uvs=((u, 0.0),)) for v in record.vertex_array.vertices)
        array = record.vertex_array._replace(vertices=vertices)
        return sides_of(array, [record.polygons[0]._replace(stippling=stippling)], 1, lambda s: True)[0].wrap

    assert [wraps(0, 0.5), wraps(1, 0.5), wraps(0, 1.001), wraps(0, 1.5), wraps(0, -0.5)] == [
        False, True, False, True, True,
    ]  # fmt: skip


def with_uvs(scene: SceneBuilder, model: int, *uvs: tuple[tuple[float, float], ...]) -> None:
    """Give the polygons of a model, four corners each, their coordinates."""
    record = record_of(scene, model)
    flat = [uv for polygon in uvs for uv in polygon]
    vertices = tuple(v._replace(uvs=(uv,)) for v, uv in zip(record.vertex_array.vertices, flat, strict=True))
    scene.put("gfx_obj", model, record._replace(vertex_array=record.vertex_array._replace(vertices=vertices)))


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
        """How many corners of triangles there are by wrap and layer."""
        sides = sides_of(record.vertex_array, polygons, 2, lambda slot: True)
        return dict(
            Counter((c.batch.wrap, int(v["layer"])) for c in chunks_of(sides, materials) for v in c.corners)
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
    scene.put("gfx_obj", model, record_of(scene, model)._replace(surfaces=(0x08003000,)))
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
