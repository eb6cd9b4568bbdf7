"""A window that another program takes away ends the walk, and what is kept stays right."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.needed import only_where
from tests.viewer.window.bare_window import bare_app
from viewer.window.lost_window import tell_of_loss
from viewer.window.open_window import pyglet_window
from viewer.window.user_files.window_place import PlaceFile

pytestmark = [pytest.mark.gl, only_where(so=sys.platform == "linux", why="there is no X11")]


def test_a_window_that_is_destroyed_ends_the_walk_and_its_place_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from pyglet.libs.x11 import xlib

    with bare_app(tmp_path, monkeypatch) as app:
        window: Any = app.window
        pyglet: Any = pyglet_window(window)
        pyglet._x_display, pyglet._event_handlers = object(), {}
        tell_of_loss(pyglet, app._lose)
        frames: list[int] = []

        def swap() -> None:
            frames.append(len(frames))
            if len(frames) == 3:
                pyglet._event_handlers[xlib.DestroyNotify](None)

        window.swap_buffers = swap
        app.place_file = PlaceFile(tmp_path / "window.toml")
        with monkeypatch.context() as patch:
            for part in (app.overlay, app.walk, app.clipboard):
                patch.setattr(part, "close", lambda: None)  # that is done once, below
            app.run()
    assert len(frames) == 3
    assert capsys.readouterr().err == "holtwalk: the window is gone: another program destroyed it\n"
    assert not (tmp_path / "window.toml").exists()
    assert not window.is_closing  # pyglet would wait for the end of what is gone


def test_a_window_that_is_not_x11s_is_left_as_it_is() -> None:
    window = SimpleNamespace(_event_handlers={})
    tell_of_loss(window, lambda: None)
    assert window._event_handlers == {}
