"""Names for what a user saves by a key or a button: the date and the time, and never one that is taken."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import datetime
from itertools import count
from pathlib import Path

from engine.files.write import write_new


def dated_path(folder: Path, what: str = "", ending: str = "") -> Path:
    """A path in a folder that nothing is at: the second says little to who saves twice in one."""
    name = "-".join(word for word in ("holtwalk", what, f"{datetime.now():%Y%m%d-%H%M%S}") if word)
    paths = (folder / f"{name}{'' if n == 1 else f'-{n}'}{ending}" for n in count(1))
    return next(path for path in paths if not os.path.lexists(path))


def write_dated(folder: Path, data: bytes, what: str = "", ending: str = "") -> Path:
    """Write a file under such a name, the next one where another program takes it; OSError names the file."""
    while True:
        path = dated_path(folder, what, ending)
        with suppress(FileExistsError):
            write_new(path, data)
            return path
