"""A window that is taken away under X11: another program destroys it, or the server ends the connection."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import Any, NoReturn

from viewer.terminal import say


def tell_of_loss(window: Any, lost: Callable[[], object]) -> None:
    """Have ``lost`` called when another program destroys one of pyglet's windows.

    The server tells pyglet of that, which passes it on to nobody.
    """
    handlers = getattr(window, "_event_handlers", None)
    if handlers is not None and hasattr(window, "_x_display"):
        from pyglet.libs.x11 import xlib

        handlers[xlib.DestroyNotify] = lambda _event: lost()


def end_with_the_server(display: Any) -> None:
    """End with one line and exit code 2 when the server ends the connection, as it does for `xkill`.

    Xlib ends the process then in any case, also while one of pyglet's displays has no window yet.
    """
    if hasattr(display, "_display"):
        from pyglet.libs.x11 import xlib

        xlib.XSetIOErrorHandler(_ending())


@cache
def _ending() -> Any:
    """Xlib's handler, which is there for as long as the process: it may be called to the last."""
    from pyglet.libs.x11 import xlib

    return xlib.XIOErrorHandler(_end)


def _end(_display: object) -> NoReturn:
    say("the window is gone: the X server ended the connection")
    os._exit(2)  # nothing can be raised through Xlib
