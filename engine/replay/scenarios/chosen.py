"""Which of many things a scenario goes to: all, or evenly chosen ones where they would take too long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Chosen(Generic[T]):
    """The things that are gone to, in their order; ``note`` is empty where these are all."""

    things: Sequence[T]
    note: str


def evenly(things: Sequence[T], most: int, what: str) -> Chosen[T]:
    """At most so many of some things, one in so many; ``what`` they are goes into the note."""
    if len(things) <= most:
        return Chosen(things, "")
    chosen = things[:: -(-len(things) // most)]
    return Chosen(chosen, f"; went to {len(chosen)} of {len(things)} {what}")
