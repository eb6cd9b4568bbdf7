"""Where shaders lie: at the top of a checkout, or inside the installed package."""

from __future__ import annotations

import re
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[2]
_INCLUDE = re.compile(r'^#include "([^"]+)"$', re.MULTILINE)


class MissingResourceError(Exception):
    """A file that belongs to the program is not there; the message names it."""


def data_folder(name: str) -> Path:
    """The folder of that name (``shaders`` or ``assets``) of this installation.

    Raises MissingResourceError where neither place has it.
    """
    places = (_PACKAGE / "_data" / name, _PACKAGE.parent / name)
    for place in places:
        if place.is_dir():
            return place
    raise MissingResourceError(f"the folder {name} is missing: looked for {places[0]} and {places[1]}")


def shader_source(folder: Path, name: str) -> str:
    """The text of a shader with its ``#include "…"`` lines replaced by those files.

    Raises MissingResourceError naming a file that is not there.
    """
    path = folder / name
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise MissingResourceError(f"the shader {path} cannot be read: {error.strerror}") from error
    return _INCLUDE.sub(lambda found: shader_source(folder, found.group(1)), text)
