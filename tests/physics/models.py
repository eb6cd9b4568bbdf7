"""Models of objects and doors, a door's motion, and where they are placed."""

from __future__ import annotations

import math

from engine.dat.pieces.hooks import AnimFrame
from engine.dat.records.animation import Animation
from engine.dat.records.motion_table import (
    COMMAND_OFF,
    COMMAND_ON,
    STYLE_NON_COMBAT,
    AnimData,
    Link,
    LinkTarget,
    MotionData,
    MotionTable,
    StyleDefault,
    motion_key,
)
from engine.dat.values import CylSphere, Sphere, StoredFrame
from engine.world.cells import PlacedObject
from engine.world.frame import Frame
from engine.world.loading.world import World
from engine.world.models import Model, PartModel
from tests.physics.rooms import ROOM, box_polygons, tree_of

NO_SPHERE = Sphere((0.0, 0.0, 0.0), 0.0)
DOOR_TABLE = 0x09000202


def part(polygons, gfxobj_id=0x010044B5, *, physics=True):
    points = [v for p in polygons for v in p.vertices]
    xs, ys, zs = zip(*points, strict=True)
    root = tree_of(polygons)
    return PartModel(
        gfxobj_id=gfxobj_id,
        physics_root=root if physics else None,
        physics_polygons={p.id: p for p in polygons},
        sphere=Sphere(root.center, root.radius),
        box=((min(xs), min(ys), min(zs)), (max(xs), max(ys), max(zs))),
    )


def model(
    model_id=0x02000001, parts=(), frames=(), cylspheres=(), *, spheres=(), motion_table=0, sorting=NO_SPHERE
):
    return Model(
        model_id=model_id,
        parts=tuple(parts),
        part_frames=tuple(frames) or (Frame((0.0, 0.0, 0.0)),) * len(parts),
        part_scales=((1.0, 1.0, 1.0),) * len(parts),
        cylspheres=tuple(cylspheres),
        spheres=tuple(spheres),
        height=2.0,
        radius=0.5,
        step_up=0.01,
        step_down=0.01,
        sorting_sphere=sorting,
        motion_table=motion_table,
        script=False,
    )


def cylinder_model(radius, height, model_id=0x02000010):
    return model(model_id, cylspheres=[CylSphere((0.0, 0.0, 0.0), radius, height)])


def sphere_model(z, radius, model_id=0x02000011):
    return model(model_id, spheres=[Sphere((0.0, 0.0, z), radius)])


def slab_model(model_id=0x02000012):
    """The closed door slab of SC15: x in [-.9, .9], y in [0, .1], z in [0, 2.5]."""
    return model(model_id, parts=[part(box_polygons((-0.9, 0.0, 0.0), (0.9, 0.1, 2.5)))])


LEAF_FRAME = Frame((-0.01, 0.12, 1.28))


def door_model(motion_table=DOOR_TABLE):
    """Setup 0x020019FF: a sphere at the sill and three parts with trees, at frames that are not identity."""
    leaf = part(box_polygons((-0.95, -0.1, -1.28), (0.95, 0.1, 1.28)), 0x010044B5)
    knob = part(box_polygons((-0.05, -0.05, -0.05), (0.05, 0.05, 0.05)), 0x010044B6)
    turned = Frame((-0.75, 0.12, 1.75), (math.cos(0.3), 0.0, 0.0, math.sin(0.3)))
    return model(
        0x020019FF,
        parts=[leaf, knob, knob],
        frames=[LEAF_FRAME, Frame((0.75, 0.12, 0.95)), turned],
        spheres=[Sphere((0.0, 0.0, 0.018), 0.1)],
        motion_table=motion_table,
    )


GATE_PARTS = ((0.0, 0.0, 2.7), (-0.61, 0.0, 1.28), (0.61, 0.0, 1.28))


def gate_model(motion_table=DOOR_TABLE):
    """A door of two leaves, x in [-1.19, -0.03] and [0.03, 1.19], 20 cm thick, under part 0, a lintel."""
    lintel = part(box_polygons((-1.2, -0.1, -0.1), (1.2, 0.1, 0.1)), 0x010044C0)
    leaf = part(box_polygons((-0.58, -0.1, -1.28), (0.58, 0.1, 1.28)), 0x010044C1)
    return model(
        0x02001A00,
        parts=[lintel, leaf, leaf],
        frames=[Frame(at) for at in GATE_PARTS],
        motion_table=motion_table,
    )


DOOR_PARTS = ((-0.01, 0.12, 1.28), (0.75, 0.12, 0.95), (-0.75, 0.12, 1.75))


def add_door_motion(
    world: World, frames=45, fps=30.0, table_id=DOOR_TABLE, *, parts=DOOR_PARTS
) -> MotionTable:
    """A table whose clips swing all parts about z in ``frames`` frames; closing plays it backwards."""

    def pose(angle):
        turn = (math.cos(angle / 2), 0.0, 0.0, math.sin(angle / 2))
        return AnimFrame(tuple(StoredFrame(at, turn) for at in parts), ())

    source = world.source
    source.animations[0x03000001] = Animation(  # type: ignore[attr-defined]
        id=0x03000001,
        flags=0,
        num_parts=3,
        pos_frames=None,
        frames=tuple(pose(1.5 * i / (frames - 1)) for i in range(frames)),
    )
    source.animations[0x03000002] = Animation(  # type: ignore[attr-defined]
        id=0x03000002, flags=0, num_parts=3, pos_frames=None, frames=(pose(0.0),)
    )
    source.animations[0x03000003] = Animation(  # type: ignore[attr-defined]
        id=0x03000003, flags=0, num_parts=3, pos_frames=None, frames=(pose(1.5),)
    )

    def cycle(command, animation_id):
        return MotionData(motion_key(STYLE_NON_COMBAT, command), 0, 0, (AnimData(animation_id, 0, -1, 30.0),))

    def link(start, end, speed):
        target = LinkTarget(end, 0, 0, (AnimData(0x03000001, 0, -1, speed),))
        return Link(motion_key(STYLE_NON_COMBAT, start), (target,))

    table = MotionTable(
        id=table_id,
        default_style=STYLE_NON_COMBAT,
        style_defaults=(StyleDefault(STYLE_NON_COMBAT, COMMAND_OFF),),
        cycles=(cycle(COMMAND_ON, 0x03000003), cycle(COMMAND_OFF, 0x03000002)),
        modifiers=(),
        links=(link(COMMAND_OFF, COMMAND_ON, fps), link(COMMAND_ON, COMMAND_OFF, -fps)),
    )
    source.tables[table_id] = table  # type: ignore[attr-defined]
    return table


def placed(
    model_id, cell_id=ROOM, at=(0.0, 2.0, 0.0), quat=(1.0, 0.0, 0.0, 0.0),
    *, object_id=0x7A9B4015, state=None, scale=1.0, entity=True, motion_table=0,
):  # fmt: skip
    return PlacedObject(
        object_id=object_id,
        model_id=model_id,
        cell_id=cell_id,
        frame=Frame(at, quat),
        scale=scale,
        state=state,
        is_entity=entity,
        name="",
        motion_table=motion_table,
    )
