"""The reports that a walk writes while it runs: one a tick, one of each change while time stands still."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from engine.files.format_version import FRAME_REPORTS, FirstStamped
from engine.files.write import LineFile

PASSING = ("timings", "frame")  # what differs from one frame to the next by itself


class Telling:
    """A file of frame reports, as JSON lines; nothing is written without a path.

    ``on_end`` is told in a line that the file ended early; ``probe_told`` is the number of the last probe
    that stands in it with its pins.
    """

    def __init__(self, path: Path | None, on_end: Callable[[str], None]) -> None:
        self._path, self._on_end = path, on_end
        self._file = LineFile(path, on_end=on_end) if path else None
        self._stamped = FirstStamped(FRAME_REPORTS)
        self._told: dict[str, object] = {}
        self.probe_told = 0

    @property
    def is_on(self) -> bool:
        """Whether there is anybody to tell."""
        return self._file is not None

    def tell(self, document: Mapping[str, object]) -> None:
        """Write a report, whatever it says."""
        if self._file is not None:
            self._file.write(json.dumps(self._stamped(document)))
            self._told = _lasting(document)
            probe, number = _probe_of(document)
            if probe is not None:
                self.probe_told = number

    def tell_change(self, document: Mapping[str, object]) -> None:
        """Write a report that says something else than the last, but for what passes."""
        if _lasting(document) != self._told:
            self.tell(document)

    def close(self) -> None:
        """End the file, once who reads a pipe has read it; without a report it was never there."""
        if self._file is not None and self._told:
            self._file.close()
        elif self._file is not None:
            self._file.abandon()
            self._on_end(f"{self._path}: not written: there was nothing to report")

    def abandon(self) -> None:
        """End the file by an error: without a report it was never there, and nobody waits for a reader."""
        if self._file is not None:
            self._file.abandon()


def _lasting(document: Mapping[str, object]) -> dict[str, object]:
    out = {name: value for name, value in document.items() if name not in PASSING}
    probe, _ = _probe_of(document)
    if probe is not None:  # its pins are told once
        out["asked"] = {**_asked_of(document), "probe": {**probe, "pins": []}}
    return out


def _asked_of(document: Mapping[str, object]) -> Mapping[str, object]:
    asked = document.get("asked")
    return asked if isinstance(asked, Mapping) else {}


def _probe_of(document: Mapping[str, object]) -> tuple[Mapping[str, object] | None, int]:
    """The probe that a report tells of, and its number."""
    asked = _asked_of(document)
    probe, number = asked.get("probe"), asked.get("probe_number")
    if isinstance(probe, Mapping) and isinstance(number, int):
        return probe, number
    return None, 0
