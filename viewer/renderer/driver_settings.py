"""Mesa's own file of settings, which it reads for each context: a pipe there is waited for without end."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import Final

FILE: Final = ".drirc"


def settings_trouble() -> str:
    """One line where Mesa would wait for ever; empty else.

    It would wait with Python's lock held: no interrupt would be heard, and nothing said.
    """
    home = os.environ.get("HOME")
    file = Path(home, FILE) if home and sys.platform == "linux" else None
    try:
        if file is None or not stat.S_ISFIFO(os.stat(file).st_mode):
            return ""
    except OSError:  # the driver passes it over as well
        return ""
    return f"{file}: is a pipe, and the OpenGL driver would wait for ever for its settings there"
