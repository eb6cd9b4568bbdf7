"""How long the graphics processor takes for a frame, by timer queries, where it can tell."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import moderngl

BEHIND = 3  # frames until a query is asked: by then it is answered and nothing waits for it


class GpuTimer:
    """Measures what is drawn in ``measured``; ``milliseconds`` is None where no query can be made."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self.milliseconds: float | None = None
        self._queries: list[moderngl.Query] = []
        self._frame = 0
        try:
            self._queries = [ctx.query(time=True) for _ in range(BEHIND)]
        except Exception:  # a driver without them: there is nothing to tell
            self._queries = []

    @contextmanager
    def measured(self) -> Iterator[None]:
        """Measure what is drawn meanwhile; what is known then is of some frames ago."""
        if not self._queries:
            yield
            return
        query = self._queries[self._frame % BEHIND]
        if self._frame >= BEHIND:
            self.milliseconds = query.elapsed / 1e6
        self._frame += 1
        with query:
            yield
