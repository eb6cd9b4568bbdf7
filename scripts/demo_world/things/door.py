"""The street doors: Setup 0x020019FF of a transom and two leaves, and the clips in which they swing.

Door space: the origin is the middle of the sill in the plane of the opening, +y points into the house.
"""

from __future__ import annotations

import math

from engine.dat.pieces.hooks import AnimFrame
from engine.dat.records.animation import Animation
from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.motion_table import (
    AnimData,
    Link,
    LinkTarget,
    MotionData,
    MotionTable,
    StyleDefault,
    motion_key,
)
from engine.dat.records.setup import Setup
from engine.dat.values import Quat, Sphere, StoredFrame
from scripts.demo_world import ids
from scripts.demo_world.geometry import f32, point
from scripts.demo_world.mesh import gfx_obj, outline, setup
from scripts.demo_world.solids import Face, box, fitted

WIDTH, HEIGHT = 1.9, 2.5
LEAF_HEIGHT = 2.1
THICK = 0.04  # half of a leaf's thickness
PIVOT = WIDTH / 2 - THICK
DEPTH = 0.02  # of the leaves' middle behind the plane of the opening: they stand in it, in and out
SLACK = 0.005  # leaves and transom reach this far into the frame, so that no light comes through

FPS, FRAMES = 30.0, 45
NON_COMBAT, ON, OFF = 0x8000003D, 0x4000000B, 0x4000000C


def records() -> list[tuple[int, GfxObj | Setup | Animation | MotionTable]]:
    """Everything a door is made of, by id."""
    closed, opened = pose(0.0), pose(1.0)
    swing = [pose(_eased(i / (FRAMES - 1))) for i in range(FRAMES)]
    clips = {
        ids.DOOR_CLOSED: [closed],
        ids.DOOR_OPEN: [opened],
        ids.DOOR_OPENING: swing,
        ids.DOOR_CLOSING: swing[::-1],
    }
    return [
        (ids.DOOR_TRANSOM, transom()),
        (ids.DOOR_LEAF, leaf()),
        (ids.DOOR_SETUP, door_setup(closed)),
        *((number, _animation(number, frames)) for number, frames in clips.items()),
        (ids.DOOR_MOTIONS, motion_table()),
    ]


def leaf() -> GfxObj:
    """A leaf that hangs at the origin and reaches along +y."""
    low, high = (-THICK, -THICK - SLACK, -0.01), (THICK, PIVOT + SLACK, LEAF_HEIGHT)
    south, east, north, west, top, bottom = box(low, high, "door")
    mirrored = Face(west.points, "door", ((1.0, 1.0), (0.0, 1.0), (0.0, 0.0), (1.0, 0.0)))
    edges = [Face(face.points, "trim") for face in (south, north, top, bottom)]
    drawn = [fitted(east), mirrored, *edges]
    return gfx_obj(ids.DOOR_LEAF, drawn, outline([south, east, north, west, top, bottom]))


def transom() -> GfxObj:
    """The fixed panel above the leaves: across the opening along y, with a beam at its foot."""
    half, rise = WIDTH / 2 + SLACK, HEIGHT - LEAF_HEIGHT + 0.02 + SLACK
    panel = box((-0.03, -half, 0.0), (0.03, half, rise), "wainscot")
    beam = box((-0.06, -half, 0.0), (0.06, half, 0.09), "trim")
    return gfx_obj(ids.DOOR_TRANSOM, [*panel, *beam], outline(panel) + outline(beam))


def pose(opened: float) -> tuple[StoredFrame, ...]:
    """The frames of transom, left and right leaf; 0 closed, 1 open."""
    quarter = math.pi / 2
    swung = quarter * (1.0 - opened)
    return (
        StoredFrame(point((0.0, DEPTH, LEAF_HEIGHT - 0.02)), _about_z(quarter)),
        StoredFrame(point((-PIVOT, DEPTH, 0.0)), _about_z(-swung)),
        StoredFrame(point((PIVOT, DEPTH, 0.0)), _about_z(swung)),
    )


def door_setup(closed: tuple[StoredFrame, ...]) -> Setup:
    """The door as an object, closed: one small sphere and three parts that collide."""
    return setup(
        ids.DOOR_SETUP,
        (ids.DOOR_TRANSOM, ids.DOOR_LEAF, ids.DOOR_LEAF),
        closed,
        spheres=(Sphere((0.0, 0.0, f32(0.018)), f32(0.1)),),
        height=0.2,
        radius=0.141,
        bound=Sphere(point((0.0, 0.4, 1.25)), f32(1.8)),
        motion_table=ids.DOOR_MOTIONS,
        has_bsp=True,
    )


def motion_table() -> MotionTable:
    """Open and closed as standing poses, and the swings between them."""

    def play(animation: int) -> tuple[AnimData, ...]:
        return (AnimData(animation, 0, -1, FPS),)

    on, off = motion_key(NON_COMBAT, ON), motion_key(NON_COMBAT, OFF)
    return MotionTable(
        id=ids.DOOR_MOTIONS,
        default_style=NON_COMBAT,
        style_defaults=(StyleDefault(NON_COMBAT, OFF),),
        cycles=(MotionData(on, 0, 0, play(ids.DOOR_OPEN)), MotionData(off, 0, 0, play(ids.DOOR_CLOSED))),
        modifiers=(),
        links=(
            Link(on, (LinkTarget(OFF, 0, 0, play(ids.DOOR_CLOSING)),)),
            Link(off, (LinkTarget(ON, 0, 0, play(ids.DOOR_OPENING)),)),
        ),
    )


def _animation(number: int, poses: list[tuple[StoredFrame, ...]]) -> Animation:
    return Animation(
        id=number, flags=0, num_parts=3, pos_frames=None, frames=tuple(AnimFrame(frames) for frames in poses)
    )


def _eased(t: float) -> float:
    return t * t * (3.0 - 2.0 * t)


def _about_z(angle: float) -> Quat:
    """A stored rotation; seven decimals keep it a unit quaternion and the same on every machine."""
    return (f32(math.cos(angle / 2), 7), 0.0, 0.0, f32(math.sin(angle / 2), 7))
