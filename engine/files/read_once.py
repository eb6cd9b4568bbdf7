"""Which files can be read again, and where: a pipe is empty once it was read."""

from __future__ import annotations

from pathlib import Path

from engine.files.file_places import descriptor_path


def is_read_here_once(path: Path) -> bool:
    """Whether no other process can read what is there, nor this one again: a pipe, a device, a descriptor."""
    return _is_of_process(path) or (path.exists() and not (path.is_file() or path.is_dir()))


def place_for_all(path: Path) -> Path | None:
    """Where every process can read what is there, as often as it likes; None for a pipe or a device.

    What isn't there stays what it was named, for who opens it to tell.
    ``/dev/fd/5`` is another file to each process: it stands for the file or folder that is open there.
    """
    if not path.exists():
        return path
    if _is_of_process(path):
        place = path.resolve()
        return place if place.exists() and not is_read_here_once(place) else None
    return None if is_read_here_once(path) else path


def _is_of_process(path: Path) -> bool:
    return any(descriptor_path(str(part)) for part in (path, *path.parents))
