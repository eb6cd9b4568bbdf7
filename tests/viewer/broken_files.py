"""What may stand in the place of one of the user's files that nobody can read it as."""

from __future__ import annotations

import os
from pathlib import Path

NO_FILES = ("folder", "pipe", "device", "loop")
"""What is no file at all; reading a pipe or a device as one would never end."""


def put_broken(path: Path, how: str, contents: dict[str, bytes]) -> None:
    """One of NO_FILES, or a file with the bytes that ``contents`` has under ``how``."""
    if how == "folder":
        path.mkdir()
    elif how == "pipe":
        os.mkfifo(path)
    elif how == "device":
        path.symlink_to("/dev/zero")
    elif how == "loop":
        path.symlink_to(path)
    else:
        path.write_bytes(contents[how])
