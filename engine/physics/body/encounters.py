"""Whom a body has met lately, so that a touch is reported once (sweep 3.20)."""

from __future__ import annotations

from typing import Final

COLLISION_MEMORY: Final = 1.0


class Encounters:
    """``known`` holds entities by id: when they were met (seconds of simulation time), whether ethereal."""

    __slots__ = ("known",)

    def __init__(self) -> None:
        self.known: dict[int, tuple[float, bool]] = {}

    def meet(self, entity_id: int, now: float, *, ethereal: bool) -> bool:
        """Remember who was met; whether that is news."""
        is_news = entity_id not in self.known
        self.known[entity_id] = (now, ethereal)
        return is_news

    def end(self, now: float) -> list[int]:
        """Forget who was not met for a second, ethereal ones at once; their ids."""
        if not self.known:
            return []
        ended = [
            entity_id
            for entity_id, (since, ethereal) in self.known.items()
            if now - since > (0.0 if ethereal else COLLISION_MEMORY)
        ]
        for entity_id in ended:
            del self.known[entity_id]
        return ended

    def forget(self) -> None:
        """Forget everybody: the body is elsewhere."""
        self.known.clear()
