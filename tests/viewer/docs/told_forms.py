"""Which command prints each form that a page sketches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.viewer.docs.forms import PROMISES


@dataclass(frozen=True)
class Told:
    """A form that a page sketches, the commands that print it, and what of their documents it is."""

    path: Path
    begins: str
    commands: tuple[str, ...]
    part: Callable[[list[Any]], list[Any]] = lambda documents: documents
    seldom: frozenset[str] = frozenset()
    """Keys that are left out where the page says so."""


SIDES = frozenset({"fields.[].a", "fields.[].b", "entry.[].a", "entry.[].b"})
TOLD = (
    Told(PROMISES, "[{kind, cell|entity", ("sim",), lambda ds: [d["hits"] for d in ds]),
    Told(PROMISES, '{"root", "eye"', ("pvs",)),
    Told(PROMISES, '"flood"', ("pvs",), lambda ds: ds[0]["cells"]),
    Told(PROMISES, '{"cell", "kind"', ("cell",)),
    Told(PROMISES, '{"ok": bool', ("verify", "audit", "bench", "replay", "doctor")),
    Told(PROMISES, "figures: {", ("audit",), lambda ds: ds[0]["results"]),
    Told(PROMISES, '{"file", "id", "type", "entry"', ("show",)),
    Told(PROMISES, '{"kind", "id", "type"', ("diff",), part=lambda ds: ds[:-1], seldom=SIDES),
    Told(PROMISES, '{"ok", "files"', ("diff",), lambda ds: ds[-1:]),
    Told(PROMISES, '{"file", "id", "type", "names"', ("grep",)),
)
