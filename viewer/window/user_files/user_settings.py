"""The user's settings: `settings.toml` under the options, changed in the window and kept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from engine.files.format_version import SETTINGS as SETTINGS_FORM
from engine.files.format_version import with_stamp_line
from engine.files.shown import shown
from engine.files.write import write_new
from viewer.settings_files import (
    VALUE_AND_REMARK,
    SettingsError,
    change_settings,
    parse_settings,
    read_settings,
)
from viewer.tables.settings import BY_NAME, SETTINGS, Value, written

_FILE = "settings.toml"


class Settings:
    """What counts: what the window changed, else the option, else the file, else the usual value.

    ``complaints`` has one line for each thing in the file that makes no sense; the rest of it holds. With
    no ``folder`` nothing is read or kept.
    """

    def __init__(self, folder: Path | None = None, options: Mapping[str, Value] | None = None) -> None:
        self._path = None if folder is None else folder / _FILE
        self._is_sound = False
        self._unsaved: dict[str, Value] = {}
        self.complaints: list[str] = []
        self.from_file: dict[str, Value] = {} if self._path is None else self._read(self._path)
        self.values: dict[str, Value] = {s.name: s.default for s in SETTINGS}
        self.values.update(self.from_file)
        self.values.update({name: value for name, value in (options or {}).items() if value is not None})

    def __getitem__(self, name: str) -> Value:
        return self.values[name]

    def number(self, name: str, otherwise: float = 0.0) -> float:
        """A setting that is a number; where nothing is set, another."""
        value = self.values[name]
        return float(value) if isinstance(value, (int, float)) else otherwise

    def set(self, name: str, value: Value) -> None:
        """Change one; ``keep`` writes it.

        So it does where it counts already: that may come from an option, or the file says otherwise by now.
        """
        self.values[name] = self._unsaved[name] = value

    def set_and_keep(self, name: str, value: Value) -> str:
        """Change one and write it at once: why that can't be, empty where it is kept."""
        complaint = self.unkept or self._write({name: value})
        if not complaint:
            self.values[name] = value
        return complaint

    @property
    def is_unsaved(self) -> bool:
        """Whether something was changed since ``keep``."""
        return bool(self._unsaved)

    @property
    def unkept(self) -> str:
        """Why no change is kept, empty where changes are."""
        if self._path is None:
            return "there is no folder for settings.toml"
        return "" if self._is_sound else f"{self._path} can't be read"

    def keep(self) -> str:
        """Write what was changed into the file, whose rest stays as it is; a complaint, empty without one.

        A file that could not be read stays for its user to mend.
        """
        complaint = "" if self.unkept else self._write(self._unsaved)
        self._unsaved = {}  # not before: an interrupt while it waits for a lock would lose them
        return complaint

    def _write(self, changes: Mapping[str, Value]) -> str:
        assert self._path is not None

        def change(text: str) -> str:
            text = text or template()
            for name, value in changes.items():
                text = changed(text, name, value)
            return text

        return change_settings(self._path, SETTINGS_FORM, change, changes)

    def _read(self, path: Path) -> dict[str, Value]:
        try:
            text = read_settings(path, SETTINGS_FORM)
            if text is None:
                self._write_template(path)
                return {}
            entries = parse_settings(text)
        except SettingsError as error:
            self.complaints.append(f"{error}; the usual settings are used")
            return {}
        except ValueError as error:
            self.complaints.append(f"{path}: {shown(str(error), 120)}; the usual settings are used")
            return {}
        self._is_sound = True
        values: dict[str, Value] = {}
        for name, value in entries.items():
            setting = BY_NAME.get(name)
            if setting is None:
                self.complaints.append(f"{path}: there is no setting '{shown(name)}'")
                continue
            try:
                values[name] = setting.read(value)
            except (ValueError, OverflowError):
                wanted = "true or false" if setting.is_switch else setting.metavar
                self.complaints.append(
                    f"{path}: {name}: '{shown(value, 60)}' is not {wanted}: {setting.help}"
                )
        return values

    def _write_template(self, path: Path) -> None:
        self._is_sound = True
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with suppress(FileExistsError):  # another window is as new here
                write_new(path, with_stamp_line(template(), SETTINGS_FORM).encode())
        except OSError as error:
            self.complaints.append(f"{path}: not written: {error.strerror}")


def template() -> str:
    """A settings file that sets nothing, but says what can be set."""
    lines = [
        "# Settings of Holtwalk. Take a '#' away to set one; the window keeps what is changed in it here.",
        "",
    ]
    for s in SETTINGS:
        lines += [
            f"# {s.help}; usually {s.usual}",
            f"#{s.name} = {written(s.default) if s.default is not None else ''}",
        ]
    return "\n".join(lines) + "\n"


def changed(text: str, name: str, value: Value) -> str:
    """A settings file with one value changed, on the line that sets it or tells of it, else on a new one.

    None takes the line out again. A remark behind the value stays. What lies in a table is none of ours.
    Whether that came out as it should is for others to see: values may be written over several lines.
    """
    first_table = re.search(r"^[ \t]*\[", text, re.MULTILINE)
    at = first_table.start() if first_table else len(text)
    ours, rest = text[:at], text[at:]
    line = f"#{name} = " if value is None else f"{name} = {written(value)}"
    for pattern in (
        rf"^[ \t]*([\"']?){name}\1[ \t]*{VALUE_AND_REMARK}",
        rf"^#{name}[ \t]*{VALUE_AND_REMARK}",
    ):
        if found := re.search(pattern, ours, re.MULTILINE):
            return f"{ours[: found.start()]}{line}{found['remark'] or ''}{ours[found.end() :]}{rest}"
    before = ours if not ours or ours.endswith("\n") else ours + "\n"
    return f"{before}{line}\n{rest}"
