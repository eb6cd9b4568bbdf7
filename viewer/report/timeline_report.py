"""The kept ticks as the frame report tells of them."""

from __future__ import annotations

from dataclasses import dataclass

from engine.physics.enums import TICKS_PER_SECOND


@dataclass(frozen=True, slots=True)
class TimelineReport:
    """From which tick to which are kept, and which one is shown.

    ``marks`` are kinds with the first and the last tick of a run of them. ``branches`` are ticks that were
    left: the one that they went on from, and how many. ``speed`` is that of time, 1 the game's; ``playing``
    tells that kept ticks are being shown one after another. ``bytes`` is about what all of it takes, and
    ``most_bytes`` what more than a minute may.
    """

    first: int = -1
    last: int = -1
    shown: int = -1
    marks: tuple[tuple[str, int, int], ...] = ()
    branches: tuple[tuple[int, int], ...] = ()
    speed: float = 1.0
    playing: bool = False
    bytes: int = 0
    most_bytes: int = 0

    @property
    def is_at_end(self) -> bool:
        """Whether the next tick is a new one."""
        return self.shown == self.last


def tick_name(tick: int) -> str:
    """What people call a tick: there is a moment before the first, and it is none."""
    return f"tick {tick}" if tick >= 0 else "the start"


def place_in_time(shown: int, last: int) -> str:
    """The tick shown, and how far before the last one it is, in words."""
    if shown < last:
        return f"{tick_name(shown)}, {(last - shown) / TICKS_PER_SECOND:.2f} s before the last"
    return f"{tick_name(shown)}, {'the last one' if shown >= 0 else 'before the first tick'}"


NO_TIMELINE = TimelineReport()
