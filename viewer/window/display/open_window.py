"""Opening the window that everything else is drawn into."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any, Final

from engine.strangers import hush_loggers
from viewer.renderer.driver_cache import hold_index
from viewer.renderer.driver_code import code_trouble
from viewer.renderer.driver_settings import settings_trouble
from viewer.renderer.driver_threads import settle_driver_threads
from viewer.renderer.driver_words import hush_driver
from viewer.renderer.memory_left import refuse_window
from viewer.user_error import UserError
from viewer.window.display.lost_window import end_with_the_server
from viewer.window.display.refused_window import made_or_refused
from viewer.window.display.screens import find_screens_anyway
from viewer.window.display.trouble import window_trouble
from viewer.window.display.unheard import end_where_interrupts_go_unheard
from viewer.window.sharing.x11_property import work_area
from viewer.window.user_files.window_place import WindowPlace

HIDDEN: Final = "PYGLET_HEADLESS"


def open_window(
    size: tuple[int, int], *, vsync: bool = True, saved: WindowPlace | None = None, fit: bool = False
) -> Any:
    """A moderngl-window window with an OpenGL 3.3 context that is current; where it was ``saved``, if it was.

    With ``fit`` it is no larger than its screen has room. Raises UserError where there is no display, no
    OpenGL 3.3, a limit leaves no memory for it, or what draws may not do what it does.
    """
    refuse_window(size[0] * size[1])
    if os.environ.get(HIDDEN, "").lower() in ("1", "true"):
        raise UserError(f"no window can be opened here: {HIDDEN} is set, and windows are not shown; unset it")
    if complaint := settings_trouble():
        raise UserError(f"no window can be opened here: {complaint}")
    hush_driver()
    settle_driver_threads()
    end_where_interrupts_go_unheard()
    hush_loggers()  # moderngl-window's and pyglet's
    try:
        from pyglet.display import get_display

        display = get_display()
        end_with_the_server(display)
        find_screens_anyway(display)  # to load its windows asks for screens
        from moderngl_window import activate_context
        from moderngl_window.context.pyglet import Window

        room = _room(saved)
        if fit:
            size = min(size[0], room.width), min(size[1], room.height)
        with made_or_refused():
            window = Window(title="Holtwalk", size=size, gl_version=(3, 3), resizable=True, vsync=vsync)
    except Exception as error:
        raise UserError(f"no window can be opened here: {window_trouble(error)}") from error
    window.exit_key = None
    window.fullscreen_key = None
    activate_context(window=window)
    if complaint := code_trouble(window.ctx.info["GL_RENDERER"]):
        raise UserError(f"no window can be opened here: {complaint}")
    hold_index()
    if saved is not None:
        place = replace(saved, width=size[0], height=size[1]).on_screen(room)
        pyglet_window(window).set_location(place.left, place.top)
    return window


def _room(saved: WindowPlace | None) -> WindowPlace:
    """Of the screen that most of a kept window is on, else of the first, what bars leave of it.

    What they take is known of X11 alone. Raises what pyglet does where there is no display.
    """
    from pyglet.display import get_display

    display = get_display()
    first = display.get_default_screen()
    found = [WindowPlace(s.x, s.y, s.width, s.height) for s in (first, *display.get_screens())]
    screen = found[0] if saved is None else max(found, key=saved.shared_with)
    area = work_area(display) if hasattr(display, "_display") else None
    return screen if area is None else screen.within(area)


def pyglet_window(window: Any) -> Any:
    """The window of pyglet's that one of moderngl-window's stands on; it has no public name there."""
    return window._window  # noqa: SLF001


def show_closed(window: Any) -> None:
    """Have one of pyglet's that was closed vanish now: what is asked of X waits for company otherwise."""
    if hasattr(window, "_x_display"):
        from pyglet.libs.x11 import xlib

        xlib.XFlush(window._x_display)  # noqa: SLF001 - it has no public name there
