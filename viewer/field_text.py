"""The fields of a record as lines to read (`dat show`)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

ROOM = 110
DEEPEST_INDENT = 30  # a chain of nodes would walk off to the right; further down the depth is written out
MOST_VALUES = 40  # that can fit on one line


def field_lines(fields: dict[str, Any], depth: int = 1) -> Iterator[str]:
    """One line a field: numbers and short lists on it, what holds records below it, however deep."""
    todo: list[tuple[int, str, Any]] = [(depth, name, value) for name, value in reversed(fields.items())]
    while todo:
        depth, name, value = todo.pop()
        indent = "  " * depth if depth <= DEEPEST_INDENT else f"{'  ' * DEEPEST_INDENT}({depth}) "
        text = json.dumps(value) if _is_small(value) else ""
        if text and (len(indent) + len(name) + len(text) < ROOM or not isinstance(value, list | dict)):
            yield f"{indent}{name}: {text}"
        elif isinstance(value, list):
            yield f"{indent}{name}: {len(value)}"
            todo += [(depth + 1, str(index), value[index]) for index in reversed(range(len(value)))]
        else:
            yield f"{indent}{name}:"
            todo += [(depth + 1, key, item) for key, item in reversed(value.items())]


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
