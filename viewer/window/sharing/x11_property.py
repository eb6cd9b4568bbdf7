"""What a property of a window holds under X11, by which programs hand each other what they share."""

from __future__ import annotations

from ctypes import POINTER, byref, c_int, c_ubyte, c_ulong, cast, string_at
from typing import Any

from engine.named_tuple import NamedTuple
from viewer.window.user_files.window_place import WindowPlace


class X11Property(NamedTuple):
    """What a property holds: the atom of its type, 0 where it is not there, and bytes or numbers.

    ``is_whole`` says that there was no more than was asked for.
    """

    kind: int = 0
    data: bytes = b""
    numbers: tuple[int, ...] = ()
    is_whole: bool = True


def read_property(display: Any, window: int, name: int, most: int, *, takes_away: bool) -> X11Property:
    """A property of any window, of at most so many bytes; nothing where the window is gone.

    It is taken away only where it was read to its end.
    """
    from pyglet.libs.x11 import xlib

    kind, bits, count, rest = xlib.Atom(), c_int(), c_ulong(), c_ulong()
    place = POINTER(c_ubyte)()
    xlib.XGetWindowProperty(
        display, window, name, 0, most // 4, takes_away, xlib.AnyPropertyType,
        byref(kind), byref(bits), byref(count), byref(rest), byref(place),
    )  # fmt: skip
    if not place:
        return X11Property(int(kind.value))
    data = string_at(place, count.value) if bits.value == 8 else b""
    is_long = bits.value == 32  # which are a long to Xlib, however long that is
    numbers = tuple(cast(place, POINTER(c_ulong))[: count.value]) if is_long else ()
    xlib.XFree(place)
    return X11Property(int(kind.value), data, numbers, is_whole=not rest.value)


def work_area(display: Any) -> WindowPlace | None:
    """What the bars of a desktop leave of all its screens, of a display of pyglet; None if unsaid."""
    from pyglet.libs.x11 import xlib

    on = display._display  # noqa: SLF001 - pyglet has no other name for it
    name = xlib.XInternAtom(on, b"_NET_WORKAREA", 0)
    root = xlib.XDefaultRootWindow(on)
    numbers = read_property(on, root, name, 16, takes_away=False).numbers
    return WindowPlace(*(int(n) for n in numbers[:4])) if len(numbers) >= 4 and all(numbers[2:4]) else None
