"""Names and values from outside in messages: one line, no control characters, nothing long."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

VALUE = 40  # characters of a value that a message quotes
LINE = 2000  # characters of a whole message: paths can be long

# What a terminal obeys instead of showing it, and what turns the order of letters round.
_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_BLANKS = re.compile(r"\s+")
_LONG_WORD = re.compile(r"(\S{300})\S{724,}")  # longer than paths are


def harmless(text: str) -> str:
    """A text with its control characters written out, but for line ends and tabs."""
    return _OBEYED.sub(_written_out, text)


def one_line(text: str, most: int = LINE) -> str:
    """A text as one line of at most so many characters, its middle left out where it is longer."""
    text = _BLANKS.sub(" ", harmless(text[: 4 * most] + text[4 * most :][-most:])).strip()
    text = _LONG_WORD.sub(r"\1…", text)
    if len(text) <= most:
        return text
    return f"{text[: most // 2]} … {text[len(text) - most // 2 :]}"


def shown(value: object, most: int = VALUE) -> str:
    """A value as a message quotes it: text and numbers as they are, all else as JSON; cut where longer."""
    if isinstance(value, str):
        text = value[: most + 1]
    elif isinstance(value, int) and value.bit_length() > 256:
        text = f"a number of {value.bit_length()} bits"
    elif isinstance(value, float):
        text = str(value)
    else:
        try:
            text = json.dumps(value)[: most + 1]
        except (TypeError, ValueError, RecursionError):
            text = f"a {type(value).__name__}"
    text = _OBEYED.sub(_written_out, text).replace("\n", "\\n").replace("\t", "\\t")
    return text if len(text) <= most else f"{text[:most]}…"


def name_of(path: Path) -> str:
    """What a file or folder is called; of one like ``.`` or ``..`` what it is called where it lies."""
    name = path.name if path.name not in ("", "..") else path.resolve().name
    return name or str(path)


def can_be_a_name(text: str) -> bool:
    """Whether a file can be called so, as a path that a file of somebody else's names."""
    try:
        return b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False


def is_utf8(text: str) -> bool:
    """Whether a name can be written in UTF-8, the only form that some libraries take."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def counted(count: int, thing: str) -> str:
    """So many of a thing in words: "1 cell", "2 cells"."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def in_json(value: object, most: int = VALUE) -> str:
    """A value as JSON, text in quotes, cut where it is longer; control characters are written out there."""
    return shown(json.dumps(value[:most]) if isinstance(value, str) else value, most)


def _written_out(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
