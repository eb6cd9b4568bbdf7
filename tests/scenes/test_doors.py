"""Known failures around doors, each a small scene and what the rules say about it (objects 8.5, 9).

A house of one room stands on flat ground, its doorway in the plane x = 100 with a door of three parts.
"""

import math

import pytest

from engine.physics.objects.door_phase import DoorPhase
from engine.physics.simulation.simulation import Simulation
from engine.world.cells import EnvCell
from engine.world.frame import Frame, Position
from tests.physics.models import add_door_motion, door_model, model, part, placed, slab_model
from tests.physics.rooms import box_polygons, exit_portal, portal, quad, room
from tests.physics.scenes import building, flat_floor, terrain
from tests.physics.stage import add_model, empty_world, put_block

INSIDE = 0xA9B40100
STREET = 0xA9B40025
DOOR = 0x7A9B4015
CLOSED, OPEN = 0x10008, 0x1000C
ETHEREAL = 0x4
CLIP_TICKS = 45
QUARTER = (math.cos(math.pi / 4), 0.0, 0.0, math.sin(math.pi / 4))
RADIUS = 0.48


def front_wall(y0: float, y1: float, polygon_id: int):
    """The inside of the front beside the doorway, looking into the house."""
    return quad(polygon_id, (0, y0, 0), (0, y1, 0), (0, y1, 3), (0, y0, 3))


def house() -> EnvCell:
    floor = flat_floor(0, 5, 0.0, y=2)
    walls = [
        front_wall(-2, -1, 1),
        front_wall(1, 2, 2),
        quad(3, (0, 2, 0), (5, 2, 0), (5, 2, 3), (0, 2, 3)),
        quad(4, (5, -2, 0), (0, -2, 0), (0, -2, 3), (5, -2, 3)),
        quad(5, (5, 2, 0), (5, -2, 0), (5, -2, 3), (5, 2, 3)),
    ]
    return room(
        INSIDE, [floor, *walls], (0, -2, 0), (5, 2, 3), portals=[exit_portal(0, 0.0, 0)],
        frame=Frame((100.0, 100.0, 0.0)),
        seen_outside=True,
    )  # fmt: skip


def staged(state: int = CLOSED, owner: int = INSIDE, at=(102.0, 100.0, 0.005), cell: int = INSIDE):
    """The house with its door, which belongs to a cell, and somebody in a cell: the simulation."""
    world = empty_world()
    add_door_motion(world, frames=CLIP_TICKS)
    add_model(world, door_model())
    block = terrain()
    inside = house()
    building(block.land_cells[0x24], inside)
    block.env_cells[INSIDE] = inside
    # The leaf stands at y = 0.12 in the door's own frame: turned by a quarter, in the opening's plane.
    block.entities.append(
        placed(0x020019FF, owner, (100.12, 100.0, 0.0), QUARTER, object_id=DOOR, state=state)
    )
    put_block(world, block)
    simulation = Simulation(world)
    simulation.spawn(Position(cell, Frame(at)))
    return simulation


def x_of(simulation: Simulation) -> float:
    return simulation.position.frame.origin[0]


@pytest.mark.parametrize("owner", [INSIDE, STREET], ids=["the room's door", "the street's door"])
@pytest.mark.parametrize("side", [-0.5, -0.25, 0.0, 0.25, 0.5])
@pytest.mark.parametrize("slant", [-0.3, 0.0, 0.3])
def test_passing_a_closed_door_off_centre_from_inside(owner, side, slant):
    simulation = staged(owner=owner, at=(101.2, 100.0 + side, 0.005))
    reports = [simulation.walk_tick((-0.1, 0.1 * slant, 0.0)) for _ in range(40)]
    assert {r.cell for r in reports} == {INSIDE}
    assert min(r.position[0] for r in reports) >= 100.0 + RADIUS - 0.0002
    assert any(hit.owner == DOOR for r in reports for hit in r.hits)


@pytest.mark.parametrize("owner", [INSIDE, STREET], ids=["the room's door", "the street's door"])
@pytest.mark.parametrize("side", [-0.5, 0.0, 0.5])
def test_nor_from_outside(owner, side):
    simulation = staged(owner=owner, at=(98.8, 100.0 + side, 0.005), cell=STREET)
    reports = [simulation.walk_tick((0.1, 0.0, 0.0)) for _ in range(40)]
    assert {r.cell for r in reports} == {STREET}
    assert max(r.position[0] for r in reports) <= 100.0 - RADIUS + 0.1
    assert any(hit.owner == DOOR for r in reports for hit in r.hits)


HALL, BACK_ROOM = 0xA9B40100, 0xA9B40101


def two_rooms_with_a_gate(owner: int) -> Simulation:
    """Two rooms that meet in x = 105, and a gate of post and leaf that stands in both, x 104.5 to 107.3."""
    world = empty_world()
    post = part(box_polygons((-1.5, -0.05, 0.0), (-1.4, 0.05, 2.5)), 0x010044B5)
    leaf = part(box_polygons((-1.4, -0.05, 0.0), (1.3, 0.05, 2.5)), 0x010044B6)
    add_model(world, model(0x02000021, parts=[post, leaf]))
    frame = Frame((100.0, 100.0, 0.0))
    block = terrain()
    for cell_id, x, opening in (
        (HALL, 0.0, portal(0, BACK_ROOM, 5.0, 0)),
        (BACK_ROOM, 5.0, portal(0, HALL, 5.0, 1)),
    ):
        block.env_cells[cell_id] = room(
            cell_id, [flat_floor(x, x + 5.0, 0.0, y=5)], (x, -5, -0.1), (x + 5, 5, 4), portals=[opening],
            frame=frame, stab=[HALL, BACK_ROOM],
        )  # fmt: skip
    block.entities.append(placed(0x02000021, owner, (106.0, 100.0, 0.0), object_id=DOOR, state=CLOSED))
    put_block(world, block)
    return Simulation(world)


@pytest.mark.parametrize("owner", [HALL, BACK_ROOM], ids=["the hall's", "the back room's"])
@pytest.mark.parametrize("x", [104.7, 104.95, 105.3, 106.0, 106.6, 107.2])
def test_a_gate_that_stands_in_two_rooms_blocks_over_its_whole_width(owner, x):
    """One whose rows stand in the owner's cell alone, or its first part's, blocks only at one half."""
    for side in (-1.0, 1.0):
        simulation = two_rooms_with_a_gate(owner)
        cell = HALL if x < 105.0 else BACK_ROOM
        simulation.spawn(Position(cell, Frame((x, 100.0 + 1.5 * side, 0.005))))
        reports = [simulation.walk_tick((0.0, -0.1 * side, 0.0)) for _ in range(25)]
        assert abs(reports[-1].position[1] - 100.0) >= RADIUS + 0.05 - 0.002, (x, side)
        assert any(hit.owner == DOOR for report in reports for hit in report.hits)


@pytest.mark.parametrize("owner", [HALL, BACK_ROOM], ids=["the hall's", "the back room's"])
@pytest.mark.parametrize(
    ("cell", "x", "stands_in"),
    [(HALL, 104.3, True), (HALL, 104.95, True), (BACK_ROOM, 106.2, True), (BACK_ROOM, 108.5, False)],
)
def test_whoever_stands_in_a_door_holds_it_from_whichever_of_its_cells(owner, cell, x, stands_in):
    """One cell in common is enough; somebody beside it holds nothing (objects 8.6)."""
    simulation = two_rooms_with_a_gate(owner)
    simulation.hover(Position(cell, Frame((x, 100.0, 0.005))))
    gate = simulation.registry.objects[DOOR]
    assert simulation.objects.occupied(gate) == (simulation.body.id if stands_in else 0)


def test_standing_in_a_closing_door():
    simulation = staged(OPEN, at=(100.0, 100.0, 0.005))
    door = simulation.doors[DOOR]
    assert simulation.use(DOOR)
    here = simulation.position.frame.origin
    reports = [simulation.walk_tick() for _ in range(CLIP_TICKS + 90)]
    assert {r.position for r in reports} == {here}
    assert all(r.ok and r.on_ground for r in reports)
    assert door.target.state & ETHEREAL
    # Out of the way: free to go, and the door is solid within a second.
    free = [simulation.walk_tick((0.1, 0.0, 0.0)) for _ in range(12)]
    assert free[-1].position[0] == pytest.approx(here[0] + 1.2, abs=1e-3)
    for _ in range(31):
        simulation.walk_tick()
    assert not door.target.state & ETHEREAL
    back = [simulation.walk_tick((-0.1, 0.0, 0.0)) for _ in range(20)]
    assert back[-1].position[0] >= 100.1 + RADIUS - 0.0002


def test_door_that_starts_open():
    simulation = staged(OPEN)
    assert simulation.doors[DOOR].phase is DoorPhase.OPEN
    reports = [simulation.walk_tick((-0.1, 0.0, 0.0)) for _ in range(40)]
    assert reports[-1].cell == STREET
    assert not any(r.collided for r in reports)
    assert any(DOOR in r.touched for r in reports)
    assert simulation.use(DOOR)
    simulation.wait(CLIP_TICKS / 30.0 + 0.1)
    back = [simulation.walk_tick((0.1, 0.0, 0.0)) for _ in range(40)]
    assert {r.cell for r in back} == {STREET}


def test_door_used_50_times_inside_one_clip():
    simulation = staged()
    door = simulation.doors[DOOR]
    taken = []
    for _ in range(CLIP_TICKS - 1):
        taken += [simulation.use(DOOR), simulation.use(DOOR)]
        assert {row.state for row in simulation.registry.rows(DOOR)} == {OPEN}
        simulation.walk_tick()
    assert len(taken) >= 50
    assert taken.count(True) == 1
    simulation.wait(0.2)
    assert door.phase is DoorPhase.OPEN
    simulation.wait(30.0 - simulation.time - 0.1)
    assert door.target.state == OPEN
    simulation.wait(0.2 + CLIP_TICKS / 30.0)
    assert door.target.state == CLOSED


def touching_slab(gap: float) -> Simulation:
    """Somebody whose foot sphere begins ``gap`` before a slab's near face, the plane y = 2."""
    world = empty_world()
    add_model(world, slab_model())
    block = terrain()
    block.entities.append(placed(0x02000012, 0xA9B40001, (12.0, 2.0, 0.0), state=CLOSED))
    put_block(world, block)
    simulation = Simulation(world)
    simulation.spawn(Position(0xA9B40001, Frame((12.0, 1.0, 0.005))))
    simulation.body.set_frame(Frame((12.0, 2.0 - RADIUS - gap, 0.005)))
    return simulation


def ends(simulation: Simulation, *moves):
    """How far each displacement in turn got along x and y."""
    out = []
    for move in moves:
        x, y, _ = simulation.position.frame.origin
        after = simulation.walk_tick((*move, 0.0)).position
        out.append((round(after[0] - x, 4), round(after[1] - y, 4)))
    return out


GAPS = pytest.mark.parametrize("gap", [-0.001, 0.0, 0.001])


@GAPS
def test_start_of_a_sweep_in_touch_with_the_slab_goes_no_further_in(gap):
    into = ((0.0, 0.1), (0.05, 0.3), (0.0, 2.0), (0.0, 0.001), (0.3, 0.3))
    for move in into:
        for _, y in ends(touching_slab(gap), move, move):
            assert y <= max(gap, 0.0)


@GAPS
def test_start_of_a_sweep_in_touch_with_the_slab_leaves_it(gap):
    assert ends(touching_slab(gap), (0.0, -0.1)) == [(0.0, -0.1)]
    assert ends(touching_slab(gap), (0.1, -0.1)) == [(0.1, -0.1)]
    assert ends(touching_slab(gap), (0.0, 0.1), (0.0, -0.1)) == [(0.0, 0.0), (0.0, -0.1)]


@pytest.mark.parametrize("gap", [0.0, 0.001])
def test_start_of_a_sweep_in_touch_with_the_slab_slides_along_it(gap):
    assert ends(touching_slab(gap), (0.1, 0.0), (0.1, 0.1)) == [(0.1, 0.0)] * 2


def test_a_millimetre_inside_the_slab_only_the_way_out_is_free():
    """What is merely touched, not run into, is a near miss whose slide changes nothing (sweep 3.10 b)."""
    simulation = touching_slab(-0.001)
    assert ends(simulation, (0.1, 0.0), (0.1, 0.0)) == [(0.0, 0.0)] * 2
    assert ends(simulation, (0.0, 0.1), (0.0, -0.1)) == [(0.0, 0.0), (0.0, -0.1)]
