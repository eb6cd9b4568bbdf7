"""The clipboard under X11: whoever copied answers, for as long as it has the text, everyone who pastes.

pyglet never gets to see the questions of other programs: they come without an event mask, and it asks the
server for masked events only. Here they come to a window and connection of their own.
"""

from __future__ import annotations

import time
from ctypes import POINTER, byref, c_ubyte, c_ulong, cast
from typing import Any, Final

from engine.files.read import readable
from viewer.window.sharing.x11_property import read_property

PATIENCE: Final = 1.0
"""Seconds that a program that owns the clipboard may take to answer."""
LARGEST: Final = 200_000
"""Bytes of text that one request to the server holds, and that anybody would type into a box."""
_ATOM, _STRING = 4, 31  # predefined atoms


class NoClipboardError(Exception):
    """The X server can't be reached once more."""


class X11Clipboard:
    """Takes and gives text; ``serve`` must be called often, or who pastes our text waits.

    ``display`` is the server's name, as in ``:0``. Raises NoClipboardError.
    """

    def __init__(self, display: bytes | None = None) -> None:
        from pyglet.libs.x11 import xlib

        self._x = xlib
        self._display = xlib.XOpenDisplay(display)
        if not self._display:
            raise NoClipboardError
        self._window = xlib.XCreateSimpleWindow(
            self._display, xlib.XDefaultRootWindow(self._display), 0, 0, 1, 1, 0, 0, 0
        )
        xlib.XSelectInput(self._display, self._window, xlib.PropertyChangeMask)
        self._clipboard, self._utf8, self._targets, self._incremental, self._property = map(
            self._atom, (b"CLIPBOARD", b"UTF8_STRING", b"TARGETS", b"INCR", b"HOLTWALK_PASTED")
        )
        self._encodings = {
            self._utf8: "utf-8",
            self._atom(b"text/plain;charset=utf-8"): "utf-8",
            self._atom(b"text/plain"): "utf-8",
            self._atom(b"TEXT"): "utf-8",
            _STRING: "latin-1",
        }
        self._text: str | None = None

    def put(self, text: str) -> bool:
        """Copy a text; whether others can paste it now."""
        x = self._x
        if len(text.encode("utf-8", "replace")) > LARGEST:
            return False
        x.XSetSelectionOwner(self._display, self._clipboard, self._window, x.CurrentTime)
        if x.XGetSelectionOwner(self._display, self._clipboard) != self._window:
            return False
        self._text = text
        return True

    def get(self) -> str:
        """The text that was copied last, by whomever; empty where there is none to be had."""
        self.serve()
        if self._text is not None:
            return self._text
        for target in (self._utf8, _STRING):
            data = self._convert(target)
            if data is not None:
                return data.decode(self._encodings[target], "replace")
        return ""

    def serve(self) -> None:
        """Answer what other programs have asked since the last call."""
        while self._x.XPending(self._display):
            self._next_event()

    def close(self) -> None:
        """Give the clipboard up."""
        self._x.XCloseDisplay(self._display)

    def _atom(self, name: bytes) -> int:
        return int(self._x.XInternAtom(self._display, name, False))  # noqa: FBT003 -- X's functions take arguments by place

    def _next_event(self) -> Any:
        event = self._x.XEvent()
        self._x.XNextEvent(self._display, byref(event))
        if event.type == self._x.SelectionRequest:
            self._answer(event.xselectionrequest)
        elif event.type == self._x.SelectionClear and event.xselectionclear.selection == self._clipboard:
            self._text = None
        return event

    # -- what we copied

    def _answer(self, request: Any) -> None:
        x = self._x
        answer = x.XEvent()
        notice = answer.xselection
        notice.type = x.SelectionNotify
        notice.display, notice.requestor = request.display, request.requestor
        notice.selection, notice.target, notice.time = request.selection, request.target, request.time
        place = request.property or request.target  # who asks in the old way names no property
        notice.property = place if self._text is not None and self._write(request, place) else 0
        x.XSendEvent(self._display, request.requestor, 0, 0, byref(answer))
        x.XFlush(self._display)

    def _write(self, request: Any, place: int) -> bool:
        """Put the text where it was asked for; whether it can be had in that form."""
        if request.target == self._targets:
            atoms = (self._targets, *self._encodings)
            data = cast((c_ulong * len(atoms))(*atoms), POINTER(c_ubyte))  # 32 bits are a long to Xlib
            self._change(request.requestor, place, _ATOM, bits=32, data=data, count=len(atoms))
        elif request.target in self._encodings and self._text is not None:
            encoded = self._text.encode(self._encodings[request.target], "replace")
            data = cast((c_ubyte * len(encoded)).from_buffer_copy(encoded), POINTER(c_ubyte))
            self._change(request.requestor, place, request.target, bits=8, data=data, count=len(encoded))
        else:
            return False
        return True

    def _change(self, window: int, place: int, kind: int, *, bits: int, data: Any, count: int) -> None:
        x = self._x
        x.XChangeProperty(self._display, window, place, kind, bits, x.PropModeReplace, data, count)

    # -- what others copied

    def _convert(self, target: int) -> bytes | None:
        """The clipboard as its owner turns it into a target, None where it doesn't."""
        x = self._x
        until = time.monotonic() + PATIENCE
        x.XDeleteProperty(self._display, self._window, self._property)
        x.XConvertSelection(
            self._display, self._clipboard, target, self._property, self._window, x.CurrentTime
        )
        while (event := self._wait(until)) is not None:
            if event.type == x.SelectionNotify and event.xselection.target == target:
                if not event.xselection.property:
                    return None
                kind, data = self._take()
                return self._take_parts(until) if kind == self._incremental else data
        return None

    def _take_parts(self, until: float) -> bytes | None:
        """A text that comes in parts, each after the one before was taken; an empty one ends it."""
        whole = b""
        while (event := self._wait(until)) is not None:
            if event.type == self._x.PropertyNotify and event.xproperty.state == self._x.PropertyNewValue:
                kind, data = self._take()
                whole += data
                if kind and not data:
                    return whole
                if len(whole) > LARGEST:
                    return None
        return None

    def _take(self) -> tuple[int, bytes]:
        """What the property holds, by type, and take it away; type 0 where there is nothing."""
        found = read_property(self._display, self._window, self._property, LARGEST, takes_away=True)
        if not found.is_whole:  # larger than anybody would paste here: it is not taken away either
            self._x.XDeleteProperty(self._display, self._window, self._property)
            return found.kind, b""
        return found.kind, found.data

    def _wait(self, until: float) -> Any:
        """The next event, None where none comes in time."""
        while not self._x.XPending(self._display):
            left = until - time.monotonic()
            if left <= 0:
                return None
            readable(self._x.XConnectionNumber(self._display), left)
        return self._next_event()
