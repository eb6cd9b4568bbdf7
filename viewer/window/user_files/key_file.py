"""The user's own keys: a file that binds actions otherwise, read over the table's."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from engine.files.format_version import KEYS, with_stamp_line
from engine.files.shown import shown
from engine.files.write import write_new
from viewer.settings_files import SettingsError, parse_settings, read_settings
from viewer.tables.key_names import key_called
from viewer.tables.keys import ACTIONS, CTRL, default_keys, shared_keys
from viewer.user_folders import config_folder


def key_file() -> Path | None:
    """The file in the platform's own folder that may bind keys otherwise; None without a home."""
    folder = config_folder()
    return None if folder is None else folder / "keys.toml"


def settings_folder() -> Path | None:
    """The folder that the key file and all the others lie in; None where there is none to be entered."""
    folder = config_folder()
    there = folder is not None and os.path.isdir(folder)  # Path's own would raise where one may not look
    return folder if there else None


def load_keys(path: Path | None) -> tuple[dict[str, str], list[str]]:
    """Key by action from a key file over the defaults, and one line for each thing that makes no sense.

    An action without a key has the empty text. Of a file that can't be read nothing is taken. A missing
    file is written with nothing but remarks, so that there is something to edit. No path: the usual keys.
    """
    keys = default_keys()
    if path is None:
        return keys, []
    try:
        text = read_settings(path, KEYS)
        if text is None:
            return keys, _write_template(path)
        entries = parse_settings(text)
    except SettingsError as error:
        return keys, [f"{error}; the usual keys are used"]
    except ValueError as error:
        return keys, [f"{path}: {shown(str(error), 120)}; the usual keys are used"]
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


def _write_template(path: Path) -> list[str]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):  # its user was faster
            write_new(path, with_stamp_line(key_file_template(), KEYS).encode())
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
