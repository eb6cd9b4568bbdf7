"""Keys, clicks and boxes of the program on no window, as somebody's hands bring them about."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from viewer.window.app import App

FRAME = 1 / 60
ESCAPE, ENTER, F1, LEFT_CTRL = 0xFF1B, 0xFF0D, 0xFFBE, 0xFFE3
BOXES = ("leave", "dumps", "palette", "teleport", "key_help", "card")


def frames(app: App, count: int = 3) -> None:
    for _ in range(count):
        app._frame(FRAME)


def press(app: App, symbol: int, text: str = "", *, ctrl: bool = False) -> None:
    """A key goes down and up, as the window library tells it."""
    modifiers = SimpleNamespace(shift=False, ctrl=ctrl, alt=False)
    window: Any = app.window
    window.key_event_func(symbol, "press", modifiers)
    if text:
        window.unicode_char_entered_func(text)
    window.key_event_func(symbol, "release", modifiers)


def type_(app: App, text: str) -> None:
    for sign in text:
        press(app, ord(sign.lower()), sign)


def open_box(app: App, name: str) -> None:
    if name == "dumps":
        app.boxes.dumps.open(lambda: None, lambda: None)
    elif name == "teleport":
        app.boxes.teleport.open("")
    elif name == "key_help":
        app.boxes.key_help.toggle()
    else:
        getattr(app.boxes, name).open()


def open_menu(app: App) -> None:
    frames(app)
    x, y = app.walk.widgets["menu Look"]
    window: Any = app.window
    window.mouse_position_event_func(x, y, 0, 0)
    frames(app)
    window.mouse_press_event_func(x, y, 1)
    frames(app)
    window.mouse_release_event_func(x, y, 1)
    frames(app)
    assert app.overlay.has_menu
