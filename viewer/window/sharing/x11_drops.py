"""What is dragged onto the window under X11, by the protocol XDND.

pyglet has a part of it that never takes a file: the answer that names the files comes without an event mask,
and pyglet asks the server for masked events only. It fails at what is offered in few forms, and at a program
that leaves the first message out.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from ctypes import byref
from typing import Any, Final
from urllib.parse import unquote_to_bytes

from viewer.window.sharing.x11_property import read_property

MOST: Final = 1 << 20
"""Bytes of the names of what is dropped at once."""
_SCHEME = b"file:"


class X11Drops:
    """Answers who drags something over one of pyglet's windows; ``serve`` must be called often.

    ``dropped`` is told the paths of what is dropped there, none where it is no file.
    """

    def __init__(self, window: Any, dropped: Callable[[list[str]], object]) -> None:
        from pyglet.libs.x11 import xlib

        self._x = xlib
        self._window = window
        self._display = window._x_display  # noqa: SLF001 - pyglet tells it nowhere else
        self._dropped = dropped
        self._source = 0
        self._takes = False
        names = (b"text/uri-list", b"XdndSelection", b"XdndTypeList", b"XdndActionCopy", b"HOLTWALK_DROPPED")
        self._uris, self._selection, self._types, self._copy, self._property = map(self._atom, names)
        self._status, self._finished = self._atom(b"XdndStatus"), self._atom(b"XdndFinished")
        window._event_drag_enter = self._enter  # noqa: SLF001 - what pyglet calls at each of the messages
        window._event_drag_position = self._move  # noqa: SLF001
        window._event_drag_drop = self._drop  # noqa: SLF001

    def serve(self) -> None:
        """Take what was asked for since the last call, and has come."""
        event = self._x.XEvent()
        while self._x.XCheckTypedWindowEvent(
            self._display, self._ours, self._x.SelectionNotify, byref(event)
        ):
            notice = event.xselection
            if notice.selection == self._selection and self._source:
                self._take(notice.property)

    def _take(self, place: int) -> None:
        """Read the names that were put into a property, 0 where the other program has none."""
        found = b""
        if place:
            read = read_property(self._display, self._ours, place, MOST, takes_away=True)
            found = read.data if read.is_whole else b""
        paths = files_of(found)
        self._end(took=bool(paths))
        self._dropped(paths)

    # -- messages of who drags

    def _enter(self, event: Any) -> None:
        words = event.xclient.data.l
        self._source, types = words[0], words[2:5]
        if words[1] & 1:  # more forms than there is room for
            types = read_property(self._display, self._source, self._types, MOST, takes_away=False).numbers
        self._takes = self._uris in types

    def _move(self, event: Any) -> None:
        words = event.xclient.data.l
        takes = self._takes and words[0] == self._source
        self._send(words[0], self._status, int(takes), 0, 0, self._copy if takes else 0)

    def _drop(self, event: Any) -> None:
        words = event.xclient.data.l
        if not self._takes or words[0] != self._source:
            self._source = words[0]
            self._end(took=False)
            return
        self._takes = False
        self._x.XConvertSelection(
            self._display, self._selection, self._uris, self._property, self._ours, words[2]
        )

    # -- our answers

    def _end(self, *, took: bool) -> None:
        self._send(self._source, self._finished, int(took), self._copy if took else 0)
        self._source = 0

    def _send(self, window: int, kind: int, *words: int) -> None:
        event = self._x.XEvent()
        message = event.xclient
        message.type, message.message_type, message.format = self._x.ClientMessage, kind, 32
        message.window = window
        for place, word in enumerate((self._ours, *words)):
            message.data.l[place] = word
        self._x.XSendEvent(self._display, window, 0, 0, byref(event))
        self._x.XFlush(self._display)

    @property
    def _ours(self) -> int:
        """Our window's number, which is another one after it has filled the screen."""
        return int(self._window._window)  # noqa: SLF001 - as above

    def _atom(self, name: bytes) -> int:
        return int(self._x.XInternAtom(self._display, name, False))  # noqa: FBT003 -- X's functions take arguments by place


def files_of(listed: bytes) -> list[str]:
    """The paths on this machine that a list of URIs names, a line each, whatever bytes they are of."""
    paths = []
    for line in listed.split(b"\n"):
        uri = line.strip(b"\r\0 \t")
        if uri[: len(_SCHEME)].lower() == _SCHEME:
            path = unquote_to_bytes(uri[len(_SCHEME) :])
            if path.startswith(b"//"):
                host, _, path = path[2:].partition(b"/")
                is_ours = host.lower() in (b"", b"localhost", platform.node().lower().encode())
                path = b"/" + path if is_ours else b""
            if path.startswith(b"/") and b"\0" not in path:
                paths.append(os.fsdecode(path))
    return paths


def take_drops(window: Any, dropped: Callable[[list[str]], object]) -> Callable[[], object]:
    """Have ``dropped`` told of files that are dropped on one of pyglet's windows; to be called every frame.

    Where the window is not X11's pyglet tells of them.
    """
    if not hasattr(window, "_x_display"):
        return lambda: None
    return X11Drops(window, dropped).serve
