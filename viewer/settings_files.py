"""Files that the program keeps for itself and people may edit: read whole, or said in one line why not."""

from __future__ import annotations

import stat
from pathlib import Path

LARGEST = 1 << 20


class SettingsError(Exception):
    """A settings file that can't be used; the message is one line that names it."""


def read_settings(path: Path) -> str | None:
    """The text of a settings file, None where there is none.

    Raises SettingsError for whatever else is in its place: a folder, a pipe, one that may not be read, one
    of more than a megabyte, one that is no UTF-8.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # a pipe would be waited for
            raise SettingsError(f"{path}: not a file")
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise SettingsError(f"{path}: larger than {LARGEST} bytes")
        return data.decode("utf-8-sig")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path}: no UTF-8 at byte {error.start}") from error
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror}") from error


def in_short(value: object, length: int = 40) -> str:
    """A value of a file as a line can show it: no control characters, not longer than that."""
    text = type(value).__name__ if isinstance(value, (dict, list)) else str(value)
    shown = "".join(c if c.isprintable() else "?" for c in text[: length + 1])
    return shown if len(text) <= length else shown[:length] + "…"
