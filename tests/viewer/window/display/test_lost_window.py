"""A window that another program takes away ends the walk, and what is kept stays right."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.needed import only_where
from tests.viewer.window.bare_window import bare_app
from tests.viewer.window.driven.xvfb import xvfb
from viewer.window.display.lost_window import tell_of_loss
from viewer.window.display.open_window import pyglet_window
from viewer.window.display.refused_window import CREATE_WINDOW, bordered, made_or_refused
from viewer.window.user_files.user_settings import Settings
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
                patch.setattr(part, "close", lambda **_: None)  # that is done once, below
            app.run()
    assert len(frames) == 3
    assert capsys.readouterr().err == "holtwalk: the window is gone: another program destroyed it\n"
    assert not (tmp_path / "window.toml").exists()
    assert not window.is_closing  # pyglet would wait for the end of what is gone


def test_what_a_held_mouse_button_has_set_is_kept_where_the_window_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A drag is written once it is over; one that a signal or the window's end cut short was lost."""
    with bare_app(tmp_path, monkeypatch) as app:
        app.walk.settings = Settings(tmp_path)
        app.walk.settings.set("fov", 100.0)
        monkeypatch.setattr(type(app.overlay), "mouse_is_down", True)
        app._use_settings()
        assert app.walk.settings.is_unsaved
        app._lose()
        with monkeypatch.context() as patch:
            for part in (app.overlay, app.walk, app.clipboard):
                patch.setattr(part, "close", lambda **_: None)  # that is done once, below
            app.run()
    assert "\nfov = 100" in (tmp_path / "settings.toml").read_text()


CUT_WHILE_IT_OPENS = """
import os, socket, sys
from viewer.main import main
from viewer.window.display import open_window

def cut(display):
    from pyglet.libs.x11 import xlib
    number = xlib.XConnectionNumber(display._display)
    socket.socket(fileno=os.dup(number)).shutdown(socket.SHUT_RDWR)

open_window.work_area = cut
sys.exit(main(["walk", "--demo"]))
"""


@pytest.mark.window
def test_a_server_that_goes_while_the_window_opens_is_one_line(tmp_path: Path) -> None:
    """Xlib ended the process: without a word, or in words of its own."""
    with xvfb("640x480x24") as display:
        done = subprocess.run(
            [sys.executable, "-c", CUT_WHILE_IT_OPENS],
            env={**display.environment, "HOME": str(tmp_path)},
            capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
    assert done.stderr == "holtwalk: the window is gone: the X server ended the connection\n"
    assert done.returncode == 2


def test_a_window_that_is_not_x11s_is_left_as_it_is() -> None:
    window = SimpleNamespace(_event_handlers={})
    tell_of_loss(window, lambda: None)
    assert window._event_handlers == {}


def test_a_window_has_a_border_of_its_own_whatever_the_depth_of_its_screen() -> None:
    asked: list[tuple[Any, ...]] = []
    words = ("display", "root", 0, 0, 64, 48, 0, 24, 1, "visual", 0b101, "attributes")
    bordered(lambda *words: asked.append(words), 0b1000)(*words)
    assert asked == [(*words[:10], 0b1101, "attributes")]


@pytest.mark.parametrize(("request_code", "codes"), [(CREATE_WINDOW, [2]), (CREATE_WINDOW + 1, [])])
def test_a_window_that_the_server_refuses_to_make_is_not_waited_for(
    request_code: int, codes: list[int], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from pyglet.libs.x11 import xlib

    create, left = xlib.XCreateWindow, list[int]()
    monkeypatch.setattr("os._exit", left.append)
    with made_or_refused():
        assert xlib.XCreateWindow is not create
        handler = xlib.XSetErrorHandler(xlib.XErrorHandler())
        handler(None, xlib.XErrorEvent(request_code=request_code))
        xlib.XSetErrorHandler(handler)
    assert (left, xlib.XCreateWindow) == (codes, create)
    said = "holtwalk: no window can be opened here: the X server refuses to make it\n"
    assert capsys.readouterr().err == (said if codes else "")
