"""The driver's own cache of programs on the disk, and disks that are too full for it."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

OFF = "MESA_SHADER_CACHE_DISABLE"
ROOM = 32 << 20  # bytes; Mesa's index alone has 1.3 MB


def spare_full_disk() -> None:
    """Let Mesa keep no cache where it has no room: it maps files, and a full disk ends the process then.

    Before a context is made; nothing where somebody has set it already.
    """
    if sys.platform != "win32" and OFF not in os.environ and _room(_folder()) < ROOM:
        os.environ[OFF] = "true"


def _folder() -> Path:
    """Where Mesa keeps it."""
    named = os.environ.get("MESA_SHADER_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    return Path(named or os.path.expanduser("~/.cache")).absolute()


def _room(folder: Path) -> float:
    """Free bytes on the disk of a folder that may have to be made; no bound where nothing tells."""
    for place in (folder, *folder.parents):
        try:
            return float(shutil.disk_usage(place).free)
        except OSError:
            continue
    return float("inf")
