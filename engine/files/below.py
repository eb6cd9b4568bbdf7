"""What lies below a folder, also where one of its folders is but a link to another."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path


def files_below(folder: Path, on_error: Callable[[OSError], object] | None = None) -> Iterator[Path]:
    """Everything below a folder that is no folder, in no order; each folder once, wherever links lead.

    ``on_error`` hears of a folder that can't be read; without it that one is passed over.
    """
    met: set[tuple[int, int]] = set()
    _is_new(str(folder), met)
    for here, folders, names in os.walk(folder, onerror=on_error, followlinks=True):
        folders[:] = [name for name in sorted(folders) if _is_new(os.path.join(here, name), met)]
        for name in names:
            yield Path(here, name)


def _is_new(folder: str, met: set[tuple[int, int]]) -> bool:
    """Whether a folder was not met before, by another name; it has been now."""
    try:
        found = os.stat(folder)
    except OSError:
        return True  # whoever reads it says so
    which = (found.st_dev, found.st_ino)
    is_new = which not in met
    met.add(which)
    return is_new
