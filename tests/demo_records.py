"""The demo's records, decoded once for all worlds of a process: anew for each it took a fifth of its time."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

from engine.dat.container.installation import DatFiles
from engine.world.sources import open_source
from tests.places import DEMO

T = TypeVar("T")
_kept: dict[tuple[int, type], Any] = {}


class KeptDatFiles(DatFiles):
    """The dat files of the demo; records are values, which worlds may share."""

    def get(self, object_id: int, record_type: type[T]) -> T | None:
        """As ever, but what any world has read before."""
        key = (object_id, record_type)
        if key not in _kept:
            _kept[key] = super().get(object_id, record_type)
        record: T | None = _kept[key]
        return record


def keep_demo_records() -> None:
    """Have worlds of the demo read so from now on; those of other folders read what is there."""
    demo = DEMO.resolve()

    def opened(folder: Path) -> DatFiles:
        return (KeptDatFiles if folder.resolve() == demo else DatFiles).open(folder)

    vars(open_source)["DatFiles"] = SimpleNamespace(open=opened)
