"""Files that the program keeps for itself and people may edit: read whole, or said in one line why not."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from engine.files.format_version import Format, FormatError, check_stamp_line, with_stamp_line
from engine.files.lock import locked
from engine.files.read import ReadError, read_bytes, read_text
from engine.files.shown import shown
from engine.files.write import write_text

LARGEST = 1 << 20
LOCK = "settings.lock"
LONGEST_WAIT = 2.0  # seconds, for another window to change a file; an interrupt waits for no more than 3
WRITTEN_TO = 1e-5  # of a number: it is written with six digits
MOST_DIGITS = 4300  # of a decimal number: Python converts no more
MOST_POINTS = 32  # in a line, outside of texts and remarks: a long key takes the square of its parts
_TEXTS = re.compile(r""""(?:[^"\\]|\\.)*+"?|'[^']*+'?|#.*""")
_LONG_NUMBER = re.compile(rf"(?<!\w)\d[\d_]{{{MOST_DIGITS}}}")
_KEY = r"""(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w-]+)"""
_PLAIN = r"(?:[^#\n \t]++|[ \t]++(?=[^#\n]))*+"  # nothing is given up again: blanks would take their square
_TEXT = r"""(?:"{3}.*?"{3}|'{3}.*?'{3}|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
VALUE_AND_REMARK = rf"=(?:[ \t]*+{_TEXT}|{_PLAIN})(?P<remark>[ \t]*+#.*)?[ \t]*+$"
_ENTRY = re.compile(rf"[ \t]*{_KEY}[ \t]*{VALUE_AND_REMARK}")


class SettingsError(Exception):
    """A settings file that can't be used; the message is one line that names it."""


class NewerFileError(SettingsError):
    """A file of a newer version than is known, or of another form: it is not to be written over."""


def read_settings(path: Path, form: Format) -> str | None:
    """The text of a settings file, None where there is none; without a version it is of version 0.

    Raises SettingsError for whatever else is in its place: a folder, a pipe, one that may not be read, one
    of more than a megabyte, one that is no UTF-8; NewerFileError for one of a newer version.
    """
    try:
        if path.stat().st_size > LARGEST:
            raise SettingsError(f"{path}: can't be read (it is larger than {LARGEST} bytes)")
        text = read_text(path, pipes=False)
        check_stamp_line(text, form)
        return text
    except FileNotFoundError:
        return None
    except ReadError as error:
        raise SettingsError(str(error)) from error
    except FormatError as error:
        raise NewerFileError(f"{path}: {error}") from error
    except OSError as error:
        raise SettingsError(f"{path}: can't be read ({error.strerror or error})") from error


def parse_settings(text: str) -> dict[str, Any]:
    """What a settings file says. Raises ValueError, also where it is nested too deeply."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > MOST_POINTS and _TEXTS.sub("", line).count(".") > MOST_POINTS:
            raise ValueError(f"line {number}: has a key of too many parts")
        if len(line) > MOST_DIGITS and _LONG_NUMBER.search(_TEXTS.sub("", line)):
            raise ValueError(f"line {number}: has a number of more than {MOST_DIGITS} digits")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def change_settings(
    path: Path, form: Format, change: Callable[[str], str], wanted: Mapping[str, object]
) -> str:
    """Change a settings file as it is now: an editor or another window may have changed it since it was read.

    ``change`` is given its text, empty where there is none. ``wanted`` is what the new one is to say by name,
    None of what it is to say no more; of all else it must say what it said. A complaint, empty where all went
    well: a file that makes no sense, now or changed, stays for its user to mend. Two windows change it one
    after the other.
    """
    try:
        with ExitStack() as alone:
            with suppress(OSError):  # where no lock can be made there may be something to be written
                alone.enter_context(locked(path.with_name(LOCK), lambda: None, LONGEST_WAIT))
            text = read_settings(path, form) or ""
            before, new = parse_settings(text), change(text)
            _check(before, new, wanted)
            whole = with_stamp_line(new, form)
            if _ends_as_on_windows(path):
                whole = whole.replace("\n", "\r\n")
            if len(whole.encode(errors="replace")) > LARGEST:
                raise ValueError(f"it would be larger than {LARGEST} bytes, which are not read again")
            write_text(path, whole)
    except SettingsError as error:
        return str(error)
    except ValueError as error:
        return f"{path}: {shown(str(error), 120)}; not written"
    except OSError as error:
        return f"{path}: not written: {error.strerror}"
    return ""


def write_whole(path: Path, form: Format, text: str) -> None:
    """Write a settings file that nobody changes by hand anew, whatever it says now.

    Raises NewerFileError for one of a newer version, which may have come since it was read, and OSError.
    """
    try:
        read_settings(path, form)
    except NewerFileError:
        raise
    except SettingsError:
        pass  # it makes no sense: written anew it does
    write_text(path, with_stamp_line(text, form))


def remark_of(line: str) -> str:
    """What stands behind the value of a line that gives one, from the blanks before its sign on."""
    found = _ENTRY.match(line)
    return (found and found["remark"]) or ""


def _ends_as_on_windows(path: Path) -> bool:
    """Whether every line of a file ends with CR and LF, as some editors write."""
    try:
        data = read_bytes(path, pipes=False)
    except ReadError:
        return False  # there is none yet
    return b"\n" in data and data.count(b"\n") == data.count(b"\r\n")


def _check(before: Mapping[str, object], text: str, wanted: Mapping[str, object]) -> None:
    """Raises ValueError where a changed file says anything else than it is to say."""
    try:
        after = parse_settings(text)
    except ValueError:
        after = None  # what it was to say is written over several lines, or into a table
    for name in {**wanted, **before, **(after or {})}:
        value = wanted[name] if name in wanted else before.get(name)
        found = (after or {}).get(name)
        is_so = found == value or repr(found) == repr(value)  # nan equals nothing, not even itself
        if isinstance(value, float) and isinstance(found, (int, float)):
            is_so = is_so or math.isclose(found, value, rel_tol=WRITTEN_TO)
        if not is_so or after is None:
            which, texts = next(iter(wanted)), (*wanted, *(v for v in wanted.values() if isinstance(v, str)))
            is_text = all(map(is_writable, texts))
            why = "can't be changed in it: change it by hand" if is_text else "is no UTF-8, and the file is"
            raise ValueError(f"{shown(which, 60)} {why}")


def is_writable(text: str) -> bool:
    """Whether a text is written as it is: a name that is no UTF-8 is not, and would come back another."""
    return text == text.encode("utf-8", errors="replace").decode()
