"""Which numbers a record may hold: one set of rules for ``holtwalk dat check`` and for loading a world.

The rules go by the kind of value, so that they hold in every record: places, planes, spheres and frames
have rules of their own, every other number must be finite and sane.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from typing import Any, Final, get_args, get_type_hints

from engine.dat.pieces.bsp_record import BspNode
from engine.dat.records.gfx_obj_degrade_info import DegradeLevel
from engine.dat.values import CylSphere, Plane, Quat, Sphere, StoredFrame, Vec3

FARTHEST: Final = 1_000_000.0
"""Metres: what lies farther from its model or landblock is damage; the whole land is 49 km wide."""
MOST: Final = 1e9
"""What no number of a record is beyond; fields that nobody set read as half of it in shipped files."""
LEAST_DIRECTION: Final = 1e-6
LEAST_SCALE: Final = 1e-6
"""What is scaled to less is nothing that a body could meet: spheres are put into its space by 1 / scale."""
UNIT_SLACK: Final = 0.01
MOST_SLOTS: Final = 4096
"""Particles that one emitter may have at a time; an emitter that asks for more is damage."""

LENGTHS: Final = frozenset(
    (
        "disp_x",
        "disp_y",
        "height",
        "heights",
        "max_rot",
        "max_scale",
        "min_scale",
        "radius",
        "step_down",
        "step_up",
    )
)
"""Fields that hold metres, or what metres are multiplied by, and that loading places or measures by."""
UNSET_PLANE: Final = "BPOL"  # shipped files hold whatever was in memory there

NOT_FINITE: Final = "is not finite"


def place_fault(place: Vec3) -> str | None:
    """What is wrong with a place or another vector, None where nothing is."""
    x, y, z = place
    if math.hypot(x, y, z) <= FARTHEST:
        return None  # mostly so, and no number is larger than all together
    # Sums of finite numbers of single precision are finite in double precision.
    if not math.isfinite(x + y + z):
        return NOT_FINITE
    if max(abs(x), abs(y), abs(z)) > FARTHEST:
        return f"lies over {FARTHEST:.0f} m off"
    return None


def all_sound(places: Iterable[Vec3]) -> bool:
    """Whether ``place_fault`` finds nothing in any of them: one look at all their numbers."""
    numbers = [*chain.from_iterable(places)]
    if math.hypot(*numbers) <= FARTHEST:
        return True
    return math.isfinite(sum(numbers)) and max(numbers) <= FARTHEST and min(numbers) >= -FARTHEST


def direction_fault(direction: Vec3) -> str | None:
    """What is wrong with a direction, of whatever length, so that it points nowhere."""
    if is_direction(direction):
        return None
    return "has no direction" if math.isfinite(math.hypot(*direction)) else NOT_FINITE


def is_direction(direction: Vec3) -> bool:
    """Whether ``direction_fault`` finds nothing."""
    return LEAST_DIRECTION <= math.hypot(*direction) <= FARTHEST  # what is no number is neither


def length_fault(value: float) -> str | None:
    """What is wrong with a length in metres."""
    if not math.isfinite(value):
        return NOT_FINITE
    return f"is over {FARTHEST:.0f} m" if abs(value) > FARTHEST else None


def number_fault(value: float) -> str | None:
    """What is wrong with a number of which nothing else is known."""
    if not math.isfinite(value):
        return NOT_FINITE
    return f"is {value:g}, too large for what it says" if abs(value) > MOST else None


def orientation_fault(quat: Quat) -> str | None:
    """What is wrong with an orientation so that no turn can be made of it."""
    length = math.hypot(*quat)
    if not math.isfinite(length):
        return NOT_FINITE
    return "has no orientation" if length < LEAST_DIRECTION or length > FARTHEST else None


def turn_fault(quat: Quat) -> str | None:
    """What is odd about an orientation that can be used once it is brought to length 1."""
    length = math.hypot(*quat)
    return None if abs(length - 1.0) <= UNIT_SLACK else f"has an orientation of length {length:.3f}"


def frame_fault(frame: StoredFrame) -> str | None:
    """What is wrong with a frame so that nothing can be placed by it."""
    return place_fault(frame.origin) or orientation_fault(frame.orientation)


def plane_fault(plane: Plane) -> str | None:
    """What is wrong with a plane so that it divides nothing."""
    (x, y, z), d = plane
    length = math.hypot(x, y, z)
    if not math.isfinite(length + d):
        return NOT_FINITE
    if length < LEAST_DIRECTION:
        return "has no direction"
    # Steeper than one is taken as it is, so long as products with places stay numbers.
    return f"lies over {FARTHEST:.0f} m off" if length > FARTHEST or abs(d) > FARTHEST * length else None


def sphere_fault(sphere: Sphere) -> str | None:
    """What is wrong with a sphere."""
    (x, y, z), radius = sphere
    if math.hypot(x, y, z, radius) <= FARTHEST:
        return None
    return place_fault(sphere.center) or length_fault(radius)


def cylsphere_fault(cylinder: CylSphere) -> str | None:
    """What is wrong with a cylinder."""
    return place_fault(cylinder.low_point) or length_fault(cylinder.radius) or length_fault(cylinder.height)


def faults(record: Any) -> Iterator[tuple[str, str]]:
    """Every number of a record that breaks a rule: where it stands, such as ``cells[0].frame``, and why.

    Goes over the record's own fields, whatever its type.
    """
    yield from _faults("", record)


def _faults(path: str, value: Any) -> Iterator[tuple[str, str]]:  # noqa: PLR0912 - one branch a type
    """As ``faults``, of one value and all that it holds."""
    kind: Any = type(value)
    if kind is float:
        fault = number_fault(value)
    elif kind is StoredFrame:
        fault = frame_fault(value) or turn_fault(value.orientation)
    elif kind is Plane:
        fault = plane_fault(value)
    elif kind is Sphere:
        fault = sphere_fault(value)
    elif kind is CylSphere:
        fault = cylsphere_fault(value)
    elif kind is tuple:
        if len(value) == 3 and type(value[0]) is float:
            fault = place_fault(value)
        else:
            yield from _member_faults(path, value)
            return
    elif kind is BspNode:
        for number, node in enumerate(value.walk()):
            if node.tag != UNSET_PLANE:
                yield from _faults(f"{path} node {number}: plane", node.plane)
            yield from _faults(f"{path} node {number}: sphere", node.sphere)
        return
    elif kind is DegradeLevel:
        # The last level's distances are the largest number of single precision (dat-format 3.12).
        fault = None if math.isfinite(value.min + value.ideal + value.max) else NOT_FINITE
    elif _has_fields(kind):
        for name in _holding_floats(kind):
            member = getattr(value, name)
            where = f"{path}.{name}" if path else name
            yield from _length_faults(where, member) if name in LENGTHS else _faults(where, member)
        return
    else:
        return
    if fault is not None:
        yield path, fault


def _length_faults(path: str, value: float | tuple[float, ...]) -> Iterator[tuple[str, str]]:
    """As ``faults``, of a length or a list of them."""
    for index, length in enumerate(value if isinstance(value, tuple) else (value,)):
        fault = length_fault(length)
        if fault is not None:
            yield f"{path}[{index}]" if isinstance(value, tuple) else path, fault


def _member_faults(path: str, values: Iterable[Any]) -> Iterator[tuple[str, str]]:
    for index, member in enumerate(values):
        yield from _faults(f"{path}[{index}]", member)


def _has_fields(kind: type) -> bool:
    """Whether values of a class are records."""
    return hasattr(kind, "_fields")


@cache
def _holding_floats(kind: Any) -> tuple[str, ...]:
    """The fields of a record's class that can hold a number with a fraction, by their types."""
    hints = get_type_hints(kind)
    return tuple(name for name in kind._fields if _can_hold_floats(hints[name]))


@cache
def _can_hold_floats(hint: Any) -> bool:
    inner = get_args(hint)
    if inner:
        return any(_can_hold_floats(argument) for argument in inner)
    return hint not in (int, str, bytes, bool, type(None), Ellipsis)
