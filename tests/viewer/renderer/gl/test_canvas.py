"""A canvas of whatever size its window is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from viewer.renderer.gl.canvas import Canvas

if TYPE_CHECKING:
    import moderngl

pytestmark = pytest.mark.gl


def test_a_window_longer_than_the_driver_makes_a_picture_has_one_as_long_as_it_does(
    ctx: moderngl.Context,
) -> None:
    """One 17,000 pixels wide ended the program."""
    most = ctx.info["GL_MAX_RENDERBUFFER_SIZE"]
    canvas = Canvas(ctx, (most + 1, 2))
    assert canvas.size == canvas.image().size == (most, 2)
    assert canvas.resize((3, most + 1000)) == canvas.size == canvas.image().size == (3, most)
    assert canvas.resize((30, 20)) == canvas.size == canvas.image().size == (30, 20)
    canvas.release()
    assert Canvas(ctx, (100, 200), longest=150).size == (100, 150)
