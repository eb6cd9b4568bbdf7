"""Off screen an interrupt is heard while the driver draws, however long that takes."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from viewer.renderer.gl import waiting
from viewer.renderer.gl.array_texture import ArrayTexture, mip_levels
from viewer.renderer.gl.canvas import Canvas
from viewer.renderer.gl.context import RawGl
from viewer.renderer.gl.framebuffer import SceneTarget
from viewer.renderer.gl.waiting import FIRST, MOST, Waiting, at_once, draw_range, portions, settle

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


class Drawn:
    """A vertex array that remembers what was drawn of it, and when its context was waited for."""

    def __init__(self, ctx: moderngl.Context, settled: list[Any]) -> None:
        self.ctx = ctx
        self._settled = settled
        self.calls: list[tuple[int, int, int, int]] = []

    def render(self, _: int, size: int, *, first: int, instances: int) -> None:
        self.calls.append((first, size, instances, len(self._settled)))


def test_long_ranges_are_drawn_in_portions_each_once_the_one_before_is_there(
    ctx: moderngl.Context, settled: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What fills the driver is waited for within the call, deaf to Ctrl+C: for minutes, of a large model."""
    monkeypatch.setattr(Waiting, "room", 300)
    vao: Any = Drawn(ctx, settled)
    draw_range(vao, 4, 120, first=6)
    draw_range(vao, 4, 90, first=200)
    assert vao.calls == [(6, 120, 1, 0), (200, 90, 1, 0)]
    draw_range(vao, 4, 1500)
    sizes = [(first, size) for first, size, _, _ in vao.calls[2:]]
    assert sum(size for _, size in sizes) == 1500
    assert [first for first, _ in sizes] == list(np.cumsum([0, *[size for _, size in sizes][:-1]]))
    assert [waits for *_, waits in vao.calls[2:]] == list(range(1, len(sizes) + 1))


def test_a_thing_is_not_parted_where_it_is_drawn_in_several_places(
    ctx: moderngl.Context, settled: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is drawn as a whole before the next, so that what lies in one plane looks the same."""
    monkeypatch.setattr(Waiting, "room", 300)
    assert [at_once(ctx, corners, 32) for corners in (3, 30, 200, 9000)] == [32, 10, 1, 1]
    vao: Any = Drawn(ctx, settled)
    draw_range(vao, 4, 200, instances=2)
    assert vao.calls == [(0, 200, 2, 0)]


def test_ranges_that_are_drawn_in_one_call_are_parted_between_them(
    ctx: moderngl.Context, settled: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Waiting, "room", 300)
    parts = list(portions(ctx, np.array([100, 200, 3, 900, 6, 6], np.int32)))
    assert [(part.start, part.stop) for part in parts] == [(0, 2), (2, 3), (3, 4), (4, 6)]
    assert len(settled) == 3


@pytest.mark.parametrize(("seconds", "then"), [(0.01, 2 * FIRST), (0.5, FIRST), (9.0, FIRST // 2)])
def test_portions_are_as_large_as_the_driver_is_quick(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, seconds: float, then: int
) -> None:
    now = iter((0.0, seconds))
    monkeypatch.setattr(waiting, "time", SimpleNamespace(perf_counter=lambda: next(now), process_time=float))
    room = Waiting(ctx)
    room.make_room(MOST)
    room.make_room(6)
    assert room.portion == then
    assert then % 6 == 0


def test_what_is_waited_for_too_long_is_drawn_no_further(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forty thousand panes, each as large as the picture, of a scene of 5 kB took over ten minutes."""
    now = [0.0]
    monkeypatch.setattr(waiting, "time", SimpleNamespace(process_time=lambda: now[0], perf_counter=float))
    monkeypatch.setattr(Waiting, "settle", lambda _: now.append(now.pop() + 150.0))
    monkeypatch.setattr(Waiting, "room", 300)
    monkeypatch.setattr(ctx, "extra", Waiting(ctx))
    vao: Any = Drawn(ctx, [])
    draw_range(vao, 4, 3000)
    assert [first for first, *_ in vao.calls] == [0, 300, 600, 900]  # three waits, of 150 s each
    assert waiting.is_late(ctx)
    assert list(portions(ctx, np.array([3, 3], np.int32))) == []
    waiting.begin_picture(ctx)
    assert not waiting.is_late(ctx)
    draw_range(vao, 4, 30)
    assert len(vao.calls) == 5


@pytest.mark.parametrize(
    ("size", "room"), [((1280, 720), 600), ((640, 360), 2400), ((64, 36), 120_000), ((4096, 4096), 30)]
)
def test_of_a_larger_picture_less_is_asked_for_at_once_and_of_a_smaller_one_more(
    ctx: moderngl.Context, size: tuple[int, int], room: int
) -> None:
    """A thousand panes before one another are seven minutes at 4096x4096."""
    before = ctx.viewport
    ctx.viewport = (0, 0, *size)
    assert Waiting(ctx).room == room
    ctx.viewport = before


def test_in_a_window_all_is_drawn_at_once(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctx, "extra", None)
    vao: Any = Drawn(ctx, [])
    draw_range(vao, 4, 100 * MOST, first=9, instances=3)
    assert vao.calls == [(9, 100 * MOST, 3, 0)]
    assert at_once(ctx, 100 * MOST, 32) == 32
    assert list(portions(ctx, np.array([MOST, MOST], np.int32))) == [slice(0, 2)]
