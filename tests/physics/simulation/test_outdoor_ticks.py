"""Sweep 12.13: whole ticks on terrain."""

import math

import pytest

from engine.dat.values import Plane
from engine.physics.enums import HitKind
from engine.physics.simulation.integration import update_physics
from engine.physics.simulation.sweep import make_sweep, sweep
from engine.physics.transition.run import find_valid_position
from engine.world.frame import Position
from tests.physics.rooms import ROOM, room
from tests.physics.scenes import UP, block_cells, cells, flat_floor, ramp, stand, terrain
from tests.physics.stage import airborne_body, push

FIRST = 0xA9B40001


def at(body):
    return body.position.frame.origin


def full_tick(world, body):
    """Gravity and velocity for 1/30 s, then the sweep."""
    ground = body.contact.normal if body.on_walkable else None
    moved, body.velocity = update_physics(
        body.velocity, body.acceleration, 1.0 / 30.0, ground=ground, friction=body.friction
    )
    x, y, z = at(body)
    if max(map(abs, moved)) > 0.0002:
        target = body.position.frame.with_origin((x + moved[0], y + moved[1], z + moved[2]))
        sweep(world, body, Position(body.position.cell_id, target))


def test_OD1_over_a_landblock_border_positions_change_their_block():
    world = block_cells(terrain(), terrain(block_id=0xA9B30000))
    body = stand(world, (150.0, 0.5, 0.005), 0xA9B40031)
    push(world, body, (0.0, -1.0, 0.0))
    assert body.cell.id == 0xA9B30038
    assert at(body) == pytest.approx((150.0, 191.5, 0.005), abs=1e-4)
    push(world, body, (0.0, -1.0, 0.0))
    assert at(body) == pytest.approx((150.0, 190.5, 0.005), abs=1e-4)


def test_OD2_over_a_landcell_border():
    world = block_cells(terrain())
    body = stand(world, (23.9, 12.0, 0.005), FIRST)
    (result,) = push(world, body, (0.2, 0.0, 0.0))
    assert (result.cell_id, result.changed) == (0xA9B40009, True)
    assert at(body) == pytest.approx((24.1, 12.0, 0.005), abs=1e-4)


def test_OD3_near_a_corner_of_four_landcells():
    world = block_cells(terrain())
    body = stand(world, (23.9, 23.9, 0.005), FIRST)
    (result,) = push(world, body, (0.01, 0.0, 0.0))
    assert body.cell.id == FIRST
    assert result.cells == (FIRST, 0xA9B40009, 0xA9B4000A, 0xA9B40002)


def test_OD4_a_fall_onto_terrain_has_a_collision_normal():
    world = block_cells(terrain())
    body = airborne_body(world, (100.0, 100.0, 1.0), 0xA9B40025)
    push(world, body, (0.0, 0.0, -0.6))
    assert at(body)[2] == pytest.approx(0.4)
    (result,) = push(world, body, (0.0, 0.0, -0.6))
    assert at(body)[2] == pytest.approx(0.005, abs=1e-6)
    assert body.on_ground
    assert result.normal == UP
    assert body.colliding_with_environment
    assert [h.kind for h in result.hits] == [HitKind.TERRAIN]


@pytest.mark.parametrize(
    ("name", "degrees", "path"),
    [
        (
            "OD5",
            30,
            [(24.0, None), (24.375, 0.22151), (24.75, 0.43801), (25.125, 0.65452), (25.5, 0.87103)],
        ),
        ("OD6", 45, [(24.0, None), (24.25, 0.255), (24.5, 0.505), (24.75, 0.755), (25.0, 1.005)]),
        ("OD7", 48, [(24.0, None), (24.22387, None), (24.44774, None)]),
    ],
)
def test_up_a_walkable_ramp(name, degrees, path):
    world = block_cells(terrain(ramp(degrees)))
    body = stand(world, (23.0, 12.0, 0.005), FIRST)
    push(world, body, (0.5, 0.0, 0.0))
    assert at(body)[0] == pytest.approx(23.5)
    for x, z in path:
        push(world, body, (0.5, 0.0, 0.0))
        assert at(body)[0] == pytest.approx(x, abs=1e-4)
        if z is not None:
            assert at(body)[2] == pytest.approx(z, abs=1e-4)
    a = math.radians(degrees)
    assert body.contact.normal == pytest.approx((-math.sin(a), 0.0, math.cos(a)), abs=1e-6)
    assert body.on_ground


@pytest.mark.parametrize("degrees", [49, 55])
def test_OD8_a_ramp_too_steep_to_walk_on(degrees):
    world = block_cells(terrain(ramp(degrees)))
    body = stand(world, (23.0, 12.0, 0.005), FIRST)
    results = push(world, body, (0.5, 0.0, 0.0), 6)
    assert at(body)[0] == pytest.approx(24.0, abs=1e-4)
    blocked = [r for r in results if r.normal is not None]
    assert blocked[0].normal == pytest.approx((-1, 0, 0), abs=1e-6)
    assert not results[-1].ok


def test_OD9_a_free_fall_onto_terrain_bounces_a_little_and_rests():
    world = block_cells(terrain())
    body = airborne_body(world, (100.0, 100.0, 1.005), 0xA9B40025)
    for _ in range(13):
        full_tick(world, body)
    assert at(body)[2] == pytest.approx(0.0903, abs=1e-4)
    full_tick(world, body)
    assert at(body)[2] == pytest.approx(0.005, abs=1e-6)
    assert body.velocity[2] == pytest.approx(0.2287, abs=1e-4)
    full_tick(world, body)
    assert at(body)[2] == pytest.approx(0.005, abs=1e-6)
    assert body.on_ground
    assert body.velocity == (0.0, 0.0, 0.0)


def test_OD10_onto_a_floor_of_polygons_there_is_no_bounce():
    world = cells(room(polygons=[flat_floor(-20, 20, 0.0)]))
    body = airborne_body(world, (0.0, 0.0, 1.005), ROOM)
    for _ in range(14):
        full_tick(world, body)
    assert at(body)[2] == pytest.approx(0.005, abs=1e-6)
    assert body.velocity[2] == pytest.approx(-4.5733, abs=1e-4)
    full_tick(world, body)
    assert body.velocity == pytest.approx((0.0, 0.0, 0.0))
    assert body.on_ground


def test_OD11_a_jump():
    world = block_cells(terrain())
    body = stand(world, (100.0, 100.0, 0.005), 0xA9B40025)
    body.set_on_walkable(value=False)
    body.set_velocity((0.0, 3.0, 5.662155))
    places = []
    for _ in range(40):
        full_tick(world, body)
        places.append((at(body)[1], at(body)[2], body.velocity[2], body.on_ground))
    assert places[0][:2] == pytest.approx((100.1, 0.1883), abs=1e-4)
    assert max(range(40), key=lambda i: places[i][1]) + 1 == 17
    assert places[16][1] == pytest.approx(1.640, abs=1e-3)
    grounded = [i + 1 for i in range(40) if places[i][3]]
    assert grounded[0] == 35
    assert places[34][0] == pytest.approx(103.5, abs=1e-3)
    assert places[34][2] == pytest.approx(0.2886, abs=1e-4)
    settled = [i + 1 for i in range(34, 40) if places[i][3] and places[i][1] < 0.0051]
    assert settled == [35, 39, 40]
    assert places[39][2] == 0.0


def test_a_path_into_land_that_is_not_loaded_ends_in_no_cell_and_is_refused():
    world = block_cells(terrain())
    body = stand(world, (100.0, 0.3, 0.005), 0xA9B40021)
    cell, position = body.cell, body.position
    t = make_sweep(world, body, Position(0xA9B40021, position.frame.with_origin((100.0, -0.3, 0.005))))
    assert find_valid_position(t)
    assert t.sphere_path.curr_cell is None
    assert t.sphere_path.curr_pos.cell_id == 0xA9B30028
    (result,) = push(world, body, (0.0, -0.6, 0.0))
    assert not result.ok
    assert body.cell is cell
    assert body.position is position


def test_water_carries_walkers_lower():
    words = tuple(0x10 << 2 for _ in range(81))
    world = block_cells(terrain(words=words, water=2))
    body = stand(world, (12.0, 12.0, -0.895), FIRST, Plane(UP, 0.0), is_water=True)
    push(world, body, (0.1, 0.0, 0.0))
    assert at(body)[2] == pytest.approx(-0.895, abs=1e-4)
    assert body.contact.is_water


def test_a_landblock_that_is_all_water_cannot_be_walked_into():
    sea = terrain(words=tuple(0x10 << 2 for _ in range(81)), water=2, block_id=0xAAB40000)
    for cell in sea.land_cells:
        cell.in_open_water = True
    world = block_cells(terrain(), sea)
    body = stand(world, (191.0, 12.0, 0.005), 0xA9B40039)
    results = push(world, body, (0.2, 0.0, 0.0), 10)
    assert body.cell.id == 0xA9B40039
    assert at(body)[0] <= 192.0 + 0.0002
    assert any(r.collided for r in results)
