"""What keys do: one table of actions that the window, the F1 help, the docs and the key file share."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from engine.files.write import write_text
from viewer.renderer.modes import MODES, key_name

CTRL = "CTRL+"


@dataclass(frozen=True, slots=True)
class Action:
    """Something a key does. ``held`` actions last as long as the key is down."""

    name: str
    key: str
    help: str
    group: str
    held: bool = False


ACTIONS = (
    Action("forward", "W", "walk forward", "Move", held=True),
    Action("back", "S", "walk back", "Move", held=True),
    Action("left", "A", "side-step left", "Move", held=True),
    Action("right", "D", "side-step right", "Move", held=True),
    Action("turn_left", "LEFT", "turn left", "Move", held=True),
    Action("turn_right", "RIGHT", "turn right", "Move", held=True),
    Action("walk", "LEFT_SHIFT", "walk instead of run while held", "Move", held=True),
    Action("jump", "SPACE", "jump; the longer it is held, the higher", "Move", held=True),
    Action("use", "E", "use the door under the cross-hair (so does a click)", "Move"),
    Action("person", "V", "first or third person", "Look"),
    Action("zoom_in", "PAGE_UP", "third person: nearer (so does the wheel)", "Look"),
    Action("zoom_out", "PAGE_DOWN", "third person: farther (so does the wheel)", "Look"),
    Action("look_up", "UP", "look up", "Look", held=True),
    Action("look_down", "DOWN", "look down", "Look", held=True),
    Action("fly", "F", "fly: the camera leaves body and visibility root behind", "Look"),
    Action("fly_up", "R", "fly: up", "Look", held=True),
    Action("fly_down", "C", "fly: down", "Look", held=True),
    Action("pause", "P", "pause or go on", "Time"),
    Action("step", "N", "one tick while paused", "Time"),
    Action("day", "K", "let the day pass: as in the game, in two minutes, or not", "Time"),
    *(Action(f"draw-{m.name}", m.key, f"{m.name}: {m.help}", "Draw") for m in MODES),
    *(Action(f"draw-{m.name}-back", m.back, f"{m.name}: the one before", "Draw") for m in MODES if m.back),
    Action("mouse", "TAB", "free the mouse for the panels, or catch it to look around", "Window"),
    Action("teleport", "T", "open the teleport box", "Window"),
    Action("copy_place", "L", "copy and print this place, as the game prints it", "Window"),
    Action("copy_command", "CTRL+L", "copy and print the command that draws this picture", "Window"),
    Action("screenshot", "F12", "save a picture", "Window"),
    Action("help", "F1", "show the keys", "Window"),
    Action("panels", "F2", "show or hide the panels", "Window"),
    Action("quit", "ESCAPE", "free the mouse; once it is free, leave", "Window"),
)


def key_file() -> Path:
    """The file in the platform's own folder that may bind keys otherwise."""
    return platformdirs.user_config_path("holtwalk", appauthor=False) / "keys.toml"


def default_keys() -> dict[str, str]:
    """Key name by action name, as shipped."""
    return {action.name: action.key for action in ACTIONS}


def load_keys(path: Path, known_keys: Iterable[str]) -> tuple[dict[str, str], list[str]]:
    """Key by action from a key file over the defaults, and one line for each entry that makes no sense.

    A missing file is written with the defaults, so that there is something to edit.
    """
    keys = default_keys()
    if not path.exists():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_text(path, key_file_text(keys))
        except OSError as error:
            return keys, [f"{path}: not written: {error.strerror}"]
        return keys, []
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        return keys, [f"{path}: {error}; the usual keys are used"]
    known = set(known_keys)
    held = {action.name for action in ACTIONS if action.held}
    complaints = []
    for name, key in entries.items():
        if name not in keys:
            complaints.append(f"{path}: no action '{name}'")
        elif not isinstance(key, str) or key.upper().removeprefix("" if name in held else CTRL) not in known:
            complaints.append(f"{path}: {name}: no key '{key}'")
        else:
            keys[name] = key.upper()
    return keys, complaints


def key_file_text(keys: Mapping[str, str]) -> str:
    """A key file that binds these keys."""
    lines = ["# Keys of Holtwalk. Delete this file to have the usual ones again."]
    lines += [f'{action.name} = "{keys[action.name]}"  # {action.help}' for action in ACTIONS]
    return "\n".join(lines) + "\n"


def key_rows(keys: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Group, key and what it does, in the table's order, for the F1 panel and the docs."""
    return [(a.group, key_name(keys[a.name]), a.help) for a in ACTIONS]


def key_reference() -> str:
    """The keys in Markdown, for docs/keys.md."""
    lines = [
        "# Keys\n",
        "Made from the action table in `viewer/input.py` by `scripts/write_docs.py`. `keys.toml` in the",
        "platform's configuration folder (on Linux `~/.config/holtwalk/`) can bind others; it is written on",
        "the first start. The mouse looks around, its left button uses what the cross-hair is on.\n",
        "| | key | does |",
        "| --- | --- | --- |",
    ]
    lines += [f"| {group} | {key} | {text} |" for group, key, text in key_rows(default_keys())]
    return "\n".join(lines) + "\n"


class Keyboard:
    """Which actions are on: key codes in, action names out."""

    def __init__(self, keys: Mapping[str, str], codes: Mapping[str, int]) -> None:
        self._by_code: dict[int, list[Action]] = {}
        self._with_ctrl: dict[int, list[Action]] = {}
        for action in ACTIONS:
            key = keys[action.name]
            table = self._with_ctrl if key.startswith(CTRL) else self._by_code
            table.setdefault(codes[key.removeprefix(CTRL)], []).append(action)
        self._down: set[int] = set()

    def press(self, code: int, ctrl: bool = False) -> list[str]:
        """Note a key that went down; the names of the actions it sets off once.

        With Ctrl a key does what it is bound to with Ctrl, if anything, else what it does alone.
        """
        repeated = code in self._down
        self._down.add(code)
        if repeated:
            return []
        if ctrl and code in self._with_ctrl:
            return [action.name for action in self._with_ctrl[code]]
        return [action.name for action in self._by_code.get(code, ())]

    def release(self, code: int) -> list[str]:
        """Note a key that came up; the names of the held actions that end with it."""
        if code not in self._down:
            return []
        self._down.discard(code)
        return [action.name for action in self._by_code.get(code, ()) if action.held]

    def clear(self) -> None:
        """Let go of every key: the window lost the focus or the keyboard went to a text box."""
        self._down.clear()

    def held(self, name: str) -> bool:
        """Whether a held action's key is down."""
        return any(action.name == name for code in self._down for action in self._by_code.get(code, ()))
