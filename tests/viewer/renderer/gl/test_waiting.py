"""Off screen an interrupt is heard while the driver draws, however long that takes."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from viewer.renderer.gl import waiting
from viewer.renderer.gl.array_texture import ArrayTexture, mip_levels
from viewer.renderer.gl.canvas import Canvas
from viewer.renderer.gl.context import RawGl
from viewer.renderer.gl.framebuffer import SceneTarget
from viewer.renderer.gl.waiting import Waiting, settle

if TYPE_CHECKING:
    from collections.abc import Iterator

    import moderngl

pytestmark = pytest.mark.gl

SLOW = """
#version 330
uniform int u_turns;
out vec4 color;
void main() {
    float x = gl_FragCoord.x;
    for (int i = 0; i < u_turns; i++) x = fract(sin(x) * 43758.5453);
    color = vec4(x);
}
"""
CORNERS = """
#version 330
void main() {
    gl_Position = vec4(float(gl_VertexID % 2) * 4.0 - 1.0, float(gl_VertexID / 2) * 4.0 - 1.0, 0.0, 1.0);
}
"""


@pytest.fixture
def settled(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """Which contexts have been waited for."""
    calls: list[Any] = []
    monkeypatch.setattr(Waiting, "settle", lambda self: calls.append(self))  # noqa: PLW0108 - as a method
    monkeypatch.setattr(ctx, "extra", Waiting(ctx))
    yield calls
    assert all(call is ctx.extra for call in calls)


def test_pictures_are_waited_for_before_they_are_read(ctx: moderngl.Context, settled: list[Any]) -> None:
    raw = RawGl(ctx)
    target = SceneTarget(ctx, raw, 8, 4)
    for number, read in enumerate((target.read_rgba, target.read_stencil, target.read_depth), 1):
        read()
        assert len(settled) == number
    Canvas(ctx, (8, 4)).image()
    assert len(settled) == 4


def test_images_wait_for_what_is_drawn_with_others_of_their_texture(
    ctx: moderngl.Context, settled: list[Any]
) -> None:
    texture = ArrayTexture(ctx, RawGl(ctx), size=(4, 4), layers=2)
    texture.write(0, mip_levels(np.zeros((4, 4, 4), np.uint8)))
    assert len(settled) == 1


def test_what_is_off_screen_is_waited_for_and_what_is_in_a_window_is_not(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(ctx.extra, Waiting)
    monkeypatch.setattr(ctx, "extra", None)
    monkeypatch.setattr(Waiting, "settle", lambda _: pytest.fail("a window waits for nothing"))
    settle(ctx)


def test_others_have_their_turn_in_every_moment_of_a_long_wait(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A picture of 8192x8192 was silent, and deaf to Ctrl+C, for half a minute."""
    moments: list[int] = []
    ours = ctx.extra
    wait = ours._wait

    def counted(*values: Any) -> Any:
        moments.append(threading.get_ident())
        return wait(*values)

    monkeypatch.setattr(ours, "_wait", counted)
    monkeypatch.setattr(waiting, "MOMENT", 1_000_000)
    program = ctx.program(vertex_shader=CORNERS, fragment_shader=SLOW)
    program["u_turns"].value = 4000  # type: ignore[union-attr]
    canvas = Canvas(ctx, (512, 512))
    canvas.fbo.use()
    ctx.vertex_array(program, []).render(vertices=3)
    canvas.image()
    assert len(moments) > 5


def test_an_interrupt_ends_the_wait_and_lets_go_of_the_fence(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_go: list[int] = []
    monkeypatch.setattr(ctx.extra, "_delete", let_go.append)

    def interrupted(*_: Any) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(ctx.extra, "_wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        settle(ctx)
    assert len(let_go) == 1
