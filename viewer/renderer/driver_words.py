"""Keeps Mesa from saying on the terminal what its user can do nothing with: what is wrong is said here."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Final

from viewer.user_folders import home_on_record

WORDS: Final = "MESA_DEBUG"
"""Mesa's variable: what it says of itself; unset, it tells of each variable that it goes by."""
SILENT: Final = "silent"
_QUIET: Final = {"EGL_LOG_LEVEL": "fatal", WORDS: SILENT}
_NO_CACHE: Final = "MESA_SHADER_CACHE_DISABLE"
_CACHE: Final = "mesa_shader_cache"


def hush_driver() -> None:
    """Have Mesa warn of nothing, unless the environment asks for it; before the first OpenGL context.

    Where no folder for compiled shaders can be made it would say so at every start: it is told not to try.
    """
    for name, value in _QUIET.items():
        if not os.environ.get(name):  # one that is there and empty is as good as none, but not to Mesa
            os.environ[name] = value
    if sys.platform == "linux" and not _has_cache():
        os.environ.setdefault(_NO_CACHE, "true")


def _has_cache() -> bool:
    """Whether the folders that Mesa makes for its shaders are there, or the first missing can be made."""
    missing = next((folder for folder in _cache_folders() if not os.path.isdir(folder)), None)
    if missing is None:
        return True
    try:
        os.mkdir(missing)
    except OSError:
        return os.path.isdir(missing)  # another process was as quick
    with suppress(OSError):  # another process has put something into it meanwhile
        os.rmdir(missing)
    return True


def _cache_folders() -> tuple[str, ...]:
    """From the outermost to that of compiled shaders; none where Mesa knows no place, and says nothing."""
    named = (os.environ.get(name) for name in ("MESA_SHADER_CACHE_DIR", "XDG_CACHE_HOME"))
    place = next((name for name in named if name is not None), None)
    if place is not None:
        return place, os.path.join(place, _CACHE)
    home = home_on_record()
    if home is None:
        return ()
    return str(home), str(home / ".cache"), str(home / ".cache" / _CACHE)
