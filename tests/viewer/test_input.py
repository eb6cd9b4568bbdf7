"""The key table, the key file and what a keyboard holds down."""

from __future__ import annotations

from pathlib import Path

from viewer.input import ACTIONS, CTRL, Keyboard, default_keys, key_rows, load_keys

CODES = {action.key.removeprefix(CTRL): n for n, action in enumerate(ACTIONS)}


def test_no_two_actions_share_a_key() -> None:
    assert len({action.key for action in ACTIONS}) == len(ACTIONS)


def test_the_key_file_is_written_once_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "holtwalk" / "keys.toml"
    assert load_keys(path, CODES) == (default_keys(), [])
    path.write_text(path.read_text().replace('use = "E"', 'use = "t"'))
    keys, complaints = load_keys(path, CODES)
    assert complaints == []
    assert keys["use"] == "T"


def test_what_makes_no_sense_in_the_key_file_is_named_and_left_out(tmp_path: Path) -> None:
    path = tmp_path / "keys.toml"
    path.write_text('dance = "W"\nuse = "NOKEY"\njump = 3\n')
    keys, complaints = load_keys(path, CODES)
    assert keys == default_keys()
    assert [line.split(": ", 1)[1] for line in complaints] == [
        "no action 'dance'", "use: no key 'NOKEY'", "jump: no key '3'",
    ]  # fmt: skip


def test_a_broken_key_file_leaves_the_usual_keys(tmp_path: Path) -> None:
    path = tmp_path / "keys.toml"
    path.write_text("use = ")
    keys, complaints = load_keys(path, CODES)
    assert keys == default_keys()
    assert len(complaints) == 1


def test_a_held_key_acts_once_and_stays_on_until_it_is_let_go() -> None:
    keyboard = Keyboard(default_keys(), CODES)
    assert keyboard.press(CODES["W"]) == ["forward"]
    assert keyboard.press(CODES["W"]) == []
    assert keyboard.held("forward")
    assert keyboard.release(CODES["W"]) == ["forward"]
    assert not keyboard.held("forward")


def test_with_ctrl_a_key_does_what_it_is_bound_to_with_ctrl_else_what_it_does_alone() -> None:
    keyboard = Keyboard(default_keys(), CODES)
    assert keyboard.press(CODES["F3"]) == ["draw-portals"]
    keyboard.release(CODES["F3"])
    assert keyboard.press(CODES["F3"], ctrl=True) == ["draw-all-portals"]
    assert keyboard.press(CODES["W"], ctrl=True) == ["forward"]
    assert keyboard.held("forward")


def test_the_key_file_can_bind_a_key_with_ctrl_but_nothing_that_is_held(tmp_path: Path) -> None:
    path = tmp_path / "keys.toml"
    path.write_text('draw-box = "ctrl+f2"\nforward = "ctrl+w"\n')
    keys, complaints = load_keys(path, CODES)
    assert keys["draw-box"] == "CTRL+F2"
    assert keys["forward"] == "W"
    assert len(complaints) == 1


def test_losing_the_focus_lets_go_of_every_key() -> None:
    keyboard = Keyboard(default_keys(), CODES)
    keyboard.press(CODES["W"])
    keyboard.clear()
    assert not keyboard.held("forward")
    assert keyboard.release(CODES["W"]) == []


def test_the_help_lists_every_action() -> None:
    assert len(key_rows(default_keys())) == len(ACTIONS)
