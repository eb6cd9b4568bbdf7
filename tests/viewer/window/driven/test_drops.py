"""What another program drags onto a window of X11's is taken where it is a file, and ends nothing else."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from ctypes import byref
from types import SimpleNamespace
from typing import Any

import pytest

from tests.viewer.window.driven.dragging import Dragging
from tests.viewer.window.driven.xvfb import xvfb
from viewer.window.sharing.x11_drops import X11Drops, files_of

pytestmark = pytest.mark.window
URIS = "text/uri-list"
HANDLERS = {"Enter": "_event_drag_enter", "Position": "_event_drag_position", "Drop": "_event_drag_drop"}
"""What pyglet calls at each message."""


class Shown:
    """A window whose messages are handed on as pyglet does, and what was dropped on it."""

    def __init__(self, display: str) -> None:
        from pyglet.libs.x11 import xlib

        self.x: Any = xlib
        connection = xlib.XOpenDisplay(display.encode())
        window = xlib.XCreateSimpleWindow(
            connection, xlib.XDefaultRootWindow(connection), 0, 0, 9, 9, 0, 0, 0
        )
        self._names = {xlib.XInternAtom(connection, f"Xdnd{n}".encode(), 0): n for n in HANDLERS}
        self.pyglet: Any = SimpleNamespace(_x_display=connection, _window=window)
        self.dropped: list[list[str]] = []
        self.drops = X11Drops(self.pyglet, self.dropped.append)

    def frame(self) -> None:
        """Hand on what has come, and serve."""
        event, pyglet = self.x.XEvent(), self.pyglet
        self.x.XSync(pyglet._x_display, 0)
        while self.x.XCheckTypedWindowEvent(
            pyglet._x_display, pyglet._window, self.x.ClientMessage, byref(event)
        ):
            getattr(pyglet, HANDLERS[self._names[event.xclient.message_type]])(event)
        self.drops.serve()
        self.x.XSync(pyglet._x_display, 0)


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    with xvfb("320x240x24") as made:
        yield made.environment["DISPLAY"]


@pytest.fixture
def shown(display: str) -> Iterator[Shown]:
    made = Shown(display)
    yield made
    made.x.XCloseDisplay(made.pyglet._x_display)


@pytest.fixture
def dragging(display: str, shown: Shown) -> Iterator[Dragging]:
    made = Dragging(display, shown.pyglet._window)
    yield made
    made.close()


def dragged(shown: Shown, dragging: Dragging, data: bytes) -> list[tuple[str, int]]:
    """Move, drop, hand over; what the window answered."""
    dragging.move()
    shown.frame()
    dragging.drop()
    shown.frame()
    dragging.hand_over(data)
    shown.frame()
    return dragging.answers()


def test_a_file_that_is_dropped_is_told_once_and_the_other_program_hears_so(
    shown: Shown, dragging: Dragging
) -> None:
    for _ in range(2):
        dragging.enter("text/plain", URIS)
        answers = dragged(shown, dragging, b"file:///a%20b/caf%E9\r\nfile://localhost/c\r\n")
        assert answers == [("XdndStatus", 1), ("XdndFinished", 1)]
    assert shown.dropped == [[os.fsdecode(b"/a b/caf\xe9"), "/c"]] * 2


def test_what_is_no_file_is_refused_while_it_is_dragged(shown: Shown, dragging: Dragging) -> None:
    dragging.enter("text/plain")
    assert dragged(shown, dragging, b"") == [("XdndStatus", 0), ("XdndFinished", 0)]
    assert shown.dropped == []


def test_a_drag_whose_first_message_is_missing_is_refused(shown: Shown, dragging: Dragging) -> None:
    assert dragged(shown, dragging, b"file:///a\r\n") == [("XdndStatus", 0), ("XdndFinished", 0)]
    assert shown.dropped == []


def test_a_drop_without_a_file_of_this_machine_is_told_as_none(shown: Shown, dragging: Dragging) -> None:
    for data in (b"\xff\xfe\x00f", b"file://[bad/a", b"https://a/b", b"file:///a%00b", b"x" * 1_100_000):
        dragging.enter(URIS)
        assert dragged(shown, dragging, data)[-1] == ("XdndFinished", 0)
    assert shown.dropped == [[]] * 5


def test_a_list_of_uris_has_comments_and_hosts() -> None:
    here = platform.node().encode()
    listed = b"# /no\r\nfile:/a\r\n\r\nFILE:///b\nfile://" + here + b"/c\r\nfile://elsewhere.invalid/d"
    assert files_of(listed) == ["/a", "/b", "/c"]
