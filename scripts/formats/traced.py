"""The schema of a form that is read, by watching its reader: what it asks of which value is what it takes.

Sound samples are given to the reader while the questions to every ``Node`` are noted. A key is required where
the reader takes it in every sample and never asks whether it is there; a reader that names the keys it knows
takes no others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from engine.world.sources.json_node import Node

NUMBER: dict[str, Any] = {"type": "number"}
NULL: dict[str, Any] = {"type": "null"}
UNSIGNED: dict[str, Any] = {
    "anyOf": [
        {"type": "integer", "minimum": 0, "maximum": 0xFFFFFFFF},
        {"type": "string", "description": "a number in digits or as 0x7A9B4015"},
    ]
}
MAP = "{}"  # in a path, the members of an object whose keys are ids or names


def _row(count: int) -> dict[str, Any]:
    return {"type": "array", "items": NUMBER, "minItems": count, "maxItems": count}


def _point(keys: str) -> dict[str, Any]:
    letters = dict.fromkeys(keys, NUMBER)
    return {"anyOf": [_row(len(keys)), {"type": "object", "properties": letters, "required": list(keys)}]}


LEAVES: dict[str, dict[str, Any]] = {
    "number": NUMBER,
    "exact": NUMBER,
    "whole": {"type": "integer"},
    "flag": {"type": "boolean"},
    "text": {"type": "string"},
    "location": {"type": "string", "description": "a location as the game prints it"},
    "unsigned": UNSIGNED,
    "id_of": UNSIGNED,
    "vec3": _point("XYZ"),
    "quat": _point("WXYZ"),
    "turn": _row(4),
}


@dataclass
class _Seen:
    """What was asked of the values at one path."""

    leaves: list[dict[str, Any]] = field(default_factory=list)
    objects: set[int] = field(default_factory=set)
    taken: dict[str, set[int]] = field(default_factory=dict)
    optional: dict[str, None] = field(default_factory=dict)
    known: list[str] = field(default_factory=list)
    is_list: bool = False
    is_map: bool = False


class Watch:
    """The questions that readers ask while it watches."""

    def __init__(self) -> None:
        self._seen: dict[str, _Seen] = {}
        self._kept: list[object] = []  # so that no value takes another's place, and number
        self._deep = 0

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Note what is asked of every node meanwhile."""
        originals = {name: getattr(Node, name) for name in _METHODS}
        for name, original in originals.items():
            setattr(Node, name, self._noting(name, original))
        try:
            yield
        finally:
            for name, original in originals.items():
                setattr(Node, name, original)

    def _noting(self, name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def ask(node: Node, *given: Any) -> Any:
            if self._deep == 0:
                self._note(name, node, given)
            if name == "items":  # two questions: is it there, and what are its members
                return original(node, *given)
            self._deep += 1
            try:
                return original(node, *given)
            finally:
                self._deep -= 1

        return ask

    def _note(self, name: str, node: Node, given: tuple[Any, ...]) -> None:
        seen = self._seen.setdefault(self._path(node.where), _Seen())
        self._kept.append(node.value)
        if name in LEAVES or name == "numbers":
            leaf = _row(given[0]) if name == "numbers" else LEAVES[name]
            if leaf not in seen.leaves:
                seen.leaves.append(leaf)
        elif name == "members":
            seen.is_list = True
        elif name in ("by_id", "by_name"):
            seen.is_map = True
        elif name in ("has", "get", "only", "mapping", "items"):
            seen.objects.add(id(node.value))
            if name == "has":
                seen.optional[given[0]] = None
            elif name == "get":
                seen.taken.setdefault(given[0], set()).add(id(node.value))
            elif name == "only":
                seen.known += [key for key in given if key not in seen.known]

    def _path(self, where: str) -> str:
        """A place in a sample as a path of the schema: any index is one, and any key of a map."""
        path = re.sub(r"\[\d+\]", "[]", where)
        parts: list[str] = []
        for part in path.split(": "):
            above = self._seen.get(": ".join(parts))
            parts.append(re.sub(r"^[^\[]*", MAP, part) if above is not None and above.is_map else part)
        return ": ".join(parts)

    def schema(self, path: str = "") -> dict[str, Any]:
        """What the readers take at a path."""
        seen = self._seen.get(path, _Seen())
        found = list(seen.leaves)
        below = f"{path}: " if path else ""
        if seen.is_list:
            found.append({"type": "array", "items": self.schema(f"{path}[]")})
        if seen.is_map:
            found.append({"type": "object", "additionalProperties": self.schema(f"{below}{MAP}")})
        elif seen.objects:
            found.append(self._object(seen, below))
        return found[0] if len(found) == 1 else {"anyOf": found} if found else {}

    def _object(self, seen: _Seen, below: str) -> dict[str, Any]:
        keys = dict.fromkeys([*seen.taken, *seen.known, *seen.optional])
        out: dict[str, Any] = {"type": "object"}
        if keys:
            out["properties"] = {
                key: _or_null(self.schema(f"{below}{key}"))
                if key in seen.optional
                else self.schema(f"{below}{key}")
                for key in keys
            }
        required = [
            k for k, values in seen.taken.items() if values == seen.objects and k not in seen.optional
        ]
        if required:
            out["required"] = required
        if seen.known:
            out["additionalProperties"] = False
        return out


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A value that may as well be missing: null says that it is."""
    if not schema:  # anything
        return schema
    return {"anyOf": [*schema["anyOf"], NULL] if schema.keys() == {"anyOf"} else [schema, NULL]}


_METHODS = (*LEAVES, "numbers", "members", "by_id", "by_name", "has", "get", "only", "mapping", "items")


def traced(read: Callable[[object], object], samples: Iterable[object]) -> dict[str, Any]:
    """The schema of what a reader takes, from samples that hold everything that it may."""
    watch = Watch()
    with watch.watching():
        for sample in samples:
            read(sample)
    return watch.schema()
