"""Keys under layouts that print no Latin letters or no digits, on every platform, by tables."""

from __future__ import annotations

import pytest

from viewer.tables.key_names import (
    MACOS_PLACES,
    PLACES,
    USER_KEY,
    X11_OFFSET,
    Key,
    macos_key,
    windows_key,
    x11_key,
)
from viewer.tables.keys import ACTIONS, CTRL, default_keys
from viewer.window.input import Keyboard
from viewer.window.key_events import KeyReader

CYRILLIC_W, GREEK_W, HEBREW_V = 0x6C3, 0x7F2, 0xCE4
BY_ACTION = {action.name: action.key for action in ACTIONS}
ROW_OF_DIGITS = {
    "fr": (0x26, 0xE9, 0x22, 0x27, 0x28, 0x2D, 0xE8, 0x5F, 0xE7, 0xE0),
    "fr, shifted": tuple(b"1234567890"),
    "us, shifted": tuple(b"!@#$%^&*()"),
    "cz": (0x2B, 0x1EC, 0x1B9, 0x1E8, 0x1F8, 0x1BE, 0xFD, 0xE1, 0xED, 0xE9),
}


def pressed(key: Key, keys: dict[str, str] | None = None) -> list[str]:
    return Keyboard(keys or default_keys()).press(key)


@pytest.mark.parametrize("symbol", [ord("w"), CYRILLIC_W, GREEK_W, 0x27, None])
def test_the_key_of_w_walks_under_any_layout(symbol: int | None) -> None:
    """Hebrew prints an apostrophe there, which is a known sign that nothing is bound to."""
    assert pressed(x11_key(25, symbol)) == ["forward"]
    assert pressed(macos_key(13, symbol)) == ["forward"]


@pytest.mark.parametrize("layout", ROW_OF_DIGITS)
def test_the_row_of_digits_is_digits_under_any_layout(layout: str) -> None:
    for place, (digit, symbol) in enumerate(zip("1234567890", ROW_OF_DIGITS[layout], strict=True)):
        wanted = [name for name, key in BY_ACTION.items() if key == f"NUMBER_{digit}"]
        assert wanted, digit
        assert pressed(x11_key(10 + place, symbol)) == wanted
        codes = [code for code, name in MACOS_PLACES.items() if name == f"NUMBER_{digit}"]
        assert pressed(macos_key(codes[0], symbol)) == wanted


def test_a_letter_counts_by_its_sign_before_its_place() -> None:
    """AZERTY: W stands in the place of Z, A in that of Q, Z in that of W."""
    assert pressed(x11_key(52, ord("w"))) == ["forward"]
    assert pressed(x11_key(24, ord("a"))) == ["left"]
    assert pressed(x11_key(25, ord("z"))) == ["forward"]


def test_a_sign_above_a_digit_counts_once_the_user_bound_it() -> None:
    six = x11_key(15, ord("-"))
    assert pressed(six) == ["draw-unclipped"]
    assert pressed(six, {**default_keys(), "fly": "MINUS"}) == ["fly", "draw-region-back"]
    assert pressed(x11_key(11, 0xE9), {**default_keys(), "fly": "KEY_11"}) == ["fly"]


def test_windows_knows_letters_and_digits_by_their_virtual_keys_and_the_rest_by_its_place() -> None:
    assert pressed(windows_key(ord("w"), 0x11)) == ["forward"]  # also under a Russian layout
    assert pressed(windows_key(ord("1"), 2)) == ["draw-physics-bsp"]  # also under AZERTY
    oem_comma = 0xBC << USER_KEY  # prints a Cyrillic letter
    assert windows_key(oem_comma, 51) == Key("", "COMMA", "KEY_188")
    assert pressed(windows_key(oem_comma, 51)) == ["draw-first-back"]
    assert pressed(windows_key(ord(")"), 12)) == ["draw-region-back"]  # AZERTY


def test_a_key_of_the_number_pad_stands_for_its_twin_where_nothing_else_is_bound_to_it() -> None:
    assert pressed(x11_key(81, 0xFF9A)) == ["zoom_in"]  # without Num Lock
    assert pressed(x11_key(81, 0xFF9A), {**default_keys(), "fly": "NUMPAD_PAGE_UP"}) == ["fly"]
    assert pressed(x11_key(81, 0xFFB9)) == []  # it types a 9


def test_text_boxes_take_a_letter_by_its_sign_and_by_its_place_where_it_has_none() -> None:
    assert x11_key(55, HEBREW_V).typed == ("V",)
    assert x11_key(38, ord("q")).typed == ("Q",)  # AZERTY: nothing is selected by Ctrl+Q
    assert x11_key(104, 0xFF8D).typed == ("NUMPAD_ENTER", "ENTER")


def test_the_tables_of_places_agree_and_hold_every_key_of_the_action_table_that_layouts_move() -> None:
    moved = {key.removeprefix(CTRL) for key in BY_ACTION.values()}
    moved = {key for key in moved if len(key) == 1 or key.startswith("NUMBER_")}
    for table in (PLACES, MACOS_PLACES):
        assert moved | {"EQUAL", "MINUS", "PERIOD", "COMMA"} <= set(table.values())
        assert len(set(table.values())) == len(table)
    assert set(PLACES.values()) - set(MACOS_PLACES.values()) == {"LESS"}
    assert X11_OFFSET == 8


class FakeWindow:
    """As pyglet's under X11: a method that reads a symbol of an event."""

    def __init__(self) -> None:
        self.symbol: int | None = ord("1")

    def _event_text_symbol(self, event: object) -> tuple[str | None, int | None]:
        if self.symbol == LAM_ALEF:
            raise TypeError("category() argument must be a unicode character, not str")
        return "", self.symbol


class FakeEvent:
    def __init__(self, keycode: int) -> None:
        self.xkey = type("XKey", (), {"keycode": keycode})


LAM_ALEF = 0x5D9


def test_under_x11_a_key_stays_itself_while_shift_changes_what_it_prints() -> None:
    window = FakeWindow()
    reader = KeyReader(window)
    _, down = window._event_text_symbol(FakeEvent(10))
    assert reader.key(down) == Key("NUMBER_1", "NUMBER_1", "KEY_10")
    window.symbol = ord("!")
    _, up = window._event_text_symbol(FakeEvent(10))
    assert up == down  # so that pyglet, too, knows that it is up
    assert reader.key(up).identity == "KEY_10"


def test_under_x11_a_key_that_types_two_letters_ends_nothing() -> None:
    window = FakeWindow()
    reader = KeyReader(window)
    window.symbol = LAM_ALEF
    text, symbol = window._event_text_symbol(FakeEvent(56))
    assert text is None
    assert reader.key(symbol) == Key("", "B", "KEY_56")
    window.symbol = None  # an input method put a letter together
    assert window._event_text_symbol(FakeEvent(0)) == ("", None)
