"""Keeps drivers from saying on the terminal what its user can do nothing with: what is wrong is said here."""

from __future__ import annotations

import os
from typing import Final

from viewer.renderer.driver_cache import settle_cache
from viewer.terminal import hush_strangers

WORDS: Final = "MESA_DEBUG"
"""Mesa's variable: what it says of itself; unset, it tells of each variable that it goes by."""
SILENT: Final = "silent"
_QUIET: Final = {"EGL_LOG_LEVEL": "fatal", WORDS: SILENT}
_LOUD: Final = ("LIBGL_DEBUG", "EGL_LOG_LEVEL", WORDS)


def hush_driver() -> None:
    """Have the driver say nothing, unless the environment asks for it; before the first OpenGL context.

    Some of its words no variable keeps back, as when its cache goes while it is used.
    """
    asked = [name for name in _LOUD if os.environ.get(name) not in (None, "", _QUIET.get(name))]
    for name, value in _QUIET.items():
        if not os.environ.get(name):  # one that is there and empty is as good as none, but not to Mesa
            os.environ[name] = value
    settle_cache()
    if not asked:
        hush_strangers()
