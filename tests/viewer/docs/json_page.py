"""The tables of docs/json.md: which keys it tells of each command, and what a document holds beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from tests.viewer.docs.pages import DOCS

PAGE = DOCS / "json.md"
ANY = "*"
Origin = tuple[str, str]
"""A heading of the page, and a path in its table."""


@cache
def _rows() -> dict[str, list[tuple[str, list[str], list[str]]]]:
    """By heading the rows of its table: the key that others stand in, these, and the headings linked to."""
    found: dict[str, list[tuple[str, list[str], list[str]]]] = {}
    for part in re.split(r"^#+ ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        heading, text = part.split("\n", 1)
        rows = re.findall(r"^\| (.*?) ?\| (.*?) ?\| (.*) \|$", text, re.MULTILINE)[2:]
        found[heading.replace("`", "")] = [
            (inside.strip("` "), re.findall("`([^`]+)`", keys), re.findall(r"\(#([^)]+)\)", holds))
            for inside, keys, holds in rows
        ]
    return found


def headings(level: int) -> list[str]:
    """Those of a level that have a table."""
    text = PAGE.read_text(encoding="utf-8")
    found = [name.replace("`", "") for name in re.findall(rf"^#{{{level}}} (.*)$", text, re.MULTILINE)]
    return [name for name in found if _rows()[name]]


def told(heading: str) -> dict[str, Origin]:
    """Every path that a command's documents may have, with the row that tells it; lists are passed over."""
    found: dict[str, Origin] = {}
    anchors = {re.sub(r"[^a-z0-9 -]", "", name.lower()).replace(" ", "-"): name for name in _rows()}
    for inside, keys, links in _rows()[heading]:
        start = f"{inside}." if inside else ""
        for key in keys:
            found[f"{start}{key}"] = (heading, f"{start}{key}")
        for name in (anchors[link] for link in links):
            for at in [f"{start}{key}." for key in keys] or [start]:
                found |= {f"{at}{path}": origin for path, origin in told(name).items()}
    return found


def untold(document: Any, keys: dict[str, Origin], seen: set[Origin], at: str = "") -> Iterator[str]:
    """The paths of a document that no row tells; ``seen`` takes the rows of the others."""
    if isinstance(document, list):
        for member in document:
            yield from untold(member, keys, seen, at)
    elif isinstance(document, dict):
        for key, value in document.items():
            path = f"{at}{key}"
            if path in keys:
                seen.add(keys[path])
                yield from untold(value, keys, seen, f"{path}.")
            elif f"{at}{ANY}" in keys:
                seen.add(keys[f"{at}{ANY}"])
            else:
                yield path
