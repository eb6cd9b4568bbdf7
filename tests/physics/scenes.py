"""Scenes for the tests of the sweep: cells by hand, transitions at a point of their life."""

from __future__ import annotations

import math

from engine.collision.moving_sphere import MovingSphere
from engine.dat.values import Plane
from engine.physics.body.body import HUMAN_SPHERES, PhysicsBody
from engine.physics.body.outcome import Contact
from engine.physics.enums import OI_CONTACT, OI_ON_WALKABLE, TS_CONTACT, TS_ON_WALKABLE, HitKind
from engine.physics.transition import found
from engine.physics.transition.run import new_transition
from engine.world.cell_graph import CellGraph
from engine.world.cells import BldPortal, Building, Landblock, LandCell
from engine.world.frame import Frame, Position
from engine.world.physics_state import PLAYER_STATE
from engine.world.polygon import Polygon
from engine.world.terrain import land_polygons
from tests.physics.rooms import ROOM, quad
from tests.physics.stage import airborne_body, push

BLOCK = 0xA9B40000
UP = (0.0, 0.0, 1.0)
FLAT = Plane(UP, 0.0)


def cells(*members):
    """A world of these cells; those of a landblock's ground come all 64 or none."""
    world = CellGraph()
    add_cells(world, *members)
    return world


def add_cells(world, *members):
    """Put cells into a world."""
    for cell in sorted(members, key=lambda member: member.id):
        block_id = cell.id & 0xFFFF0000
        block = world.blocks.setdefault(block_id, Landblock(block_id))
        if isinstance(cell, LandCell):
            block.land_cells.append(cell)
            assert cell.id == block_id | len(block.land_cells)
        else:
            block.env_cells[cell.id] = cell


def wall(x, z0, z1, *, sign, polygon_id=1, y=20.0):
    """A wall in the plane x = const whose normal points along ``sign`` x."""
    corners = [(x, -y, z0), (x, y, z0), (x, y, z1), (x, -y, z1)]
    return quad(polygon_id, *(corners if sign > 0 else reversed(corners)))


def flat_floor(x0, x1, z, *, polygon_id=0, y=20.0):
    return quad(polygon_id, (x0, -y, z), (x1, -y, z), (x1, y, z), (x0, y, z))


def terrain(height=lambda x, y: 0.0, block_id=BLOCK, words=(0,) * 81, water=0):
    """A landblock whose ground has the height that a function gives for each of its vertices."""
    heights = tuple(float(height(24.0 * x, 24.0 * y)) for x in range(9) for y in range(9))
    block = Landblock(block_id, heights=heights, terrain=tuple(words))
    for cx in range(8):
        for cy in range(8):
            polygons = land_polygons(block_id, cx, cy, heights)
            block.land_cells.append(LandCell(block_id | (1 + 8 * cx + cy), polygons, water, block.terrain))
    return block


def block_cells(*blocks):
    """The cell graph of some landblocks."""
    return cells(*[c for b in blocks for c in [*b.land_cells, *b.env_cells.values()]])


def ramp(degrees, foot=24.0):
    """Ground that rises in +x from a foot line."""
    rise = math.tan(math.radians(degrees))
    return lambda x, y: max(0.0, x - foot) * rise


def building(land_cell, interior, portal_index=0, shell=None, *, at=(100.0, 100.0, 0.0)):
    """Put a building on a landcell whose one opening leads to an interior cell's exit portal."""
    portal = BldPortal(
        0, 0, None, other_cell_id=interior.id, other_portal_id=portal_index, stab_list=(interior.id,)
    )
    frame = Frame(at)
    land_cell.building = Building(
        0, 0x01000F20, Position(land_cell.id, frame), shell_frame=frame, shell_root=shell, portals=[portal]
    )
    return land_cell.building


def transition(
    world, curr=(0.0, 0.0, 0.0), displacement=(0.0, 0.0, 0.0), cell_id=0, *, contact=FLAT, grounded=True,
    spheres=HUMAN_SPHERES, state=PLAYER_STATE, last_known=True, contact_cell_id=0,
):  # fmt: skip
    """A transition in the middle of a sub-step: accepted at ``curr``, tried ``displacement`` further."""
    t = new_transition(world, PhysicsBody(1, spheres, state=state), spheres)
    pos = Position(cell_id, Frame(curr))
    t.init_path(world.get_visible(cell_id), pos, pos)
    t.sphere_path.set_check_pos(pos, world.get_visible(cell_id))
    t.sphere_path.add_offset_to_check_pos(*displacement)
    t.object_info.step_up_height = 0.6
    t.object_info.step_down_height = 1.5
    info = t.collision_info
    if contact is not None:
        info.contact = Contact.on(contact, contact_cell_id)
        if last_known:
            info.remember(info.contact)
    if grounded:
        t.object_info.state |= OI_CONTACT | OI_ON_WALKABLE
    return t


def origin(t):
    return t.sphere_path.check_pos.frame.origin


def stand(world, at, cell_id, plane=None, *, state=PLAYER_STATE, is_water=False):
    """A human standing on a plane (its floor at ``at`` less 5 mm by default)."""
    body = airborne_body(world, at, cell_id)
    body.state = state
    normal, d = Plane(UP, -(at[2] - 0.005)) if plane is None else plane
    body.contact = Contact(normal, d, cell_id, is_water=is_water)
    body.transient_state |= TS_CONTACT | TS_ON_WALKABLE
    body.calc_acceleration()
    return body


def walk(world, body, move, ticks):
    """The origin after each of ``ticks`` sweeps."""
    path = []
    for _ in range(ticks):
        push(world, body, move)
        path.append(body.position.frame.origin)
    return path


def triangle(polygon_id, *corners):
    return Polygon(polygon_id, corners)


A_FLOOR = found.Walkable(
    polygon=flat_floor(-5.0, 5.0, 0.0),
    sphere=MovingSphere(0.0, 0.0, 0.475, 0.48),
    up=(0.0, 0.0, 1.0),
    pos=Position(ROOM, Frame((0.0, 0.0, 0.0))),
    scale=1.0,
    tested=found.Tested((HitKind.CELL, ROOM, 0, -1), ROOM, 7),
)
