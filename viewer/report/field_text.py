"""The fields of a record as lines to read (`dat show`)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from textwrap import wrap
from typing import Any

import numpy as np

from engine.dat.hex_id import hex_id

ROOM = 110
DEEPEST_INDENT = 30  # a chain of nodes would walk off to the right; further down the depth is written out
MOST_VALUES = 40  # that can fit on one line
MOST_LETTERS = 64  # of an image's bytes in hexadecimal
FIRST_ID = 0x01000000  # whole numbers from here on are ids, colours or commands


def field_lines(fields: dict[str, Any], depth: int = 1) -> Iterator[str]:
    """One line a field: what is short on it, what holds more below it, however deep."""
    todo: list[tuple[int, str, Any]] = [(depth, name, value) for name, value in reversed(fields.items())]
    while todo:
        depth, name, value = todo.pop()
        indent = "  " * depth if depth <= DEEPEST_INDENT else f"{'  ' * DEEPEST_INDENT}({depth}) "
        text = _text(value) if _is_small(value) else ""
        if text and (len(indent) + len(name) + len(text) < ROOM or not isinstance(value, list | dict)):
            yield f"{indent}{name}: {text}"
        elif isinstance(value, list) and not any(isinstance(item, list | dict) for item in value):
            yield f"{indent}{name}: {len(value)}"
            yield from wrap(
                ", ".join(map(_text, value)),
                ROOM,
                initial_indent=f"{indent}  ",
                subsequent_indent=f"{indent}  ",
            )
        elif isinstance(value, list):
            yield f"{indent}{name}: {len(value)}"
            todo += [(depth + 1, str(index), value[index]) for index in reversed(range(len(value)))]
        else:
            yield f"{indent}{name}:"
            todo += [(depth + 1, key, item) for key, item in reversed(value.items())]


def value_text(value: Any) -> str:
    """A value on a line: what is short as it is, of a longer one how much it holds."""
    text = _text(value) if _is_small(value) else ""
    if text and len(text) < ROOM:
        return text
    return f"{len(value)} {'items' if isinstance(value, list) else 'fields'}"


def _is_small(value: Any) -> bool:
    """Whether a value holds so little that its text may fit on one line."""
    todo = [value]
    seen = 0
    while todo:
        item = todo.pop()
        seen += 1
        if seen > MOST_VALUES:
            return False
        if isinstance(item, list | dict):
            if len(item) > MOST_VALUES:
                return False
            todo += item if isinstance(item, list) else item.values()
    return True


def _text(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_text, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {_text(item)}' for key, item in value.items())}}}"
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, int) and value >= FIRST_ID:
        return hex_id(value)
    if isinstance(value, str) and len(value) > MOST_LETTERS:
        rest = len(value) - MOST_LETTERS
        return f"{json.dumps(value[:MOST_LETTERS])} and {rest} more letters (all with --json)"
    return json.dumps(value)


def _number(value: float) -> str:
    """A number in as few digits as its single-precision value needs; in full where it has more."""
    with np.errstate(over="ignore"):
        single = np.float32(value)
    return f"{single!s}" if float(single) == value else repr(value)
