"""Mip levels that are made here, and layers that are written one by one (surfaces 4.7)."""

from __future__ import annotations

import itertools

import moderngl
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.viewer.renderer.render_stage import context
from viewer.renderer.gl.array_texture import ArrayTexture, mip_levels
from viewer.renderer.gl.context import RawGl


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(1, 40), st.integers(1, 40), st.sampled_from([1, 4]), st.integers(0, 1000))
def test_every_level_is_the_mean_of_the_one_below(
    height: int, width: int, components: int, seed: int
) -> None:
    image = np.random.default_rng(seed).integers(0, 256, (height, width, components), np.uint8)
    levels = mip_levels(image)
    assert (levels[0] == image).all()
    assert levels[-1].shape == (1, 1, components)
    for below, above in itertools.pairwise(levels):
        h, w = below.shape[:2]
        assert above.shape == (max(1, h // 2), max(1, w // 2), components)
        for y in range(above.shape[0]):
            for x in range(above.shape[1]):
                part = below[2 * y : 2 * y + 2, 2 * x : 2 * x + 2].reshape(-1, components)
                assert np.abs(part.mean(axis=0) - above[y, x]).max() <= 0.5


@pytest.mark.gl
@pytest.mark.parametrize("components", [1, 4])
@pytest.mark.parametrize("size", [(16, 16), (16, 4), (12, 6)])
def test_each_layer_has_its_own_levels_on_the_gpu(components: int, size: tuple[int, int]) -> None:
    ctx = context()
    raw = RawGl(ctx)
    width, height = size
    array = ArrayTexture(ctx, raw, size=size, layers=3, components=components)
    random = np.random.default_rng(3)
    images = [random.integers(0, 256, (height, width, components), np.uint8) for _ in range(3)]
    for layer in (2, 0, 1):
        array.write(layer, mip_levels(images[layer]))
    assert raw.errors() == []
    total = 0
    for level, wanted in enumerate(mip_levels(images[0])):
        found = drawn(ctx, array, level, wanted.shape[1], height=wanted.shape[0])
        for layer in range(3):
            expected = mip_levels(images[layer])[level]
            assert (found[layer][..., :components] == expected).all()
        total += 3 * wanted.nbytes
    assert array.bytes_held == total
    array.release()
    ctx.release()


def drawn(
    ctx: moderngl.Context, array: ArrayTexture, level: int, width: int, *, height: int
) -> list[np.ndarray]:
    """The texels of a level of all layers, by drawing them."""
    program = ctx.program(
        "#version 330\nvoid main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0,"
        " 0.0, 1.0); }",
        "#version 330\nuniform sampler2DArray t; uniform int level; uniform int layer; out vec4 c;"
        "void main() { c = texelFetch(t, ivec3(gl_FragCoord.xy, layer), level); }",
    )
    array.texture.filter = (moderngl.NEAREST_MIPMAP_NEAREST, moderngl.NEAREST)
    target = ctx.simple_framebuffer((width, height), 4)
    target.use()
    ctx.disable(moderngl.CULL_FACE | moderngl.DEPTH_TEST | moderngl.BLEND)
    array.texture.use(0)
    out = []
    for layer in range(3):
        program["t"].value, program["level"].value, program["layer"].value = 0, level, layer  # type: ignore[union-attr]
        ctx.vertex_array(program, []).render(moderngl.TRIANGLES, vertices=3)
        out.append(np.frombuffer(target.read(components=4), np.uint8).reshape(height, width, 4))
    return out
