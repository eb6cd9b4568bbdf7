"""States, flags and constants of the sweep (sweep 2.1-2.3, 2.8), the latter as plain ints and floats."""

from __future__ import annotations

from enum import Enum
from typing import Final


class TransitionState(Enum):
    """The result of one insertion attempt (sweep 2.3); the value is its name in reports."""

    INVALID = "invalid"
    OK = "ok"
    COLLIDED = "collided"
    ADJUSTED = "adjusted"
    SLID = "slid"


# By these names a state is found as fast as a number, compiled and interpreted; compare with ``is``.
INVALID: Final = TransitionState.INVALID
OK: Final = TransitionState.OK
COLLIDED: Final = TransitionState.COLLIDED
ADJUSTED: Final = TransitionState.ADJUSTED
SLID: Final = TransitionState.SLID


def state_name(state: TransitionState) -> str:
    """A state's name in reports; an enum's own ``value`` takes ten times as long."""
    if state is SLID:
        return "slid"
    if state is COLLIDED:
        return "collided"
    if state is ADJUSTED:
        return "adjusted"
    return "ok" if state is OK else "invalid"


class HitKind(Enum):
    """What a polygon or shape that was met belongs to; the value is its name in reports."""

    CELL = "cell"
    TERRAIN = "terrain"
    BUILDING = "building"
    ENTITY = "entity"


CELL_HIT: Final = HitKind.CELL
TERRAIN_HIT: Final = HitKind.TERRAIN
BUILDING_HIT: Final = HitKind.BUILDING
ENTITY_HIT: Final = HitKind.ENTITY


class Response(Enum):
    """What was done about a polygon or shape that was met; the value is its name in reports."""

    OK = "ok"
    COLLIDED = "collided"
    ADJUSTED = "adjusted"
    SLID = "slid"
    INVALID = "invalid"
    NO_ROOM = "no room"
    PUSHED_OUT = "pushed out of"
    CARRIES_FOOT = "carries the foot"
    GROUND = "ground"
    LANDED = "landed"
    TOUCHED = "touched"
    STOPPED_VIEW = "stopped the view"
    EDGE = "edge"
    CLIFF = "cliff"
    # trees
    STEP_UP = "step up"
    STEPPED_UP = "stepped up"
    SLIDE = "slide"
    TRIES_TO_LAND = "tries to land"
    CLIPPED = "clipped"
    NEAR_MISS = "near miss"
    NEAR_MISS_OK = "near miss: ok"
    NEAR_MISS_COLLIDED = "near miss: collided"
    NEAR_MISS_ADJUSTED = "near miss: adjusted"
    NEAR_MISS_SLID = "near miss: slid"
    NEAR_MISS_INVALID = "near miss: invalid"
    # spheres and cylinders
    COLLIDE = "collide"
    COLLIDE_WITH_POINT = "collide with point"
    STEP_UP_FAILED = "step up failed"
    CLIP = "clip"
    LAND = "land"


def response_of(state: TransitionState) -> Response:
    """The response that an insertion's result is."""
    if state is SLID:
        return Response.SLID
    if state is COLLIDED:
        return Response.COLLIDED
    if state is ADJUSTED:
        return Response.ADJUSTED
    return Response.OK if state is OK else Response.INVALID


def near_miss_of(state: TransitionState) -> Response:
    """The response to a near miss that ended in an insertion's result."""
    if state is OK:
        return Response.NEAR_MISS_OK
    if state is SLID:
        return Response.NEAR_MISS_SLID
    if state is COLLIDED:
        return Response.NEAR_MISS_COLLIDED
    return Response.NEAR_MISS_ADJUSTED if state is ADJUSTED else Response.NEAR_MISS_INVALID


# Why a sweep was refused as a whole, in words.
REFUSED_SLIDING: Final = "the sliding normal leaves nothing to move"
REFUSED_CONTACT: Final = "the contact plane leaves nothing to move"
REFUSED_LENGTH: Final = "it would take too many sub-steps"
REFUSED_NO_CELL: Final = "the body is in no cell"
REFUSED_BLOCKED: Final = "blocked"
REFUSED_UNLOADED: Final = "nothing is loaded there"
REFUSED_NOT_READY: Final = "the world on the way is still being loaded"

# InsertType
TRANSITION: Final = 0
PLACEMENT: Final = 1
INITIAL_PLACEMENT: Final = 2

# Transient state of a body, never sent.
TS_CONTACT: Final = 0x1
TS_ON_WALKABLE: Final = 0x2
TS_SLIDING: Final = 0x4
TS_WATER_CONTACT: Final = 0x8
TS_STATIONARY_FALL: Final = 0x10
TS_STATIONARY_STOP: Final = 0x20
TS_STATIONARY_STUCK: Final = 0x40
TS_STATIONARY: Final = TS_STATIONARY_FALL | TS_STATIONARY_STOP | TS_STATIONARY_STUCK
TS_ACTIVE: Final = 0x80

# ObjectInfo state bits (sweep 2.8).
OI_CONTACT: Final = 0x1
OI_ON_WALKABLE: Final = 0x2
OI_IS_VIEWER: Final = 0x4
OI_PATH_CLIPPED: Final = 0x8
OI_FREE_ROTATE: Final = 0x10
OI_PERFECT_CLIP: Final = 0x40
OI_IS_IMPENETRABLE: Final = 0x80
OI_IS_PLAYER: Final = 0x100
OI_EDGE_SLIDE: Final = 0x200
OI_IS_PK: Final = 0x800
OI_IS_PK_LITE: Final = 0x1000

# SetPosition flags and errors (sweep 2.3, 3.19).
SPF_TELEPORT: Final = 0x2
SPF_SLIDE: Final = 0x10
SPF_SEND_POSITION_EVENT: Final = 0x1000
TELEPORT_FLAGS: Final = SPF_SEND_POSITION_EVENT | SPF_SLIDE | SPF_TELEPORT
SPE_OK: Final = 0
SPE_GENERAL_FAILURE: Final = 1
SPE_NO_VALID_POSITION: Final = 2
SPE_NO_CELL: Final = 3
SPE_COLLIDED: Final = 4
SPE_NAMES: Final = ("ok", "general failure", "no valid position", "no cell", "collided")

# Constants (sweep 2.1).
FLOOR_Z: Final = 0.66417414618662751
LANDING_Z: Final = 0.0871557
SMALL_STEP: Final = 0.04
GRAVITY_Z: Final = -9.8
MAX_VELOCITY: Final = 50.0
SMALL_VELOCITY: Final = 0.25
DEFAULT_FRICTION: Final = 0.95
DEFAULT_ELASTICITY: Final = 0.05
MIN_QUANTUM: Final = 1.0 / 30.0
MAX_QUANTUM: Final = 0.2
HUGE_QUANTUM: Final = 2.0
TICKS_PER_SECOND: Final = 30
TICK: Final = 1.0 / TICKS_PER_SECOND
