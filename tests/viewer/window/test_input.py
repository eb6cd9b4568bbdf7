"""The key table, the key file and what a keyboard holds down."""

from __future__ import annotations

import os
import signal
import sys
import tomllib
from pathlib import Path

import pytest

from tests.needed import only_where
from tests.places import SHARED
from tests.viewer.broken_files import NO_FILES, put_broken
from tests.viewer.window.bare_window import bare_app
from viewer import interrupts
from viewer.tables.key_names import NAMES, Key, x11_key
from viewer.tables.keys import ACTIONS, CTRL, default_keys, key_rows
from viewer.window.display.open_window import pyglet_window
from viewer.window.input import Keyboard
from viewer.window.user_files.key_file import key_file_template, load_keys

KEY_W, KEY_F3 = x11_key(25, ord("w")), x11_key(69, 0xFFC0)


def test_no_two_actions_share_a_key_and_every_key_has_a_known_name() -> None:
    bound = [action for action in ACTIONS if action.key]
    assert len({action.key for action in bound}) == len(bound)
    assert not any(action.held for action in ACTIONS if not action.key)
    assert {action.key.removeprefix(CTRL) for action in bound} <= NAMES


def test_the_key_file_is_written_once_and_binds_nothing_until_somebody_edits_it(tmp_path: Path) -> None:
    path = tmp_path / "holtwalk" / "keys.toml"
    assert load_keys(path) == (default_keys(), [])
    assert tomllib.loads(path.read_text()) == {}
    path.write_text(path.read_text().replace('#use = "E"', 'use = "x"'))
    keys, complaints = load_keys(path)
    assert complaints == []
    assert keys == {**default_keys(), "use": "X"}


def test_every_line_of_the_written_key_file_can_be_taken_in() -> None:
    lines = key_file_template().split("\n\n", 1)[1].replace("#", "", 1).replace("\n#", "\n")
    assert tomllib.loads(lines) == default_keys()


def test_what_makes_no_sense_in_the_key_file_is_named_and_left_out(tmp_path: Path) -> None:
    path = tmp_path / "keys.toml"
    path.write_text('dance = "W"\nuse = "NOKEY"\njump = 3\nfly = "\\u001b[2J' + 3000 * "x" + '"\n')
    keys, complaints = load_keys(path)
    assert keys == default_keys()
    assert [line.split(": ", 1)[1] for line in complaints] == [
        "no action 'dance'", "use: no key 'NOKEY'", "jump: no key '3'",
        rf"fly: no key '\x1b[2J{33 * 'x'}…'",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("number_1", "NUMBER_1"), ("1", "NUMBER_1"), ("=", "EQUAL"), ("ctrl+é", None),
        ("Ctrl++", "CTRL+PLUS"), ("KEY_94", "KEY_94"), ("ctrl+key_94", "CTRL+KEY_94"),
        ("NUMPAD_ENTER", "NUMPAD_ENTER"),
        ("RIGHT_ALT", "RIGHT_ALT"), ("[", "LEFT_BRACKET"), ("F13", "F13"), ("", ""), ("ctrl+", None),
    ],
)  # fmt: skip
def test_the_key_file_can_name_any_key(tmp_path: Path, written: str, name: str | None) -> None:
    path = tmp_path / "keys.toml"
    path.write_text(f'fly = "{written}"\n', encoding="utf-8")
    keys, complaints = load_keys(path)
    usual = default_keys()["fly"]
    assert keys["fly"] == (usual if name is None else name)
    assert [line for line in complaints if "no key" in line] == (
        [f"{path}: fly: no key '{written}'"] if name is None else []
    )


def test_two_actions_on_one_key_are_both_named(tmp_path: Path) -> None:
    path = tmp_path / "keys.toml"
    path.write_text('forward = "W"\nback = "W"\nmouse = "ESCAPE"\n')
    keys, complaints = load_keys(path)
    assert complaints == [
        f"{path}: 'W' is bound to forward and back; it does both",
        f"{path}: 'ESCAPE' is bound to mouse and quit; it does both",
    ]
    assert Keyboard(keys).press(KEY_W) == ["forward", "back"]
    path.write_text('use = "W"\nback = "W"\n')
    assert load_keys(path)[1] == [f"{path}: 'W' is bound to forward, back and use; it does them all"]


def test_an_action_may_have_no_key(tmp_path: Path) -> None:
    path = tmp_path / "keys.toml"
    path.write_text('mouse = "ESCAPE"\nquit = ""\n')
    keys, complaints = load_keys(path)
    assert complaints == []
    assert Keyboard(keys).press(x11_key(9, 0xFF1B)) == ["mouse"]


UNREADABLE = {
    "syntax": b"use = ",
    "nested": b"forward = " + 900 * b"[",
    "nested deeper": b"forward = " + 200_000 * b"[",
    "not UTF-8": b'use = "\xff"',
    "half a letter of UTF-16": 'use = "T"'.encode("utf-16")[:-1],
    "number": b"use = " + 5000 * b"1",
    "huge": b"#" * (1 << 21),
    "twice": b'use = "T"\nuse = "X"\n',
}


@pytest.mark.parametrize("how", [*UNREADABLE, *NO_FILES])
def test_a_broken_key_file_leaves_the_usual_keys_and_is_named_in_one_line(tmp_path: Path, how: str) -> None:
    path = tmp_path / "keys.toml"
    put_broken(path, how, UNREADABLE)
    keys, complaints = load_keys(path)
    assert keys == default_keys()
    assert len(complaints) == 1
    assert complaints[0].startswith(f"{path}: ")
    assert complaints[0].isprintable()
    assert len(complaints[0]) < len(str(path)) + 200


@pytest.mark.parametrize("call", ["stat", "open"])
def test_a_key_file_that_may_not_be_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    path = tmp_path / "keys.toml"
    path.write_text('use = "T"')

    def refused(*words: object, **named: object) -> None:  # root may read everything: the rights won't do
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, call, refused)
    assert load_keys(path) == (
        default_keys(), [f"{path}: can't be read (Permission denied); the usual keys are used"],
    )  # fmt: skip


@pytest.mark.parametrize("parent", ["a file", "missing in a file"])
def test_a_configuration_folder_that_is_none_is_named(tmp_path: Path, parent: str) -> None:
    (tmp_path / "config").write_text("")
    path = tmp_path / "config" / ("keys.toml" if parent == "a file" else "holtwalk/keys.toml")
    keys, complaints = load_keys(path)
    assert keys == default_keys()
    assert len(complaints) == 1
    assert complaints[0].startswith(f"{path}: ")


def test_a_key_file_of_an_editor_that_marks_utf_8_is_read(tmp_path: Path) -> None:
    path = tmp_path / "keys.toml"
    path.write_bytes(b'\xef\xbb\xbfuse = "X"\n')
    assert load_keys(path) == ({**default_keys(), "use": "X"}, [])


@pytest.mark.shared
def test_the_nested_key_file_that_kept_the_window_from_opening(tmp_path: Path) -> None:
    keys, complaints = load_keys(SHARED / "faults" / "keys" / "nested.toml")
    assert keys == default_keys()
    assert len(complaints) == 1


def test_a_held_key_acts_once_and_stays_on_until_it_is_let_go() -> None:
    keyboard = Keyboard(default_keys())
    assert keyboard.press(KEY_W) == ["forward"]
    assert keyboard.press(KEY_W) == []
    assert keyboard.held("forward")
    assert keyboard.release(KEY_W) == ["forward"]
    assert not keyboard.held("forward")


def test_a_key_that_is_let_go_under_another_symbol_is_up() -> None:
    keyboard = Keyboard(default_keys())
    assert keyboard.press(x11_key(25, ord("w"))) == ["forward"]
    assert keyboard.release(x11_key(25, 0x6C3)) == ["forward"]  # the layout was switched meanwhile
    assert not keyboard.held("forward")


def test_with_ctrl_a_key_does_what_it_is_bound_to_with_ctrl_else_what_it_does_alone() -> None:
    keyboard = Keyboard(default_keys())
    assert keyboard.press(KEY_F3) == ["draw-portals"]
    keyboard.release(KEY_F3)
    assert keyboard.press(KEY_F3, ctrl=True) == ["draw-all-portals"]
    assert keyboard.press(KEY_W, ctrl=True) == ["forward"]
    assert keyboard.held("forward")


def test_the_key_file_can_bind_any_action_with_ctrl_also_one_that_is_held(tmp_path: Path) -> None:
    path = tmp_path / "keys.toml"
    path.write_text('draw-box = "ctrl+f2"\njump = "ctrl+w"\n')
    keys, complaints = load_keys(path)
    assert keys["draw-box"] == "CTRL+F2"
    assert complaints == []
    keyboard = Keyboard(keys)
    assert keyboard.press(KEY_W, ctrl=True) == ["jump"]
    assert keyboard.held("jump")
    assert not keyboard.held("forward")
    assert keyboard.release(KEY_W) == ["jump"]
    assert keyboard.press(KEY_W) == ["forward"]


def test_losing_the_focus_lets_go_of_every_key() -> None:
    keyboard = Keyboard(default_keys())
    keyboard.press(KEY_W)
    keyboard.clear()
    assert not keyboard.held("forward")
    assert keyboard.release(KEY_W) == []


def test_a_key_that_nothing_is_bound_to_is_known_as_such() -> None:
    keyboard = Keyboard(default_keys())
    assert keyboard.is_bound(KEY_W)
    assert not keyboard.is_bound(Key("", "LESS", "KEY_94"))


def test_the_help_lists_every_action() -> None:
    assert len(key_rows(default_keys())) == len(ACTIONS)


@pytest.mark.gl
def test_the_key_that_fills_the_screen_is_forgotten_with_the_old_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library notes a key as held once its event is through: its next press would be a repetition."""
    with bare_app(tmp_path, monkeypatch) as app:
        library = pyglet_window(app.window)
        for is_full in (True, False):
            app.deeds.do("full_screen")
            assert library.fullscreen is not is_full
            library.pressed_keys.add(65480)
            app._frame(1 / 60)
            assert library.fullscreen is is_full
            assert library.pressed_keys == set()


@pytest.mark.gl
def test_an_interrupt_waits_until_the_window_fills_the_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library waited without end for what a window that was half made had been told already."""
    with bare_app(tmp_path, monkeypatch) as app:
        library = pyglet_window(app.window)

        def fill(is_full: bool) -> None:  # noqa: FBT001
            signal.raise_signal(signal.SIGINT)
            library.fullscreen = is_full

        monkeypatch.setattr(library, "set_fullscreen", fill)
        app.deeds.do("full_screen")
        before = signal.signal(signal.SIGINT, interrupts._raise)
        try:
            with pytest.raises(KeyboardInterrupt):
                app._frame(1 / 60)
        finally:
            signal.signal(signal.SIGINT, before)
        assert library.fullscreen


@only_where(so=sys.platform == "linux", why="there is no X11")
@pytest.mark.gl
def test_a_window_that_fills_the_screen_is_made_as_the_first_one_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is another window, which a server of 16 or 30 bits refused, and it was waited for without end."""
    from pyglet.libs.x11 import xlib

    usual, made = xlib.XCreateWindow, []
    with bare_app(tmp_path, monkeypatch) as app:
        fill = pyglet_window(app.window).set_fullscreen

        def filled(is_full: bool) -> None:  # noqa: FBT001
            made.append(xlib.XCreateWindow is not usual)
            fill(is_full)

        monkeypatch.setattr(pyglet_window(app.window), "set_fullscreen", filled)
        app.deeds.do("full_screen")
        app._frame(1 / 60)
    assert (made, xlib.XCreateWindow is usual) == ([True], True)
