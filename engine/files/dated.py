"""Names for what a user saves by a key or a button: the date and the time, and never one that is taken."""

from __future__ import annotations

import os
from datetime import datetime
from itertools import count
from pathlib import Path


def dated_path(folder: Path, what: str = "", ending: str = "") -> Path:
    """A path in a folder that nothing is at: the second says little to who saves twice in one."""
    name = "-".join(word for word in ("holtwalk", what, f"{datetime.now():%Y%m%d-%H%M%S}") if word)
    paths = (folder / f"{name}{'' if n == 1 else f'-{n}'}{ending}" for n in count(1))
    return next(path for path in paths if not os.path.lexists(path))
