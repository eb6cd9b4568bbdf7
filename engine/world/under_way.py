"""How far work is that may take long, told to whoever wants to hear it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


class UnderWay:
    """Tells ``hear`` what is being done and what share of it is, 0 to 1; nobody hears it at first."""

    __slots__ = ("hear",)

    def __init__(self) -> None:
        self.hear: Callable[[str, float], object] | None = None

    def through(self, what: str, items: Collection[T]) -> Iterable[T]:
        """These items, with ``what`` is done with them told before each and after the last."""
        return items if self.hear is None or not items else self._told(what, items)

    def _told(self, what: str, items: Collection[T]) -> Iterator[T]:
        for number, item in enumerate(items):
            self._tell(what, number / len(items))
            yield item
        self._tell(what, 1.0)

    def _tell(self, what: str, share: float) -> None:
        if self.hear is not None:
            self.hear(what, share)
