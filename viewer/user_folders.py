"""The folders of whoever is logged in; a container or a service may have no home, and the program goes on."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

NO_HOME: Final = "no home folder: set HOME or XDG_CONFIG_HOME"
STARTED_IN: Final = "the folder that holtwalk was started in"
NOTHING_KEPT: Final = f"{NO_HOME}; settings, keys, bookmarks and the layout of panels are not kept"


def home_folder() -> Path | None:
    """The user's home; None without one."""
    return _asked(Path.home)


def home_on_record() -> Path | None:
    """The home that the system has on record, whatever the environment says; None without one."""
    try:
        import pwd  # POSIX alone has it

        return Path(pwd.getpwuid(os.getuid()).pw_dir)
    except (ImportError, KeyError):
        return None


def config_folder() -> Path | None:
    """Where the platform wants the program's settings, whether it is there or not; None without a home."""
    import platformdirs  # here and below: the examination of a machine goes on without it

    return _asked(lambda: platformdirs.user_config_path("holtwalk", appauthor=False))


def named_pictures_folder() -> Path | None:
    """Where the platform has the user's pictures, whether it is there or not; None without a home."""
    import platformdirs

    return _asked(platformdirs.user_pictures_path)


def pictures_folder() -> Path:
    """The user's folder of pictures; where there is none, the one the program was started in."""
    return _there(named_pictures_folder())


def documents_folder() -> Path:
    """The user's folder of documents; where there is none, the one the program was started in."""
    import platformdirs

    return _there(_asked(platformdirs.user_documents_path))


def _asked(where: Callable[[], Path]) -> Path | None:
    """A folder below the user's home; None where nobody knows one."""
    with suppress(Exception):  # what they raise where there is no home, or a file of the desktop's is damaged
        folder = where()
        return folder if folder.is_absolute() else None  # older ones of platformdirs leave a "~" in it
    return None


def _there(folder: Path | None) -> Path:
    if folder is not None and os.path.isdir(folder):
        return folder
    try:
        return Path.cwd()
    except OSError as error:
        raise OSError(error.errno, "it is gone, and there is no other", STARTED_IN) from error
