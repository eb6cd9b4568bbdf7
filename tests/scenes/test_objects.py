"""Known failures around objects, each a small scene (collision 4.1, 5, objects 8)."""

import math

import pytest

from engine.dat.values import CylSphere, Sphere
from engine.physics.simulation.simulation import Simulation
from engine.world.frame import Frame, Position
from engine.world.ids import rebase
from tests.physics.models import cylinder_model, model, part, placed, sphere_model
from tests.physics.rooms import ROOM, box_polygons, flat_block, floor, quad, room
from tests.physics.stage import add_model, block_of_cells, empty_world, put_block

RADIUS = 0.48
THING = 0x7A9B4015


def in_room(start, *objects, polygons=()):
    """A floor with some walls, objects as (model, placed) and a body."""
    world = empty_world()
    put_block(world, block_of_cells(room(polygons=[floor(-20, 20, 0.0), *polygons])))
    simulation = Simulation(world)
    for m, where in objects:
        add_model(world, m)
        simulation.objects.add(where)
    simulation.spawn(Position(ROOM, Frame(start)))
    return simulation


def walk(simulation, move, ticks):
    return [simulation.walk_tick(move) for _ in range(ticks)]


# --- a post and a wall

GAP = 0.7


def post_and_wall(post, wall):
    """A wall in the plane x = 0 for y > 1.5 and a post beside it, the gap too narrow for a body."""
    objects = [(m := cylinder_model(0.3, 2.5), placed(m.model_id, at=(-GAP - 0.3, 2.0, 0.0)))] if post else []
    walls = [quad(5, (0, 20, 0), (0, 1.5, 0), (0, 1.5, 3), (0, 20, 3))] if wall else []
    return in_room((-GAP / 2, 0.5, 0.005), *objects, polygons=walls)


@pytest.mark.parametrize(
    ("post", "wall", "passes"),
    [(True, False, True), (False, True, True), (True, True, False)],
    ids=["post alone", "wall alone", "post and wall"],
)
@pytest.mark.parametrize("step", [0.05, 0.104, 0.3167])
def test_squeezing_between_a_post_and_a_wall(post, wall, passes, step):
    simulation = post_and_wall(post, wall)
    # To the side of the way that is open, as somebody who wants to get by would.
    aside = -0.3 * step if not post else 0.3 * step if not wall else 0.0
    reports = walk(simulation, (aside, step, 0.0), round(6.0 / step))
    assert (reports[-1].position[1] > 3.0) is passes
    assert all(r.on_ground for r in reports)


# --- a box over several landcells and blocks

CORNER_BLOCKS = (0xA9B30000, 0xAAB30000, 0xA9B40000, 0xAAB40000)
CORNER_CELLS = {0xA9B30040, 0xAAB30008, 0xA9B40039, 0xAAB40001}


def at_a_corner_of_four_blocks(half, state=0x1):
    """A square block of stone around the point where four landblocks meet."""
    world = empty_world()
    for block in CORNER_BLOCKS:
        put_block(world, flat_block(block))
    rock = add_model(world, model(0x02000200, parts=[part(box_polygons((-half, -half, 0), (half, half, 3)))]))
    simulation = Simulation(world)
    simulation.objects.add(placed(rock.model_id, 0xA9B40039, (192.0, 0.0, 0.0), object_id=THING, state=state))
    return simulation


def test_object_whose_box_spans_several_blocks_stands_in_all_their_landcells():
    simulation = at_a_corner_of_four_blocks(2.0)
    assert set(simulation.registry.cells_of(THING)) == CORNER_CELLS


def test_object_whose_box_spans_several_landcells_stands_in_all_of_them():
    simulation = at_a_corner_of_four_blocks(30.0)
    cells = set(simulation.registry.cells_of(THING))
    assert len(cells) == 16
    assert {cell >> 16 for cell in cells} == {block >> 16 for block in CORNER_BLOCKS}


@pytest.mark.parametrize("half", [2.0, 30.0])
@pytest.mark.parametrize(("dx", "dy"), [(1, 0), (-1, 0), (0, 1), (0, -1)])
@pytest.mark.parametrize("aside", [-1.5, 1.5])
def test_object_whose_box_spans_several_landcells_and_blocks_blocks_from_each(half, dx, dy, aside):
    simulation = at_a_corner_of_four_blocks(half)
    # From 2 m before the face towards the middle, in the block frame of 0xA9B4.
    x, y = 192.0 - dx * (half + 2.0) + dy * aside, 0.0 - dy * (half + 2.0) + dx * aside
    where = Position(0xA9B40001, Frame((x, y, 0.005)))
    simulation.spawn(outdoors(where))
    reports = walk(simulation, (0.1 * dx, 0.1 * dy, 0.0), 40)
    last = reports[-1]
    bx, by = (last.cell >> 24) - 0xA9, (last.cell >> 16 & 0xFF) - 0xB4
    off = (last.position[0] + 192.0 * bx - 192.0) * dx + (last.position[1] + 192.0 * by) * dy
    assert -half - RADIUS - 0.1 <= off <= -half - RADIUS + 0.0002
    assert any(hit.owner == THING for r in reports for hit in r.hits)


def outdoors(where: Position) -> Position:
    """A point given in one block's frame, named by the landcell it lies in."""
    x, y, z = where.frame.origin
    bx, by = math.floor(x / 192.0), math.floor(y / 192.0)
    x, y = x - 192.0 * bx, y - 192.0 * by
    block = where.cell_id + (bx << 24) + (by << 16) & 0xFFFF0000
    return Position(block | 1 + 8 * int(x // 24.0) + int(y // 24.0), Frame((x, y, z)))


@pytest.mark.parametrize("post", [cylinder_model(0.2, 2.2), sphere_model(0.5, 0.2)], ids=["tall", "round"])
@pytest.mark.parametrize(("start", "direction"), [(191.0, 1), (193.7, -1)])
def test_post_over_the_border_blocks_where_it_stands(post, start, direction):
    """A cylinder or a sphere 40 cm beyond a landblock's border, come upon from either side of it."""
    world = empty_world()
    for block in (0xA9B40000, 0xAAB40000):
        put_block(world, flat_block(block))
    add_model(world, post)
    simulation = Simulation(world)
    simulation.objects.add(placed(post.model_id, 0xAAB40005, (0.4, 100.0, 0.0), object_id=THING))
    simulation.spawn(outdoors(Position(0xA9B40001, Frame((start, 100.0, 0.005)))))
    reports = walk(simulation, (0.05 * direction, 0.0, 0.0), 30)
    x, _, _ = rebase(reports[-1].position, reports[-1].cell, 0xA9B40001)
    assert -0.05 <= (x - 192.4) * direction + RADIUS + 0.2 <= 0.001
    assert any(hit.owner == THING for r in reports for hit in r.hits)


# --- an offset part

HALF_TURN = (0.0, 0.0, 0.0, 1.0)
QUARTER = (math.cos(math.pi / 4), 0.0, 0.0, math.sin(math.pi / 4))
OFFSET = Frame((1.5, 0.5, 0.0), QUARTER)


def offset_wall():
    """A setup whose one part, a wall 2 m wide in x and 0.2 m thick, stands 1.5 m to the right and turned."""
    wall = part(box_polygons((-1.0, -0.1, 0.0), (1.0, 0.1, 2.5)))
    return model(0x02000300, parts=[wall], frames=[OFFSET])


@pytest.mark.parametrize(
    ("quat", "start", "move", "stops"),
    [
        # The wall stands at x 1.4..1.6, y -0.5..1.5 of its object, which stands at (0, 4) and may be turned.
        ((1.0, 0.0, 0.0, 0.0), (0.5, 4.5), (0.1, 0.0), 1.4 - RADIUS),
        ((1.0, 0.0, 0.0, 0.0), (2.8, 4.5), (-0.1, 0.0), 1.6 + RADIUS),
        (HALF_TURN, (-0.5, 3.5), (-0.1, 0.0), -1.4 + RADIUS),
        (HALF_TURN, (-2.8, 3.5), (0.1, 0.0), -1.6 - RADIUS),
    ],
)
def test_part_offset_in_its_setup_blocks_where_it_stands(quat, start, move, stops):
    m = offset_wall()
    simulation = in_room((*start, 0.005), (m, placed(m.model_id, at=(0.0, 4.0, 0.0), quat=quat)))
    reports = walk(simulation, (*move, 0.0), 30)
    assert abs(reports[-1].position[0] - stops) < 0.1001
    assert (reports[-1].position[0] - stops) * move[0] <= 1e-4
    assert any(r.collided for r in reports)


def test_part_offset_in_its_setup_leaves_its_objects_origin_free():
    m = offset_wall()
    simulation = in_room((0.0, 2.0, 0.005), (m, placed(m.model_id, at=(0.0, 4.0, 0.0))))
    reports = walk(simulation, (0.0, 0.1, 0.0), 40)
    assert reports[-1].position == pytest.approx((0.0, 6.0, 0.005), abs=1e-3)


# --- scaled objects


HIGH = 2.4


def scaled(kind):
    """Models that reach 0.5 m towards -y of their origin at scale 1, their middle 0.25 m to +x."""
    if kind == "cylinder":
        return model(0x02000400, cylspheres=[CylSphere((0.25, 0.0, 0.0), 0.5, HIGH)])
    if kind == "sphere":
        return model(0x02000401, spheres=[Sphere((0.25, 0.0, 0.475), 0.5)])
    return model(
        0x02000402, parts=[part(box_polygons((-0.5, -0.5, 0.0), (0.5, 0.5, HIGH)))],
        frames=[Frame((0.25, 0.0, 0.0))],
    )  # fmt: skip


@pytest.mark.parametrize("kind", ["cylinder", "sphere", "part"])
@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0, 3.0])
def test_scaled_object_blocks_at_its_scaled_face(kind, scale):
    m = scaled(kind)
    thing = placed(m.model_id, at=(0.0, 5.0, 0.0), scale=scale)
    simulation = in_room((0.25 * scale, 2.0, 0.005), (m, thing))
    reports = walk(simulation, (0.0, 0.05, 0.0), 60)
    reach = 0.5 * scale + RADIUS
    if kind == "sphere":
        # The nearer of foot and head, from the side.
        off = min(abs(0.475 * scale - z) for z in (0.48, 1.355))
        reach = math.sqrt(reach * reach - off * off)
    face = 5.0 - reach
    assert face - 0.0501 <= reports[-1].position[1] <= face + 0.001


@pytest.mark.parametrize("kind", ["cylinder", "sphere", "part"])
def test_scaled_object_leaves_free_what_is_beside_it(kind):
    m = scaled(kind)
    simulation = in_room(
        (-0.8 * 2.0 - RADIUS, 2.0, 0.005), (m, placed(m.model_id, at=(0.0, 5.0, 0.0), scale=2.0))
    )
    reports = walk(simulation, (0.0, 0.05, 0.0), 120)
    assert reports[-1].position[1] == pytest.approx(8.0, abs=1e-3)


@pytest.mark.parametrize("scale", [0.4, 2.0])
def test_scaled_object_carries_at_its_scaled_height(scale):
    for kind in ("cylinder", "part"):
        m = scaled(kind)
        thing = placed(m.model_id, at=(0.0, 5.0, 0.0), scale=scale)
        simulation = in_room((0.25 * scale, 5.0, HIGH * scale + 2.0), (m, thing))
        assert not simulation.body.in_contact
        simulation.wait(2.0)
        assert simulation.position.frame.origin[2] == pytest.approx(HIGH * scale + 0.005, abs=2e-3)
        assert simulation.body.on_ground
