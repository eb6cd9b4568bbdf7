"""Says on a terminal how far a script's long work is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from viewer.report.progress import QUIET, Progress

T = TypeVar("T")


def telling(what: str, items: Iterable[T], count: int) -> Iterator[T]:
    """The items one by one; how many of about ``count`` are done is said where it takes long."""
    progress = Progress(what, asked=False, quiet=QUIET)
    progress.total = count
    for done, item in enumerate(items):
        progress(done, f"{done} of {count}")
        yield item
    progress.make_way()
