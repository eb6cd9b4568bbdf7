"""What tells the files that a piece of work reads from what they were at another time."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path

WORLD_FILES = (".dat", ".json", ".sql")


def stamp(args: Namespace, paths: Iterable[Path]) -> list[list[object]]:
    """What tells files from those of another time: name, size and time of change, of folders' files too.

    In a folder only files that worlds are read from count; the state of the work itself never does.
    """
    found: list[list[object]] = []
    kept = os.path.realpath(args.state) if args.state else None
    for path in paths:
        files = [path]
        if path.is_dir():
            inside = path.rglob("*") if str(path) == getattr(args, "spawns", None) else path.iterdir()
            files = sorted(file for file in inside if file.suffix.lower() in WORLD_FILES)
        whole = [(file, os.path.realpath(file)) for file in files]
        found += [[name, *_of(file)] for file, name in whole if name != kept]
    return found


def _of(file: Path) -> tuple[object, object]:
    """A file's size and time of change; why they can't be had is told by who reads the file."""
    try:
        about = file.stat()
    except OSError as error:
        return None, error.strerror
    return about.st_size, about.st_mtime_ns
