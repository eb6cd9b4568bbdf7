"""Sweep 3.17, 3.19: putting a body down."""

import math

import pytest

from engine.collision.moving_sphere import MovingSphere
from engine.physics.body.body import PhysicsBody
from engine.physics.enums import (
    ADJUSTED,
    OK,
    SPE_COLLIDED,
    SPE_OK,
    TELEPORT_FLAGS,
)
from engine.physics.objects.shadow_object import CellShadow, PhysicsObject
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.sweep import make_transition, place
from engine.physics.transition.bsp_placement import placement_insert_bsp
from engine.world.bsp import leaf_node
from engine.world.frame import Frame, Position
from engine.world.loading.world import World
from engine.world.location import parse_location
from engine.world.polygon import bounding_sphere
from engine.world.sources.open_source import open_source
from tests.physics.houses import FRAME, LAND, A, B, house, two_rooms
from tests.physics.models import cylinder_model
from tests.physics.rooms import ROOM, box_polygons, exit_portal, fork, quad, room, tree_of
from tests.physics.scenes import block_cells, building, cells, flat_floor, terrain, wall
from tests.physics.stage import staged_room
from tests.places import DEMO


def put(world, cell_id, at, flags=TELEPORT_FLAGS, **more):
    body = PhysicsBody(1)
    error, result = place(world, body, Position(cell_id, Frame(at)), flags, **more)
    return body, error, result


def where(body):
    return body.position.frame.origin


def test_a_teleported_body_settles_on_the_ground():
    body, error, result = put(cells(room()), ROOM, (1.0, 2.0, 0.3))
    assert error == SPE_OK
    assert result.ok
    assert where(body) == pytest.approx((1.0, 2.0, 0.005), abs=1e-4)
    assert body.on_ground


def test_beyond_a_step_down_it_stays_in_the_air():
    body, error, _ = put(cells(room()), ROOM, (1.0, 2.0, 4.0))
    assert error == SPE_OK
    assert where(body)[2] == pytest.approx(4.0)
    assert not body.in_contact


def test_the_named_cell_gives_way_to_the_one_that_holds_the_centre():
    body, _, _ = put(two_rooms(), A, (102.0, 100.0, 0.1))
    assert body.cell.id == B
    assert body.position.cell_id == B


def test_a_place_outside_a_house_that_sees_the_outside_is_on_the_land():
    body, _, _ = put(house(), A, (95.0, 100.0, 0.1))
    assert body.cell.id == 0xA9B4001D


def test_a_place_under_a_house_named_by_the_landcell_ends_inside():
    body, _, _ = put(house(), LAND, (102.0, 100.0, 0.1))
    assert body.cell.id == A


def test_a_cell_that_is_not_there_leaves_the_body_lost():
    body, error, _ = put(cells(), ROOM, (0.0, 0.0, 0.0))
    assert error == SPE_OK
    assert body.cell is None
    assert body.cell is None


def test_in_a_cell_without_portals_its_own_tree_decides():
    world = cells(room())
    assert put(world, ROOM, (0.0, 0.0, 0.1))[0].cell.id == ROOM
    assert put(world, ROOM, (80.0, 0.0, 0.1))[0].cell is None


def test_a_body_put_into_a_wall_is_pushed_out():
    world = cells(room(polygons=[flat_floor(-20, 20, 0.0), wall(2.0, 0.0, 5.0, sign=-1)]))
    body, error, _ = put(world, ROOM, (1.8, 0.0, 0.1))
    assert error == SPE_OK
    assert where(body)[0] <= 2.0 - 0.48 + 0.0002


def test_what_the_foot_found_is_still_there_when_the_head_looks():
    """Both spheres lie across a plane: the foot's polygon is on the near side, the head's on the far one."""
    low, high = flat_floor(-2.0, 0.0, 0.3), flat_floor(0.0, 2.0, 1.6, polygon_id=1)
    center, radius = bounding_sphere([*low.vertices, *high.vertices])
    near, far = (
        leaf_node([low], center=center, radius=radius),
        leaf_node([high], center=center, radius=radius),
    )
    tree = fork((1.0, 0.0, 0.0), far, near)
    cell = room()
    t = make_transition(cells(cell), PhysicsBody(1))
    t.init_path(cell, None, Position(ROOM, Frame((-0.1, 0.0, 0.0))))
    t.sphere_path.set_check_pos(t.sphere_path.curr_pos, cell)
    t.sphere_path.cache_localspace_sphere(Position(ROOM, Frame((0.0, 0.0, 0.0))), 1.0)
    assert placement_insert_bsp(t, tree) == OK
    assert placement_insert_bsp(t, far) == ADJUSTED


def test_in_the_solid_a_look_that_finds_no_polygon_is_widened_until_it_does_and_no_longer():
    """The sphere touches a floor beyond a plane that it does not reach: a look twice as wide goes there.

    The floor pushes to that width, 1.0, below itself, out of the solid. A second floor that it touches
    there lies beyond the plane as well, where a look of its own radius does not go.
    """
    floors = [flat_floor(-2.0, 2.0, 0.0), flat_floor(-2.0, 2.0, -1.3, polygon_id=1)]
    aside = flat_floor(8.0, 9.0, 0.2, polygon_id=2)
    center, radius = bounding_sphere([v for polygon in (*floors, aside) for v in polygon.vertices])
    beyond = leaf_node(floors, center=center, radius=radius)
    solid = leaf_node([aside], center=center, radius=radius, solid=True)
    free = leaf_node([aside], center=center, radius=radius)
    tree = fork((1.0, 0.0, 0.0), fork((0.0, 0.0, 1.0), solid, free), beyond)
    cell = room()
    t = make_transition(cells(cell), PhysicsBody(1))
    t.init_path(cell, None, Position(ROOM, Frame((0.0, 0.0, 0.0))))
    path = t.sphere_path
    path.set_check_pos(path.curr_pos, cell)
    path.cache_localspace_sphere(Position(ROOM, Frame((0.0, 0.0, 0.0))), 1.0)
    path.num_sphere = 1
    path.localspace_sphere[0] = MovingSphere(0.8, 0.0, 0.3, 0.5)
    assert placement_insert_bsp(t, tree) == ADJUSTED
    assert path.check_pos.frame.origin == pytest.approx((0.0, 0.0, -1.3))


def test_a_start_in_the_demos_walls_ends_where_the_original_puts_it():
    simulation = Simulation(World(open_source(demo=DEMO)))
    asked = parse_location("0xA9B4016E [151.221863 30.21442 95.019997] 1 0 0 0")
    report = simulation.spawn(asked.position)
    assert report.cell == 0xA9B40157
    assert report.position == pytest.approx((151.68, 31.1033, 94.005), abs=1e-3)


def test_without_slide_it_must_be_found_where_it_was_asked_for():
    world = cells(room(polygons=[flat_floor(-20, 20, 0.0), wall(2.0, 0.0, 5.0, sign=1)]))
    body, error, _ = put(world, ROOM, (2.2, 0.0, 0.1), flags=1)
    assert error == SPE_COLLIDED
    assert body.cell is None
    body, error, _ = put(world, ROOM, (4.0, 0.0, 0.1), flags=1)
    assert error == SPE_OK


def test_where_something_stands_a_ring_around_it_is_searched():
    post = PhysicsObject(7, cylinder_model(0.5, 2.0), Position(ROOM, Frame((0.0, 2.0, 0.0))), state=0x8)
    world, _ = staged_room(post)
    body, error, _ = put(world, ROOM, (0.0, 2.0, 0.1))
    assert error == SPE_OK
    x, y, z = where(body)
    assert math.hypot(x, y - 2.0) == pytest.approx(3 * 4.0 / 9.0)
    assert z == pytest.approx(0.005, abs=1e-4)


def test_a_body_put_into_a_shell_is_pushed_out_of_its_walls():
    block = terrain()
    inside = room(A, [], (0, 0, 50), (1, 1, 51), frame=Frame((100.0, 100.0, 0.0)))
    shell = tree_of(box_polygons((-1.0, -1.0, -1.0), (1.0, 1.0, 3.0)))
    building(block.land_cells[0x24], inside, shell=shell)
    body, error, _ = put(block_cells(block), LAND, (100.0, 100.9, 0.1))
    assert error == SPE_OK
    assert abs(where(body)[1] - 101.0) >= 0.48 - 0.001


@pytest.mark.parametrize("beside_the_wall", [1.152, 1.4])
def test_the_ring_passes_over_places_behind_a_wall(beside_the_wall):
    """The first place tried is behind the north wall: clear of its polygon, but in no cell."""
    walls = [wall(2.0, 0.0, 5.0, sign=-1), quad(2, (-5, 2, 0), (2, 2, 0), (2, 2, 5), (-5, 2, 5))]
    inside = room(
        A, [flat_floor(-5, 2, 0.0, y=2), *walls], (-5, -2, -0.1), (2, 2, 5),
        portals=[exit_portal(0, -5.0, 0)], frame=FRAME,
        seen_outside=True,
    )  # fmt: skip
    block = terrain()
    building(block.land_cells[0x24], inside)
    block.env_cells[A] = inside
    world = block_cells(block)
    at = (FRAME.origin[0] + 1.4, FRAME.origin[1] + beside_the_wall, 0.0)
    for cell in (inside, *block.land_cells):
        post = PhysicsObject(7, cylinder_model(0.5, 2.0), Position(cell.id, Frame(at)), state=0x8)
        cell.shadow_objects.append(CellShadow(post, cell.id))
    body, error, _ = put(world, A, (at[0], at[1], 0.1))
    assert error == SPE_OK
    assert body.cell is inside
    assert where(body)[1] < FRAME.origin[1] + 2.0
