"""Locations as the game prints them, and map coordinates (promises 2, dat-format 4.1)."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from engine.dat.hex_id import hex_id
from engine.dat.number_rules import FARTHEST, UNIT_SLACK, length_fault
from engine.dat.values import Quat, Vec3
from engine.files.shown import shown
from engine.named_tuple import NamedTuple
from engine.world.frame import Frame, Position
from engine.world.ids import (
    BLOCK_SIDE,
    FIRST_ENV_CELL,
    LAST_ENV_CELL,
    adjust_to_outside,
    block_of,
    inbound,
)

MAP_SCALE = 240.0
MAP_OFFSET = 101.95
LAND_CELLS_OF_BLOCK = 0x40
BLOCK_WORDS = (0x0000, 0xFFFE, 0xFFFF)
SINGLE_SLACK = 2e-7  # what single precision costs; six printed digits cost more

EXAMPLE = "0xA9B40170 [155.0 15.2 94.0] 1 0 0 0"

_PREFIX = re.compile(r"^\s*(?:[@/]?(?:teleloc|loc)\b|your location is\b)[:\s]*", re.IGNORECASE)
_PLACE = re.compile(r"^(?:0x)?(?P<cell>[0-9a-fA-F]{1,8})\s*\[(?P<at>[^\[\]]*)\](?P<turn>.*)$")
_BARE = re.compile(r"^(?:0x)?(?P<id>[0-9a-fA-F]{8}|[0-9a-fA-F]{4})$")
_MAP = re.compile(  # the blanks are taken whole: shared out in every way they would cost their square
    r"^\(?\s*(?P<ns>\d+(?:\.\d+)?)\s*(?P<n>[NSns])(?:\s++,?|,)\s*+(?P<ew>\d+(?:\.\d+)?)\s*(?P<e>[EWew])\s*\)?$"
)


class Location(NamedTuple):
    """A place that a user named: cell id and frame in that cell's block.

    ``on_ground`` marks map coordinates, which have no height: z is 0 until the terrain is known.
    ``is_middle`` marks a bare id, of a cell or a landblock: where its middle is shows when it is loaded.
    """

    cell_id: int
    frame: Frame
    on_ground: bool = False
    is_middle: bool = False

    @property
    def position(self) -> Position:
        """The same as a position."""
        return Position(self.cell_id, self.frame)


def parse_location(text: str) -> Location:
    """What ``0xA9B40170 [155.0 15.2 94.0] 1 0 0 0``, ``0xA9B40170``, ``0xA9B4`` or ``42.1N 33.6E`` names.

    A leading ``@teleloc`` or ``/loc`` is passed over and the quaternion (w x y z) may be left out. A low
    word of 0 means outdoors: the landcell follows from the position. A bare id is the middle of the cell, or
    of the landblock where it has four digits or a low word of 0, FFFE or FFFF.

    Raises ValueError with one line.
    """
    rest = _PREFIX.sub("", text).strip()
    on_map = _MAP.match(rest)
    if on_map:
        north = float(on_map["ns"]) * (1 if on_map["n"] in "Nn" else -1)
        east = float(on_map["ew"]) * (1 if on_map["e"] in "Ee" else -1)
        return _from_map(text, north, east)
    bare = _BARE.match(rest)
    if bare:
        return _middle_of(text, bare["id"])
    place = _PLACE.match(rest)
    if place is None:
        raise _bad(text, f"expected a cell and a place like {EXAMPLE}, a cell's id or 42.1N 33.6E")
    at = _numbers(text, place["at"], "position")
    if len(at) != 3:
        raise _bad(text, f"a position has three numbers, not {len(at)}")
    turn = _numbers(text, place["turn"], "orientation")
    try:
        return place_of(int(place["cell"], 16), (at[0], at[1], at[2]), turn)
    except ValueError as error:
        raise _bad(text, str(error)) from None


def place_of(cell_id: int, origin: Vec3, turn: Sequence[float]) -> Location:
    """The location of a cell id, a place in its block (metres) and an orientation w x y z, or none.

    A low word of 0 means outdoors: the landcell follows from the position (promises 2). Raises ValueError
    saying what makes no sense.
    """
    frame = Frame(origin, _unit(turn))
    low = cell_id & 0xFFFF
    if low == 0:
        cell_id, origin = adjust_to_outside(block_of(cell_id) | 0xFFFF, origin)
        if cell_id == 0:
            raise ValueError("the position lies off the map")
        return Location(cell_id, frame.with_origin(origin))
    if not (1 <= low <= LAND_CELLS_OF_BLOCK or FIRST_ENV_CELL <= low <= LAST_ENV_CELL):
        raise ValueError(f"0x{low:04X} names no cell: 0001-0040 are outdoors, 0100-FFFD indoors")
    x, y = (cell_id >> 24) & 0xFF, (cell_id >> 16) & 0xFF
    if not inbound(8 * x, 8 * y):
        raise ValueError(f"landblock 0x{cell_id >> 16:04X} lies off the map")
    return Location(cell_id, frame)


def format_location(position: Position | Location, decimals: int = 6) -> str:
    """A position as ``0xA9B40170 [155.0 15.2 94.0] 1 0 0 0``, with so many decimals at most."""
    x, y, z = position.frame.origin
    place = " ".join(_short(v, 1, decimals) for v in (x, y, z))
    turn = " ".join(_short(v, 0, decimals) for v in position.frame.quat)
    return f"{hex_id(position.cell_id)} [{place}] {turn}"


def format_place(position: Position) -> str:
    """As ``format_location``, in one form alone: two quaternions are one turn, and which one has is chance.

    It is the one whose first printed number other than 0 is positive.
    """
    frame = position.frame
    first = next((v for v in frame.quat if _short(v, 0, 6) != "0"), 1.0)
    if first > 0.0:
        return format_location(position)
    w, x, y, z = frame.quat
    return format_location(Position(position.cell_id, Frame(frame.origin, (-w, -x, -y, -z))))


def ground_location(block_id: int, x: float, y: float, height: float) -> str:
    """A place on a landblock's ground as the game prints it, at height 0 where the ground's is damage."""
    z = 0.0 if length_fault(height) else height
    cell_id, origin = adjust_to_outside(block_id | 0xFFFF, (x, y, z))
    return format_location(Position(cell_id, Frame(origin)))


def map_coordinates(cell_id: int, origin: Vec3) -> tuple[float, float]:
    """Map coordinates (north, east) of a place in a cell's block frame; negative is south or west."""
    x = ((cell_id >> 24) & 0xFF) * BLOCK_SIDE + origin[0]
    y = ((cell_id >> 16) & 0xFF) * BLOCK_SIDE + origin[1]
    return y / MAP_SCALE - MAP_OFFSET, x / MAP_SCALE - MAP_OFFSET


def format_map(cell_id: int, origin: Vec3) -> str:
    """Map coordinates of a place in a cell's block frame as the game shows them: ``42.1N 33.6E``."""
    north, east = (round(v, 1) for v in map_coordinates(cell_id, origin))
    return f"{abs(north):.1f}{'S' if north < 0.0 else 'N'} {abs(east):.1f}{'W' if east < 0.0 else 'E'}"


def _from_map(text: str, north: float, east: float) -> Location:
    x = (east + MAP_OFFSET) * MAP_SCALE
    y = (north + MAP_OFFSET) * MAP_SCALE
    if not (math.isfinite(x) and math.isfinite(y)):  # of over 308 digits
        raise _bad(text, "these coordinates lie off the map")
    block_x, block_y = math.floor(x / BLOCK_SIDE), math.floor(y / BLOCK_SIDE)
    if not inbound(8 * block_x, 8 * block_y):
        raise _bad(text, "these coordinates lie off the map")
    block = (block_x << 24) | (block_y << 16)
    local = (x - block_x * BLOCK_SIDE, y - block_y * BLOCK_SIDE, 0.0)
    cell_id, origin = adjust_to_outside(block | 0xFFFF, local)
    if cell_id == 0:
        raise _bad(text, "these coordinates lie off the map")
    return Location(cell_id, Frame(origin), on_ground=True)


def _middle_of(text: str, digits: str) -> Location:
    cell_id = int(digits, 16) << (16 if len(digits) == 4 else 0)
    if cell_id & 0xFFFF in BLOCK_WORDS:
        cell_id = block_of(cell_id)
    try:
        place = place_of(cell_id, (0.0, 0.0, 0.0), ())
    except ValueError as error:
        raise _bad(text, str(error)) from None
    return Location(cell_id, place.frame, is_middle=True)


def _numbers(text: str, part: str, what: str) -> list[float]:
    out: list[float] = []
    for word in part.replace(",", " ").split():
        try:
            value = float(word)
        except ValueError:
            raise _bad(text, f"'{shown(word)}' in the {what} is not a number") from None
        if not math.isfinite(value):
            raise _bad(text, f"'{shown(word)}' in the {what} is not finite")
        if abs(value) > FARTHEST:
            raise _bad(text, f"'{shown(word)}' in the {what} lies off the map")
        out.append(value)
    return out


def _unit(turn: Sequence[float]) -> Quat:
    if not turn:
        return (1.0, 0.0, 0.0, 0.0)
    if len(turn) != 4:
        raise ValueError(f"an orientation has four numbers w x y z, not {len(turn)}")
    w, x, y, z = turn
    length = math.sqrt(w * w + x * x + y * y + z * z)
    if not abs(length - 1.0) <= UNIT_SLACK:
        raise ValueError(f"the orientation's length is {length:.3f}, not 1")
    if abs(length - 1.0) <= SINGLE_SLACK:
        return (w, x, y, z)
    return (w / length, x / length, y / length, z / length)


def _bad(text: str, reason: str) -> ValueError:
    return ValueError(f"bad location '{shown(text.strip(), 80)}': {reason}")


def _short(value: float, least: int, decimals: int) -> str:
    digits = f"{value:.{decimals}f}".rstrip("0")
    if digits == "-0.":
        digits = "0."
    whole, _, fraction = digits.partition(".")
    if len(fraction) < least:
        fraction = fraction.ljust(least, "0")
    return f"{whole}.{fraction}" if fraction else whole
