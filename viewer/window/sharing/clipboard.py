"""The clipboard of the platform that the window is on."""

from __future__ import annotations

from typing import Any, Protocol


class Clipboard(Protocol):
    """Takes and gives text."""

    def put(self, text: str) -> bool:
        """Copy a text; whether others can paste it now."""

    def get(self) -> str:
        """The text that was copied last, by whomever; empty where there is none to be had."""

    def serve(self) -> None:
        """Answer other programs; called once a frame."""

    def close(self) -> None:
        """The window closes."""


class SystemClipboard:
    """The clipboard of Windows and macOS, which keep what was copied themselves; through pyglet's window."""

    def __init__(self, window: Any) -> None:
        self._window = window

    def put(self, text: str) -> bool:
        """Copy a text; whether it can be read back."""
        self._window.set_clipboard_text(text)
        return self.get() == text

    def get(self) -> str:
        """The text on the clipboard."""
        return self._window.get_clipboard_text() or ""

    def serve(self) -> None:
        """Nothing is asked of us."""

    def close(self) -> None:
        """Nothing is left behind."""


def open_clipboard(window: Any) -> Clipboard:
    """The clipboard for one of pyglet's windows."""
    display = getattr(window, "_x_display", None)
    if display is None:
        return SystemClipboard(window)
    from pyglet.libs.x11 import xlib

    from viewer.window.sharing.x11_clipboard import NoClipboardError, X11Clipboard

    try:
        return X11Clipboard(xlib.XDisplayString(display))
    except NoClipboardError:
        return SystemClipboard(window)
