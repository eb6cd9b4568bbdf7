"""What lies below a folder, also where one of its folders is but a link to another."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from operator import attrgetter
from pathlib import Path


def files_below(folder: Path, on_error: Callable[[OSError], object] | None = None) -> Iterator[Path]:
    """Everything below a folder that is no folder, in no order; each folder once, wherever links lead.

    ``on_error`` hears of a folder that can't be read; without it that one is passed over.
    """
    met: set[tuple[int, int]] = set()
    _is_new(str(folder), met)
    waiting = [str(folder)]  # os.walk calls itself for each folder in another
    while waiting:
        here = waiting.pop()
        try:
            with os.scandir(here) as entries:
                found = sorted(entries, key=attrgetter("name"))
        except OSError as error:
            if on_error is not None:
                on_error(error)
            continue
        for entry in found:
            if not _is_folder(entry):
                yield Path(entry.path)
            elif _is_new(entry.path, met):
                waiting.append(entry.path)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False  # whoever reads it says so


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
