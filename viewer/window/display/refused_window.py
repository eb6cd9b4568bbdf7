"""Making a window under X11 whatever the depth of its screen, or saying that the server makes none.

pyglet waits until its window is shown, deaf to all else, and passes over the server's word that it made none.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from viewer.terminal import say

CREATE_WINDOW = 1  # the request's number in the X protocol
_MASK, _ATTRIBUTES = 10, 11  # places among XCreateWindow's arguments


@contextmanager
def made_or_refused() -> Iterator[None]:
    """Within, a window that the X server refuses ends the process with one line and exit code 2."""
    if sys.platform != "linux":
        yield
        return
    from pyglet.libs.x11 import xlib

    create = xlib.XCreateWindow
    before = xlib.XSetErrorHandler(_refusing())
    xlib.XCreateWindow = bordered(create, xlib.CWBorderPixel)
    try:
        yield
    finally:
        xlib.XCreateWindow = create
        xlib.XSetErrorHandler(before)


def bordered(create: Callable[..., Any], border_pixel: int) -> Callable[..., Any]:
    """XCreateWindow that names the border's colour, too.

    Without it the border is the parent's, which X refuses for a picture of another depth: 24 bits on a
    screen of 16 or 30.
    """

    def make(*words: Any) -> Any:
        return create(*words[:_MASK], words[_MASK] | border_pixel, *words[_ATTRIBUTES:])

    return make


@cache
def _refusing() -> Any:
    """Xlib's handler, kept as long as the process: it may be called to the last."""
    from pyglet.libs.x11 import xlib

    return xlib.XErrorHandler(_look_at)


def _look_at(_display: object, event: Any) -> int:
    if event.contents.request_code == CREATE_WINDOW:
        say("no window can be opened here: the X server refuses to make it")
        os._exit(2)  # nothing can be raised through Xlib
    return 0
