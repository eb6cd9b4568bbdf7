"""Another program under X11 that drags something over a window, a message at a time."""

from __future__ import annotations

from ctypes import POINTER, byref, c_ubyte, cast
from typing import Any

_VERSION = 5 << 24


class Dragging:
    """Drags onto a window of a display, by a connection and window of its own."""

    def __init__(self, display: str, onto: int) -> None:
        from pyglet.libs.x11 import xlib

        self._x = xlib
        self._display = xlib.XOpenDisplay(display.encode())
        root = xlib.XDefaultRootWindow(self._display)
        self.window = xlib.XCreateSimpleWindow(self._display, root, 0, 0, 1, 1, 0, 0, 0)
        self._onto = onto
        self._selection = self.atom("XdndSelection")
        xlib.XSetSelectionOwner(self._display, self._selection, self.window, xlib.CurrentTime)

    def atom(self, name: str) -> int:
        return int(self._x.XInternAtom(self._display, name.encode(), 0))

    def enter(self, *forms: str) -> None:
        """Come over the window with something in at most three forms."""
        self._send("XdndEnter", self.window, _VERSION, *map(self.atom, forms))

    def move(self) -> None:
        self._send("XdndPosition", self.window, 0, 0, 0, self.atom("XdndActionCopy"))

    def drop(self) -> None:
        self._send("XdndDrop", self.window, 0, self._x.CurrentTime)

    def hand_over(self, data: bytes) -> bool:
        """Give what is dropped where it was asked for; whether it was."""
        x, event = self._x, self._x.XEvent()
        if not x.XCheckTypedEvent(self._display, x.SelectionRequest, byref(event)):
            return False
        asked = event.xselectionrequest
        filled = cast((c_ubyte * len(data)).from_buffer_copy(data), POINTER(c_ubyte))
        x.XChangeProperty(
            self._display, asked.requestor, asked.property, asked.target, 8, 0, filled, len(data)
        )
        answer = x.XEvent()
        notice = answer.xselection
        notice.type, notice.requestor, notice.selection = x.SelectionNotify, asked.requestor, asked.selection
        notice.target, notice.property, notice.time = asked.target, asked.property, asked.time
        x.XSendEvent(self._display, asked.requestor, 0, 0, byref(answer))
        x.XSync(self._display, 0)
        return True

    def answers(self) -> list[tuple[str, int]]:
        """What the window has answered since the last call: the message, and whether it says yes."""
        x, event, said = self._x, self._x.XEvent(), []
        x.XSync(self._display, 0)
        names = {self.atom(name): name for name in ("XdndStatus", "XdndFinished")}
        while x.XCheckTypedEvent(self._display, x.ClientMessage, byref(event)):
            said.append((names[event.xclient.message_type], int(event.xclient.data.l[1])))
        return said

    def close(self) -> None:
        self._x.XCloseDisplay(self._display)

    def _send(self, kind: str, *words: Any) -> None:
        event = self._x.XEvent()
        message = event.xclient
        message.type, message.message_type = self._x.ClientMessage, self.atom(kind)
        message.window, message.format = self._onto, 32
        for place, word in enumerate(words):
            message.data.l[place] = word
        self._x.XSendEvent(self._display, self._onto, 0, 0, byref(event))
        self._x.XSync(self._display, 0)
