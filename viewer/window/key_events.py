"""Which key an event of the window library tells of: its sign, its place and its number, on each platform."""

from __future__ import annotations

import ctypes
import sys
from typing import Any

from viewer.tables.key_names import USER_KEY, Key, macos_key, windows_key, x11_key


class KeyReader:
    """Reads the keys of one window of pyglet.

    Under X11 pyglet gives a symbol only, which changes while Shift is held: a key let go under another
    symbol than it went down with would be down for ever. Here every key is told by its keycode, and its
    symbol is kept aside.
    """

    def __init__(self, window: Any) -> None:
        self._symbols: dict[int, int | None] = {}
        self._is_x11 = hasattr(window, "_event_text_symbol")
        if self._is_x11:
            self._ask_x11(window)

    def key(self, symbol: int | None) -> Key:
        """The key of the event under way."""
        if self._is_x11 and symbol is not None and symbol >> USER_KEY in self._symbols:
            keycode = symbol >> USER_KEY
            return x11_key(keycode, self._symbols[keycode])
        if sys.platform == "darwin":
            return macos_key(_macos_keycode(), symbol)
        return windows_key(symbol or 0, _windows_scan_code(symbol or 0))

    def _ask_x11(self, window: Any) -> None:
        read = window._event_text_symbol  # noqa: SLF001 - pyglet tells a keycode nowhere else

        def text_and_keycode(event: Any) -> tuple[str | None, int | None]:
            keycode = int(event.xkey.keycode)
            try:
                text, symbol = read(event)
            except (TypeError, ValueError, NotImplementedError):  # a key that types more than one character
                text, symbol = None, 0
            if symbol is None or not keycode:  # a letter that an input method put together
                return text, None
            self._symbols[keycode] = symbol
            return text, keycode << USER_KEY

        window._event_text_symbol = text_and_keycode  # noqa: SLF001


def forget_keys(window: Any) -> None:
    """Let pyglet forget which keys are down: what is let go in another window is never told to this one."""
    down = getattr(window, "pressed_keys", None)
    if down is not None:
        down.clear()


def _macos_keycode() -> int:
    """The virtual keycode of the event that Cocoa is handing out."""
    from pyglet.libs.darwin import cocoapy

    application = cocoapy.ObjCClass("NSApplication").sharedApplication()
    return ctypes.c_ushort(application.currentEvent().keyCode()).value


def _windows_scan_code(symbol: int) -> int:
    """Where the layout has a symbol or a virtual-key code that was shifted up, 0 where it has it nowhere."""
    scan_code = 0
    if sys.platform == "win32":
        user32 = ctypes.windll.user32
        code = symbol >> USER_KEY
        if not code and symbol < 0x80:
            code = user32.VkKeyScanW(symbol) & 0xFF
        scan_code = user32.MapVirtualKeyW(code, 0)
    return scan_code
