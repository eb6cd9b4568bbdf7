"""Small worlds made in memory for the tests of objects, doors and the simulation."""

from __future__ import annotations

import math

from engine.dat.pieces import geometry
from engine.dat.pieces.build_trees import build_physics_tree
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
from engine.physics.body.body import PhysicsBody
from engine.physics.body.outcome import Contact
from engine.physics.enums import TS_CONTACT, TS_ON_WALKABLE
from engine.physics.objects.shadow_registry import ShadowRegistry
from engine.physics.simulation.sweep import make_transition, sweep
from engine.world.bsp import BspNode, CellTree, leaf_node
from engine.world.cells import CellStructure, EnvCell, Landblock, LandCell, PlacedObject, Portal
from engine.world.frame import Frame, Position
from engine.world.ids import EXIT_CELL
from engine.world.loading.trees import physics_tree
from engine.world.loading.world import World
from engine.world.models import Model, PartModel
from engine.world.polygon import Polygon, bounding_sphere
from engine.world.source import Scene

ROOM = 0xA9B40100
NO_SPHERE = Sphere((0.0, 0.0, 0.0), 0.0)
DOOR_TABLE = 0x09000202


class EmptySource:
    """A source with nothing but animations and motion tables."""

    name = "stage"

    def __init__(self):
        self.animations = {}
        self.tables = {}

    def animation(self, animation_id):
        return self.animations.get(animation_id)

    def motion_table(self, table_id):
        return self.tables.get(table_id)

    def scene(self):
        return Scene()

    def listen(self, report):
        """Nothing is ever wrong here."""

    def cell_ids(self, block_id):
        return ()

    def _nothing(self, _id):
        return None

    land_block = land_block_info = env_cell = environment = gfx_obj = setup = _nothing


def empty_world() -> World:
    return World(EmptySource())


def add_model(world: World, model: Model) -> Model:
    world.loader.models._models[model.model_id] = model
    return model


def put_block(world: World, block: Landblock) -> Landblock:
    """What World.load_block does, with a block made here."""
    world.blocks[block.id] = block
    world.version += 1
    for listener in world.on_load:
        listener(block)
    return block


def block_of_cells(*cells) -> Landblock:
    block = Landblock(cells[0].id & 0xFFFF0000)
    block.env_cells = {cell.id: cell for cell in cells}
    return block


# --- geometry


def quad(polygon_id, *vertices):
    return Polygon(polygon_id, vertices)


def floor(x0, x1, z, *, polygon_id=0, y=20.0):
    return quad(polygon_id, (x0, -y, z), (x1, -y, z), (x1, y, z), (x0, y, z))


def box_polygons(low, high, first_id=0):
    """The six outward faces of a box."""
    (ax, ay, az), (bx, by, bz) = low, high
    faces = [
        [(ax, ay, az), (ax, ay, bz), (ax, by, bz), (ax, by, az)],
        [(bx, ay, az), (bx, by, az), (bx, by, bz), (bx, ay, bz)],
        [(ax, ay, az), (bx, ay, az), (bx, ay, bz), (ax, ay, bz)],
        [(ax, by, az), (ax, by, bz), (bx, by, bz), (bx, by, az)],
        [(ax, ay, az), (ax, by, az), (bx, by, az), (bx, ay, az)],
        [(ax, ay, bz), (bx, ay, bz), (bx, by, bz), (ax, by, bz)],
    ]
    return [Polygon(first_id + i, f) for i, f in enumerate(faces)]


def tree_of(polygons):
    points = [v for p in polygons for v in p.vertices]
    center, radius = bounding_sphere(points)
    return leaf_node(list(polygons), center=center, radius=radius)


def fork(normal, front, back):
    """A node whose plane goes through the origin, with the bounds of its front side."""
    return BspNode(
        normal,
        0.0,
        front,
        back,
        center=front.center,
        radius=front.radius,
        polygons=[],
        is_leaf=False,
        solid=False,
        index=0,
    )


def split_tree(polygons, *, solid=False):
    """The runtime form of the tree that the builder makes of some polygons."""
    positions, records = {}, []
    for polygon in polygons:
        keys = tuple(range(len(positions), len(positions) + len(polygon.vertices)))
        positions.update(zip(keys, polygon.vertices, strict=True))
        records.append(
            geometry.Polygon(
                key=polygon.id, stippling=4, sides_type=0, pos_surface=-1, neg_surface=-1, vertex_ids=keys
            )
        )
    table = {p.id: p for p in polygons}
    lines = []
    root = physics_tree(build_physics_tree(records, positions, solid=solid), table, records, lines.append)
    assert lines == []
    return root


def box_planes(low, high):
    return CellTree(
        [
            (1, 0, 0, -low[0]), (-1, 0, 0, high[0]),
            (0, 1, 0, -low[1]), (0, -1, 0, high[1]),
            (0, 0, 1, -low[2]), (0, 0, -1, high[2]),
        ]
    )  # fmt: skip


def room(
    cell_id=ROOM,
    polygons=None,
    low=(-50.0, -50.0, -50.0),
    high=(50.0, 50.0, 50.0),
    *,
    portals=(),
    frame=None,
    stab=(),
    seen_outside=False,
):
    polygons = [floor(-20, 20, 0.0)] if polygons is None else polygons
    structure = CellStructure(
        environment_id=0x0D000001,
        structure=0,
        polygons={},
        physics_polygons={p.id: p for p in polygons},
        physics_root=tree_of(polygons) if polygons else None,
        cell_tree=box_planes(low, high),
    )
    return EnvCell(
        cell_id,
        frame or Frame((0.0, 0.0, 0.0)),
        structure,
        list(portals),
        stab_list=tuple(stab),
        seen_outside=seen_outside,
    )


def portal(index, other, x, side, *, other_portal=0, low=(-5.0, -0.1), high=(5.0, 4.0)):
    """An opening in the plane x = const; its positive side is +x."""
    (ay, az), (by, bz) = low, high
    polygon = quad(100 + index, (x, ay, az), (x, by, az), (x, by, bz), (x, ay, bz))
    center, radius = bounding_sphere(polygon.vertices)
    return Portal(
        index, 0 if side == 1 else 2, polygon, other_cell_id=other, other_portal_id=other_portal,
        center=center, radius=radius,
    )  # fmt: skip


def exit_portal(index, x, side):
    return portal(index, EXIT_CELL, x, side, other_portal=-1)


def flat_block(block_id=0xA9B40000, z=0.0):
    """A landblock of flat terrain."""
    block = Landblock(block_id, heights=(z,) * 81, terrain=(0,) * 81)
    for cx in range(8):
        for cy in range(8):
            x, y = 24.0 * cx, 24.0 * cy
            sw, se = (x, y, z), (x + 24, y, z)
            ne, nw = (x + 24, y + 24, z), (x, y + 24, z)
            polygons = (Polygon(0, (sw, se, ne)), Polygon(1, (sw, ne, nw)))
            block.land_cells.append(LandCell(block_id | (1 + 8 * cx + cy), polygons, 0, block.terrain))
    return block


# --- models


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


# --- bodies


def staged_room(*objects, polygons=None):
    """A room of sweep 12.11 with objects in it: (world, registry)."""
    world = empty_world()
    put_block(world, block_of_cells(room(polygons=polygons)))
    registry = ShadowRegistry(world)
    for target in objects:
        registry.register(target)
    return world, registry


def grounded_body(world, at, cell_id=ROOM):
    """A human standing on the plane z = 0, placed without a search."""
    body = airborne_body(world, at, cell_id)
    body.contact = Contact((0.0, 0.0, 1.0), 0.0, cell_id)
    body.transient_state |= TS_CONTACT | TS_ON_WALKABLE
    body.calc_acceleration()
    return body


def airborne_body(world, at, cell_id=ROOM):
    """A human in the air."""
    body = PhysicsBody(0x50000001)
    t = make_transition(world, body)
    t.init_path(world.get_visible(cell_id), None, Position(cell_id, Frame(at)))
    t.sphere_path.set_check_pos(t.sphere_path.curr_pos, t.sphere_path.curr_cell)
    body.set_position_internal(t.outcome())
    return body


def push(world, body, move, ticks=1, *, trace=None):
    """``ticks`` pure sweeps by a displacement; their results."""
    results = []
    for _ in range(ticks):
        x, y, z = body.position.frame.origin
        target = Position(
            body.position.cell_id,
            body.position.frame.with_origin((x + move[0], y + move[1], z + move[2])),
        )
        results.append(sweep(world, body, target, trace))
    return results
