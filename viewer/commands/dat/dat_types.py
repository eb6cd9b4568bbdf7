"""A type of object as it is typed."""

from __future__ import annotations

from engine.dat.object_types import TYPES
from engine.dat.records.codecs import CODECS
from engine.files.shown import shown
from viewer.user_error import UserError


def type_named(name: str | None) -> str | None:
    """A type of object, however its letters are cased."""
    if name is None:
        return None
    by_lower = {known.lower(): known for known in TYPES}
    if name.lower() not in by_lower:
        raise UserError(f"--type: no type '{shown(name)}'; there are {', '.join(sorted(CODECS))} and others")
    return by_lower[name.lower()]
