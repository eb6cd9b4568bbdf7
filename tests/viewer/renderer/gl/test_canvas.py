"""A canvas of whatever size its window is."""

from __future__ import annotations

import ctypes
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


def test_a_canvas_gives_back_what_it_was_drawn_into(ctx: moderngl.Context) -> None:
    """A window whose edge was dragged about grew by 2 GB."""
    load = ctx.mglo._context.load_opengl_function  # type: ignore[attr-defined]
    is_there = ctypes.CFUNCTYPE(ctypes.c_ubyte, ctypes.c_uint)(load("glIsRenderbuffer"))
    canvas = Canvas(ctx, (20, 10))
    first = canvas._colors.glo
    for number in range(5):
        canvas.resize((21 + number, 10))
    last = canvas._colors.glo
    assert [is_there(name) for name in (*range(first, last), last)] == [0] * (last - first) + [1]
    canvas.release()
    assert not is_there(last)
