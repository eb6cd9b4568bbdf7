"""The window's program on no window: a context without a screen, events as the window library calls them."""

from __future__ import annotations

from contextlib import contextmanager
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from tests.viewer.goings import walking
from viewer.renderer.gl.context import create_headless
from viewer.window.app import App

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import moderngl
    import pytest

SIZE = (800, 600)


class Keys:
    """What a key event tells of press and release."""

    ACTION_PRESS = "press"
    ACTION_RELEASE = "release"


class Library:
    """Stands for pyglet's window."""

    def __init__(self) -> None:
        self.fullscreen = False
        self.handlers: dict[str, Any] = {}
        self.pressed_keys: set[int] = set()
        self.vsync = True
        self.text = ""
        self.next_event: Callable[[], None] = lambda: None

    def dispatch_events(self) -> None:
        self.next_event()

    def push_handlers(self, **handlers: Any) -> None:
        self.handlers = handlers

    def set_vsync(self, vsync: bool) -> None:  # noqa: FBT001 - as pyglet has it
        self.vsync = vsync

    def set_fullscreen(self, fullscreen: bool) -> None:  # noqa: FBT001 - as pyglet has it
        self.fullscreen = fullscreen

    def get_location(self) -> tuple[int, int]:
        return (0, 0)

    def get_size(self) -> tuple[int, int]:
        return SIZE

    def set_clipboard_text(self, text: str) -> None:
        self.text = text

    def get_clipboard_text(self) -> str:
        return self.text


class BareWindow:
    """Stands for moderngl-window's."""

    keys = Keys

    def __init__(self, ctx: moderngl.Context) -> None:
        self.ctx = ctx
        self.size = self.buffer_size = SIZE
        self.pixel_ratio = 1.0
        self.fbo = ctx.simple_framebuffer(SIZE)
        self._window = Library()
        self.mouse_exclusivity = False
        self.is_closing = False
        self.modifiers = SimpleNamespace(shift=False, ctrl=False, alt=False)

    def use(self) -> None:
        self.fbo.use()

    def close(self) -> None:
        self.is_closing = True

    def destroy(self) -> None:
        pass


class Broken:
    """Whatever is taken from it is as broken; whatever is done with it fails."""

    def __getattr__(self, name: str) -> Broken:
        return Broken()

    def __setattr__(self, name: str, value: object) -> None:
        raise RuntimeError("broken\non purpose")

    def __bool__(self) -> bool:
        raise RuntimeError("broken\non purpose")

    def __getitem__(self, name: object) -> object:
        raise RuntimeError("broken\non purpose")

    def __and__(self, other: object) -> object:
        raise RuntimeError("broken\non purpose")

    def __len__(self) -> int:
        raise RuntimeError("broken\non purpose")

    def __format__(self, form: str) -> str:
        raise RuntimeError("broken\non purpose")

    def __call__(self, *_: object, **__: object) -> object:
        raise RuntimeError("broken\non purpose")


@contextmanager
def bare_app(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    """An app whose picture is one colour, that keeps its files in a folder."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    monkeypatch.setenv("XDG_PICTURES_DIR", str(folder))
    ctx = create_headless()
    app = App(BareWindow(ctx), walking(), lambda _picture, fbo, _size: fbo.clear(0.2, 0.3, 0.4))
    app.walk.tells_widgets = True
    try:
        yield app
    finally:
        app.overlay.close()
        app.clipboard.close()
        app.walk.close()
        ctx.release()
