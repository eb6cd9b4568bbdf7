"""What keys do: one table of actions that the window, the F1 help, the docs and the key file share."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from engine.files.shown import shown
from engine.files.write import write_text
from viewer.settings_files import SettingsError, read_settings
from viewer.tables.key_names import Key, key_called
from viewer.tables.modes import ALL_OFF, MODES, key_name

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
    Action("modes_off", ALL_OFF, "all modes off", "Draw"),
    Action("mouse", "TAB", "free the mouse for the panels, or catch it to look around", "Window"),
    Action("teleport", "T", "open the teleport box", "Window"),
    Action("copy_place", "L", "copy and print this place, as the game prints it", "Window"),
    Action("copy_command", "CTRL+L", "copy and print the command that draws this picture", "Window"),
    Action("screenshot", "F12", "save this picture, without the panels", "Window"),
    Action("help", "F1", "show the keys", "Window"),
    Action("panels", "F2", "show or hide the panels", "Window"),
    Action("reset_panels", "CTRL+R", "put the panels back where they first stood", "Window"),
    Action("quit", "ESCAPE", "free the mouse; once it is free, ask whether to leave", "Window"),
)


def key_file() -> Path:
    """The file in the platform's own folder that may bind keys otherwise."""
    return platformdirs.user_config_path("holtwalk", appauthor=False) / "keys.toml"


def default_keys() -> dict[str, str]:
    """Key name by action name, as shipped."""
    return {action.name: action.key for action in ACTIONS}


def load_keys(path: Path) -> tuple[dict[str, str], list[str]]:
    """Key by action from a key file over the defaults, and one line for each thing that makes no sense.

    An action without a key has the empty text. Of a file that can't be read nothing is taken. A missing
    file is written with nothing but remarks, so that there is something to edit.
    """
    keys = default_keys()
    try:
        text = read_settings(path)
        if text is None:
            return keys, _write_template(path)
        entries = tomllib.loads(text)
    except SettingsError as error:
        return keys, [f"{error}; the usual keys are used"]
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else shown(str(error), 120)
        return keys, [f"{path}: {reason}; the usual keys are used"]
    complaints = []
    for name, key in entries.items():
        bound = _key_and_chord(key)
        if name not in keys:
            complaints.append(f"{path}: no action '{shown(name)}'")
        elif bound is None:
            complaints.append(f"{path}: {name}: no key '{shown(key)}'")
        else:
            keys[name] = bound
    return keys, complaints + [f"{path}: {line}" for line in shared_keys(keys)]


def _key_and_chord(text: object) -> str | None:
    """A key as the table writes it: empty for none, None where it is no key."""
    if not isinstance(text, str):
        return None
    chord = CTRL if text.upper().startswith(CTRL) and len(text) > len(CTRL) else ""
    name = key_called(text[len(chord) :])
    if name is None:
        return None if text else ""
    return chord + name


def shared_keys(keys: Mapping[str, str]) -> list[str]:
    """One line for each key that several actions are bound to."""
    by_key: dict[str, list[str]] = {}
    for action in ACTIONS:
        by_key.setdefault(keys[action.name], []).append(action.name)
    return [
        f"'{key}' is bound to {' and '.join(names)}; it does both"
        if len(names) == 2
        else f"'{key}' is bound to {', '.join(names[:-1])} and {names[-1]}; it does them all"
        for key, names in by_key.items()
        if key and len(names) > 1
    ]


def _write_template(path: Path) -> list[str]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, key_file_template())
    except OSError as error:
        return [f"{path}: not written: {error.strerror}"]
    return []


def key_file_template() -> str:
    """A key file that binds nothing otherwise, but says how to.

    What is not in the file keeps its usual key, also one that a later version brings.
    """
    lines = [
        "# Keys of Holtwalk: an action and its key. Take a '#' away and change the key to bind another; what",
        "# is not bound here has its usual key. A key is a name (W, NUMBER_1, PAGE_UP, NUMPAD_ENTER), the",
        '# sign itself ("="), or KEY_ and the number that the window shows when the key is pressed; with',
        '# Ctrl it is "CTRL+W". "" is no key.',
        "",
    ]
    lines += [f'#{action.name} = "{action.key}"  # {action.help}' for action in ACTIONS]
    return "\n".join(lines) + "\n"


def key_rows(keys: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Group, key and what it does, in the table's order, for the F1 panel and the docs."""
    return [(a.group, key_name(keys[a.name]), a.help) for a in ACTIONS]


def key_reference() -> str:
    """The keys in Markdown, for docs/keys.md."""
    lines = [
        "# Keys\n",
        "Made from the table of actions by `scripts/write_docs.py`. `keys.toml` in the",
        "platform's configuration folder (on Linux `~/.config/holtwalk/`) can bind others; one that binds",
        "none is written on the first start. The mouse looks around, its left button uses what the",
        "cross-hair is on.\n",
        "A key is known by what the layout prints on it. Where that is bound to nothing, as under a Russian,",
        "Greek or Hebrew layout, it is known by its place on a US keyboard, and the row of digits is digits",
        "under AZERTY, too. The window names a key that nothing is bound to, so that `keys.toml` can bind",
        "it.\n",
        "| | key | does | in `keys.toml` |",
        "| --- | --- | --- | --- |",
    ]
    lines += [f"| {a.group} | {key_name(a.key)} | {a.help} | `{a.name}` |" for a in ACTIONS]
    return "\n".join(lines) + "\n"


class Keyboard:
    """Which actions are on: keys in, action names out."""

    def __init__(self, keys: Mapping[str, str]) -> None:
        self._alone: dict[str, list[Action]] = {}
        self._with_ctrl: dict[str, list[Action]] = {}
        for action in ACTIONS:
            key = keys[action.name]
            table = self._with_ctrl if key.startswith(CTRL) else self._alone
            if key:
                table.setdefault(key.removeprefix(CTRL), []).append(action)
        self._chosen = frozenset(keys[a.name].removeprefix(CTRL) for a in ACTIONS if keys[a.name] != a.key)
        self._down: dict[str, list[Action]] = {}

    def press(self, key: Key, ctrl: bool = False) -> list[str]:
        """Note a key that went down; the names of the actions it sets off once.

        With Ctrl a key does what it is bound to with Ctrl, if anything, else what it does alone.
        """
        if key.identity in self._down:
            return []
        actions = self._down[key.identity] = self._bound(key, ctrl)
        return [action.name for action in actions]

    def release(self, key: Key) -> list[str]:
        """Note a key that came up; the names of the held actions that end with it."""
        return [action.name for action in self._down.pop(key.identity, ()) if action.held]

    def is_bound(self, key: Key, ctrl: bool = False) -> bool:
        """Whether a key does anything."""
        return bool(self._bound(key, ctrl))

    def clear(self) -> None:
        """Let go of every key: the window lost the focus or the keyboard went to a text box."""
        self._down.clear()

    def held(self, name: str) -> bool:
        """Whether a held action's key is down."""
        return any(action.name == name for actions in self._down.values() for action in actions)

    def _bound(self, key: Key, ctrl: bool) -> list[Action]:
        for table in (self._with_ctrl, self._alone) if ctrl else (self._alone,):
            for name in key.names(self._chosen):
                if name in table:
                    return table[name]
        return []
