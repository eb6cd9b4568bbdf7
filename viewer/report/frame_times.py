"""What the parts of the last frames cost, in milliseconds, for the graph of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

FRAMES = 300  # that are kept: five seconds at 60 a second
SMOOTH = 30  # of them, over which frames a second are counted
WHOLE = "frame"


@dataclass(frozen=True, slots=True)
class TimesReport:
    """The last frames, oldest first: ``parts`` are the milliseconds of each, ``whole`` those of all."""

    fps: float = 0.0
    whole: NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, np.float32))
    parts: Mapping[str, NDArray[np.float32]] = field(default_factory=dict)
    gpu: float | None = None

    def to_json(self) -> dict[str, Any]:
        """What a line of ``--report`` has of it."""
        last = {name: round(float(values[-1]), 3) for name, values in self.parts.items() if len(values)}
        return {"fps": round(self.fps, 2), "last": last, "gpu": self.gpu}


class FrameTimes:
    """Keeps the last frames' times; ``gpu`` is the graphics processor's, None where it does not tell."""

    def __init__(self) -> None:
        self.gpu: float | None = None
        self._whole = np.zeros(FRAMES, np.float32)
        self._parts: dict[str, NDArray[np.float32]] = {}
        self._count = 0

    def note(self, seconds: float, parts: Mapping[str, float]) -> None:
        """A frame took so long, and its parts so many milliseconds."""
        self._count += 1
        self._push(self._whole, 1000.0 * seconds)
        for name in (*self._parts, *(name for name in parts if name not in self._parts)):
            values = self._parts.setdefault(name, np.zeros(FRAMES, np.float32))
            self._push(values, parts.get(name, 0.0))
        if self.gpu is not None:
            self._push(self._parts.setdefault("gpu", np.zeros(FRAMES, np.float32)), self.gpu)

    def _push(self, values: NDArray[np.float32], value: float) -> None:
        values[:-1] = values[1:]
        values[-1] = value

    def report(self) -> TimesReport:
        """What is kept."""
        known = min(self._count, FRAMES)
        recent = self._whole[FRAMES - min(known, SMOOTH) :] if known else self._whole[:0]
        mean = float(recent.mean()) if len(recent) else 0.0
        fps = 1000.0 / mean if mean > 0.0 else 0.0
        start = FRAMES - known
        return TimesReport(fps, self._whole[start:], {n: v[start:] for n, v in self._parts.items()}, self.gpu)
