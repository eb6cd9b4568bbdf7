"""What a key is called: by what the layout prints on it, and by its place on a US keyboard.

Both names come from one vocabulary (``W``, ``NUMBER_1``, ``PAGE_UP``), so that a key whose own sign nobody
knows still counts by its place. A key that neither tells is ``KEY_`` and the number the system gives it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

USER_KEY: Final = 32
"""The window library shifts the system's number of a key whose sign it does not know so many bits up."""

_SIGNS = {
    " ": "SPACE", "!": "EXCLAMATION", '"': "DOUBLE_QUOTE", "#": "HASH", "$": "DOLLAR", "%": "PERCENT",
    "&": "AMPERSAND", "'": "APOSTROPHE", "(": "LEFT_PARENTHESIS", ")": "RIGHT_PARENTHESIS",
    "*": "ASTERISK", "+": "PLUS", ",": "COMMA", "-": "MINUS", ".": "PERIOD", "/": "SLASH", ":": "COLON",
    ";": "SEMICOLON", "<": "LESS", "=": "EQUAL", ">": "GREATER", "?": "QUESTION", "@": "AT",
    "[": "LEFT_BRACKET", "\\": "BACKSLASH", "]": "RIGHT_BRACKET", "^": "CIRCUMFLEX", "_": "UNDERSCORE",
    "`": "GRAVE", "{": "LEFT_BRACE", "|": "BAR", "}": "RIGHT_BRACE", "~": "TILDE",
    **{digit: f"NUMBER_{digit}" for digit in "0123456789"},
    **{letter: letter.upper() for letter in "abcdefghijklmnopqrstuvwxyz"},
}  # fmt: skip

SYMBOLS: Final[dict[int, str]] = {
    **{ord(sign): name for sign, name in _SIGNS.items()},
    0xFF08: "BACKSPACE", 0xFF09: "TAB", 0xFF0D: "ENTER", 0xFF13: "PAUSE", 0xFF14: "SCROLL_LOCK",
    0xFF15: "SYSTEM_REQUEST", 0xFF1B: "ESCAPE", 0xFF50: "HOME", 0xFF51: "LEFT", 0xFF52: "UP",
    0xFF53: "RIGHT", 0xFF54: "DOWN", 0xFF55: "PAGE_UP", 0xFF56: "PAGE_DOWN", 0xFF57: "END",
    0xFFFF: "DELETE", 0xFF61: "PRINT", 0xFF63: "INSERT", 0xFF67: "MENU", 0xFF6A: "HELP",
    0xFF7F: "NUM_LOCK", 0xFF8D: "NUMPAD_ENTER", 0xFF95: "NUMPAD_HOME", 0xFF96: "NUMPAD_LEFT",
    0xFF97: "NUMPAD_UP", 0xFF98: "NUMPAD_RIGHT", 0xFF99: "NUMPAD_DOWN", 0xFF9A: "NUMPAD_PAGE_UP",
    0xFF9B: "NUMPAD_PAGE_DOWN", 0xFF9C: "NUMPAD_END", 0xFF9D: "NUMPAD_BEGIN", 0xFF9E: "NUMPAD_INSERT",
    0xFF9F: "NUMPAD_DELETE", 0xFFBD: "NUMPAD_EQUAL", 0xFFAA: "NUMPAD_MULTIPLY", 0xFFAB: "NUMPAD_ADD",
    0xFFAC: "NUMPAD_SEPARATOR", 0xFFAD: "NUMPAD_SUBTRACT", 0xFFAE: "NUMPAD_DECIMAL",
    0xFFAF: "NUMPAD_DIVIDE",
    **{0xFFB0 + n: f"NUMPAD_{n}" for n in range(10)},
    **{0xFFBE + n: f"F{n + 1}" for n in range(24)},
    0xFFE1: "LEFT_SHIFT", 0xFFE2: "RIGHT_SHIFT", 0xFFE3: "LEFT_CTRL", 0xFFE4: "RIGHT_CTRL",
    0xFFE5: "CAPS_LOCK", 0xFFE7: "LEFT_META", 0xFFE8: "RIGHT_META", 0xFFE9: "LEFT_ALT",
    0xFFEA: "RIGHT_ALT", 0xFFEB: "LEFT_SUPER", 0xFFEC: "RIGHT_SUPER", 0xFFED: "LEFT_COMMAND",
    0xFFEE: "RIGHT_COMMAND", 0xFFEF: "LEFT_OPTION", 0xFFF0: "RIGHT_OPTION",
}  # fmt: skip
"""Name by the window library's symbol: an X11 keysym, on every platform."""

NAMES: Final = frozenset(SYMBOLS.values())
MODIFIERS: Final = frozenset(
    f"{side}_{key}"
    for side in ("LEFT", "RIGHT")
    for key in ("SHIFT", "CTRL", "ALT", "META", "SUPER", "COMMAND", "OPTION")
)
_TWINS: Final = ("ENTER", "HOME", "LEFT", "UP", "RIGHT", "DOWN", "PAGE_UP", "PAGE_DOWN", "END", "INSERT",
                 "DELETE", "EQUAL")  # fmt: skip


def _row(start: int, signs: str) -> dict[int, str]:
    return {start + n: _SIGNS[sign] for n, sign in enumerate(signs)}


PLACES: Final[dict[int, str]] = {
    **_row(2, "1234567890-="), **_row(16, "qwertyuiop[]"), **_row(30, "asdfghjkl;'`"),
    **_row(43, "\\zxcvbnm,./"), 15: "TAB", 57: "SPACE", 86: "LESS",
}  # fmt: skip
"""Name on a US keyboard by scan code (set 1), which no layout changes; Linux has the same numbers."""

X11_OFFSET: Final = 8
"""An X11 keycode is the scan code and so much."""

MACOS_PLACES: Final[dict[int, str]] = {
    code: _SIGNS[sign]
    for sign, code in zip(
        "asdfhgzxcvbqweryt123465=97-80]ou[ip",
        (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,
         28, 29, 30, 31, 32, 33, 34, 35),
        strict=True,
    )
} | {
    code: _SIGNS[sign]
    for sign, code in zip("lj'k;\\,/nm.` ", (37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 50, 49), strict=True)
} | {48: "TAB"}  # fmt: skip
"""Name on a US keyboard by macOS virtual keycode (``kVK_ANSI_…``), which no layout changes."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key as an event tells it; names that are not known are empty.

    ``symbol`` is what the layout prints on it, ``place`` what stands there on a US keyboard, ``code`` the
    system's own number as ``KEY_38``, which stays the same while other keys are held.
    """

    symbol: str = ""
    place: str = ""
    code: str = ""

    @property
    def identity(self) -> str:
        """What tells a key from every other, from its press to its release."""
        return self.code or self.symbol

    def names(self, chosen: Iterable[str] = ()) -> tuple[str, ...]:
        """What a binding may call it, first what counts first.

        A key of the row of digits is its digit, though AZERTY prints it above another sign, unless that
        sign was ``chosen`` by the user.
        """
        named = [self.code, self.symbol, self.place]
        sign_over_digit = self.place.startswith("NUMBER_") and not self.symbol.startswith("NUMBER_")
        if sign_over_digit and self.symbol not in chosen:
            named = [self.code, self.place, self.symbol]
        return tuple(name for name in (*named, self._twin) if name)

    @property
    def typed(self) -> tuple[str, ...]:
        """What a text box may call it: its sign where the layout has one that is known, else its place."""
        return tuple(name for name in (self.symbol or self.place, self._twin) if name)

    @property
    def _twin(self) -> str:
        """The key that one of the number pad stands for, empty if none."""
        twin = self.symbol.removeprefix("NUMPAD_")
        return twin if twin != self.symbol and twin in _TWINS else ""

    @property
    def shown(self) -> str:
        """The name that the key file should use."""
        return self.symbol or self.place or self.code


def x11_key(keycode: int, symbol: int | None) -> Key:
    """A key by its keycode and what the layout makes of it."""
    return Key(SYMBOLS.get(symbol or 0, ""), PLACES.get(keycode - X11_OFFSET, ""), f"KEY_{keycode}")


def windows_key(symbol: int, scan_code: int) -> Key:
    """A key by its symbol, which is its virtual-key code shifted up where there is none, and scan code.

    Letters and digits have a symbol under every layout: their virtual-key codes are the Latin ones, and
    those of the upper row are the digits under AZERTY, too.
    """
    code = f"KEY_{symbol >> USER_KEY}" if symbol >> USER_KEY else ""
    return Key(SYMBOLS.get(symbol, ""), PLACES.get(scan_code, ""), code)


def macos_key(keycode: int, symbol: int | None) -> Key:
    """A key by its virtual keycode and its symbol, None where the layout prints no Latin sign."""
    return Key(SYMBOLS.get(symbol or 0, ""), MACOS_PLACES.get(keycode, ""), f"KEY_{keycode}")


def key_called(text: str) -> str | None:
    """The name of a key as the key file writes it: a name in any case, ``KEY_38``, or the sign itself."""
    name = _SIGNS.get(text.lower(), text.upper())
    return name if name in NAMES or re.fullmatch(r"KEY_[0-9]{1,6}", name) else None
