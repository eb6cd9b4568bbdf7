"""What the options' values are read with: each raises ValueError for a text that is none.

The parser then says what the option's help says, limits and all; BadValueError has words of its own.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable
from pathlib import Path

from engine.files.shown import shown
from engine.named_tuple import NamedTuple
from engine.physics.objects.door_phase import DoorPhase
from viewer.user_error import BadValueError

SIDES = (16, 8192)  # pixels, of a window
PICTURE_SIDES = (1, 8192)  # panels and menu may leave no more of the window than that
HUGE = 1e9
PATH = 300  # characters of a path in a message
HEXADECIMAL = re.compile(r"\s*(?:0[xX])?([0-9a-fA-F]+)\s*")
LOW_WORD_DIGITS = 4


def size(text: str, sides: tuple[int, int] = SIDES) -> tuple[int, int]:
    """A window's size ``WxH`` in pixels."""
    width, _, height = text.lower().partition("x")
    w, h = int(width), int(height)
    if not all(sides[0] <= side <= sides[1] for side in (w, h)):
        raise ValueError
    return w, h


def picture_size(text: str) -> tuple[int, int]:
    """A picture's size ``WxH`` in pixels."""
    return size(text, PICTURE_SIDES)


def look(text: str) -> tuple[float, float]:
    """Yaw and pitch ``YAW,PITCH`` in degrees."""
    yaw, pitch = _floats(text, 2)
    if not -90.0 <= pitch <= 90.0:
        raise ValueError
    return yaw, pitch


def pixel(text: str) -> tuple[int, int]:
    """``X,Y`` in pixels. ValueError for anything else."""
    x, y = (int(part) for part in text.split(","))
    return x, y


def triple(text: str) -> tuple[float, float, float]:
    """Three numbers ``X,Y,Z``."""
    x, y, z = _floats(text, 3)
    return x, y, z


def _floats(text: str, count: int) -> list[float]:
    numbers = [float(part) for part in text.split(",")]
    if len(numbers) != count or not all(abs(number) < HUGE for number in numbers):
        raise ValueError
    return numbers


def number(least: float, greatest: float = HUGE) -> Callable[[str], float]:
    """Reads a number between two, which belong to it."""

    def read(text: str) -> float:
        value = float(text)
        if not least <= value <= greatest:
            raise ValueError
        return value

    return read


def whole(least: int, greatest: float = HUGE) -> Callable[[str], int]:
    """Reads a whole number between two, which belong to it."""

    def read(text: str) -> int:
        value = int(text)
        if not least <= value <= greatest:
            raise ValueError
        return value

    return read


def object_id(text: str) -> int:
    """An object or cell id, in hexadecimal with or without 0x."""
    value = int(_digits(text), 16)
    if value > 0xFFFFFFFF:
        raise ValueError
    return value


def cell_number(text: str) -> int:
    """A cell's id, or with up to four digits the low word of one in the root's block.

    An id whose landblock is zero is none: who writes it has an id that has lost its landblock.
    """
    try:
        value = object_id(text)
        if not value or (value <= 0xFFFF and len(_digits(text)) > LOW_WORD_DIGITS):
            raise ValueError
    except ValueError:
        words = f"'{shown(text.strip())}' is no cell: write 0xA9B40171, or 0171 for one of the root's block"
        raise BadValueError(words) from None
    return value


def _digits(text: str) -> str:
    found = HEXADECIMAL.fullmatch(text)
    if found is None:
        raise ValueError
    return found[1]


class EntityState(NamedTuple):
    """What an entity is to be: its PhysicsState word; of a door the phase and for how long, in seconds."""

    entity: int
    state: int
    phase: DoorPhase | None = None
    since: float = 0.0


def entity_state(text: str) -> EntityState:
    """``ID=STATE`` or ``ID=STATE,PHASE,SECONDS``, numbers but the seconds in hexadecimal."""
    entity, _, rest = text.partition("=")
    state, *moving = rest.split(",")
    if not moving:
        return EntityState(object_id(entity), object_id(state))
    phase, since = moving
    seconds = float(since)
    if not abs(seconds) < HUGE:
        raise ValueError
    return EntityState(object_id(entity), object_id(state), DoorPhase(phase), seconds)


def animation_frame(text: str) -> tuple[int, int]:
    """``ANIMATION:FRAME``: the id of an animation in hexadecimal and the number of a frame, from 0 on."""
    animation, _, frame = text.partition(":")
    number_ = int(frame)
    if not 0 <= number_ < HUGE:
        raise ValueError
    return object_id(animation), number_


def landblock(text: str) -> int:
    """A landblock's id, low word zero, from four hexadecimal digits or from any id in it."""
    digits = _digits(text)
    if len(digits) not in (4, 8):
        raise ValueError
    value = int(digits, 16)
    return value << 16 if len(digits) == 4 else value & 0xFFFF0000


def out_file(text: str) -> str:
    """A file to write: refused at once, before the work, where it could not be written after it.

    Each is made beside its place, so that one which may be written can't be in a protected folder.
    """
    kept_file(text)
    if os.path.isfile(text):
        _check_folder(text, Path(os.path.realpath(text)).parent)
    return text


def kept_file(text: str) -> str:
    """A file to write into or to go on with: refused at once, as another is."""
    path = Path(text)
    if os.path.isdir(path):
        raise BadValueError(f"'{shown(text, PATH)}' is a folder, not a file to write")
    if not os.path.exists(path):
        _check_folder(text, path.parent)
    elif not os.access(path, os.W_OK):
        raise BadValueError(f"{shown(text, PATH)} can't be written: the file is protected")
    return text


def out_folder(text: str) -> str:
    """A folder to write into, which is made where it is not there yet; refused at once, as a file is."""
    path = Path(text).absolute()
    _check_folder(text, next(folder for folder in (path, *path.parents) if os.path.exists(folder)))
    return text


def _check_folder(text: str, folder: Path) -> None:
    what = ""
    try:
        if not stat.S_ISDIR(os.stat(folder).st_mode):
            what = f"{folder} is no folder"
        elif not os.access(folder, os.W_OK | os.X_OK):
            what = f"the folder {folder} is protected"
    except PermissionError:
        what = f"the folder {folder} may not be entered"
    except OSError:
        what = f"{folder} is not there"
    if what:
        raise BadValueError(f"{shown(text, PATH)} can't be written: {what}")
