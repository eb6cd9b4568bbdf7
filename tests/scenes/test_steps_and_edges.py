"""Known failures at steps, edges and slopes, each a small scene (sweep 3.8-3.14)."""

import math

import pytest

from engine.dat.values import Plane, Sphere
from engine.physics.enums import FLOOR_Z, TS_SLIDING
from engine.physics.simulation.mover import MoverSettings
from engine.physics.simulation.simulation import Simulation
from engine.world.frame import Frame, Position
from tests.physics.models import model, part, placed
from tests.physics.rooms import ROOM, box_polygons, floor, quad, room
from tests.physics.scenes import UP, block_cells, cells, flat_floor, stand, terrain, wall
from tests.physics.stage import add_model, airborne_body, block_of_cells, empty_world, push, put_block

RADIUS = 0.48
STEP_DOWN_AT_AN_EDGE = 0.75
MOST_IN_A_TICK = 50.0 / 30.0 + 0.5
LOW = (Sphere((0.0, 0.0, 0.48), 0.48), Sphere((0.0, 0.0, 0.72), 0.48))


def world_of(*polygons):
    return cells(room(polygons=list(polygons)))


def at(body):
    return body.position.frame.origin


def simulation_in(polygons, start, *objects, **settings):
    world = empty_world()
    put_block(world, block_of_cells(room(polygons=polygons)))
    simulation = Simulation(world, MoverSettings(**settings))
    for m, where in objects:
        add_model(world, m)
        simulation.objects.add(where)
    simulation.spawn(Position(ROOM, Frame(start)))
    return simulation


# --- the cellar lip


SINE, COSINE = math.sin(math.radians(30)), math.cos(math.radians(30))


def up_the_cellar_ramp():
    """Somebody who came up a ramp of 30 degrees along the wall at x = 2, both of which end at the lip y = 0.

    The last tick slid along the wall; another short step to the right would go clear of its end.
    """
    drop = 4.0 * SINE / COSINE
    ramp = quad(0, (-2, -4, -drop), (2, -4, -drop), (2, 0, 0), (-2, 0, 0))
    ground = quad(1, (-20, 0, 0), (20, 0, 0), (20, 20, 0), (-20, 20, 0))
    side = quad(2, (2, -4, -3), (2, -4, 3), (2, 0, 3), (2, 0, -3))
    world = world_of(ramp, ground, side)
    y = -2.0
    height = y * SINE / COSINE + (RADIUS - 0.475 * COSINE) / COSINE
    body = stand(world, (1.47, y, height), ROOM, Plane((0.0, -SINE, COSINE), 0.0))
    while not (at(body)[1] > 0.05 and body.transient_state & TS_SLIDING):
        push(world, body, (0.1, 0.08, 0.0))
        assert at(body)[1] < 0.21
    assert body.sliding_normal == pytest.approx((-1, 0, 0), abs=1e-6)
    return world, body


def test_stuck_on_the_cellar_lip_with_a_stale_sliding_normal():
    world, body = up_the_cellar_ramp()
    here = at(body)
    for result in push(world, body, (0.04, 0.0, 0.0), 10):
        assert not result.ok
    assert at(body) == here
    assert body.on_ground
    body.transient_state &= ~TS_SLIDING
    push(world, body, (0.04, 0.0, 0.0))
    assert at(body)[0] == pytest.approx(here[0] + 0.04, abs=1e-4)


@pytest.mark.parametrize("side", [0.03, -0.03])
def test_any_sideways_step_frees_who_is_stuck_on_the_cellar_lip(side):
    world, body = up_the_cellar_ramp()
    push(world, body, (0.04, 0.0, 0.0), 3)
    push(world, body, (0.04, side, 0.0))
    before = at(body)[0]
    push(world, body, (0.04, 0.0, 0.0))
    assert at(body)[0] == pytest.approx(before + 0.04, abs=1e-4)


# --- a lintel


def lintel(height):
    """A beam across the way at y = 2, its underside at a height."""
    return [floor(-20, 20, 0.0), *box_polygons((-20, 2.0, height), (20, 2.4, 5.0), 1)]


@pytest.mark.parametrize("step", [0.05, 0.3, 2.0])
def test_head_under_a_lintel_1_3_m_high(step):
    simulation = simulation_in(lintel(1.3), (0.0, 1.0, 0.005))
    reports = [simulation.walk_tick((0.0, step, 0.0)) for _ in range(20)]
    assert max(r.position[1] for r in reports) <= 2.0 - math.sqrt(RADIUS**2 - 0.05**2) + 0.001
    assert all(r.on_ground for r in reports)
    assert any(hit.normal[1] == pytest.approx(-1.0) for r in reports for hit in r.hits)
    # Along it the way is free.
    x = simulation.position.frame.origin[0]
    for _ in range(10):
        simulation.walk_tick((0.1, 0.02, 0.0))
    assert simulation.position.frame.origin[0] > x + 0.9


@pytest.mark.parametrize("step", [0.05, 0.3])
def test_a_low_mover_passes_a_lintel_1_3_m_high(step):
    simulation = simulation_in(lintel(1.3), (0.0, 1.0, 0.0), spheres=LOW)
    reports = [simulation.walk_tick((0.0, step, 0.0)) for _ in range(round(3.0 / step))]
    assert reports[-1].position[1] == pytest.approx(4.0, abs=1e-3)
    assert not any(r.collided for r in reports)


# --- eight stacked steps

RISE, TREAD = 0.3, 0.5


def stair_objects():
    """Eight boxes, each an object of its own, that make a stair in +y from y = 1 on."""
    out = []
    for i in range(8):
        m = model(0x02000100 + i, parts=[part(box_polygons((-1, 0, 0), (1, 8.0 - TREAD * i, RISE)))])
        where = placed(m.model_id, at=(0.0, 1.0 + TREAD * i, RISE * i), object_id=0x70000000 + i, state=0x1)
        out.append((m, where))
    return out


@pytest.mark.parametrize("step", [0.05, 0.104, 0.3167])
def test_eight_stacked_step_objects_run_up_past_every_seam(step):
    simulation = simulation_in([floor(-20, 20, 0.0)], (0.1, 0.0, 0.005), *stair_objects())
    heights = []
    reports = []
    for _ in range(round(6.5 / step)):
        reports.append(simulation.walk_tick((0.0, step, 0.0)))
        heights.append(reports[-1].position[2])
    assert heights[-1] == pytest.approx(8 * RISE + 0.005, abs=1e-3)
    assert heights == sorted(heights)
    assert all(r.on_ground for r in reports)


# --- the edge limit


def off_an_edge(drop, step):
    world = world_of(
        flat_floor(-20, 0, drop),
        wall(0.0, 0.0, drop, sign=1, polygon_id=1),
        flat_floor(0, 20, 0.0, polygon_id=2),
    )
    body = stand(world, (-0.303, 0.0, drop + 0.005), ROOM)
    return body, push(world, body, (step, 0.0, 0.0), round(1.5 / step))


@pytest.mark.parametrize("step", [0.1, 0.3167])
def test_step_down_at_the_edge_limit_less_1_cm(step):
    body, results = off_an_edge(STEP_DOWN_AT_AN_EDGE - 0.01, step)
    assert at(body)[2] == pytest.approx(0.005, abs=1e-4)
    assert at(body)[0] == pytest.approx(-0.303 + step * len(results), abs=1e-3)
    assert not any(r.collided for r in results)
    assert all(r.on_ground for r in results)


@pytest.mark.parametrize("step", [0.02, 0.1, 0.104])
def test_step_down_at_the_edge_limit_plus_1_cm(step):
    drop = STEP_DOWN_AT_AN_EDGE + 0.01
    body, results = off_an_edge(drop, step)
    assert at(body)[2] == pytest.approx(drop + 0.005, abs=1e-4)
    assert at(body)[0] <= RADIUS / 2
    assert next(r.normal for r in results if r.normal) == pytest.approx((-1, 0, 0))
    assert body.on_ground


def test_creeping_over_an_edge_is_held_where_the_foot_would_scrape_the_riser():
    """Down there the sphere would touch the riser until its centre is a radius away: a stride clears it."""
    body, results = off_an_edge(STEP_DOWN_AT_AN_EDGE - 0.01, 0.02)
    assert at(body)[2] == pytest.approx(STEP_DOWN_AT_AN_EDGE - 0.005, abs=1e-4)
    assert RADIUS / 2 < at(body)[0] < RADIUS
    assert body.on_ground
    assert results[-1].position.frame.origin == results[-5].position.frame.origin


# --- between steep faces


def wedge(degrees, tilt=0.0):
    """Two faces that meet along the y axis and rise to both sides at an angle."""
    h = 6.0 * math.tan(math.radians(degrees))
    g = 6.0 * math.tan(math.radians(degrees + tilt))
    return [
        quad(0, (0, -20, 0), (6, -20, h), (6, 20, h), (0, 20, 0)),
        quad(1, (-6, -20, g), (0, -20, 0), (0, 20, 0), (-6, 20, g)),
    ]


@pytest.mark.parametrize(("degrees", "tilt"), [(55, 0), (60, 5), (70, 0), (80, 3)])
@pytest.mark.parametrize("x", [0.0, 0.2, -0.35])
def test_wedge_between_two_steep_faces_ends(degrees, tilt, x):
    simulation = simulation_in(wedge(degrees, tilt), (x, 0.0, 4.0))
    simulation.trace = True
    places = []
    for tick in range(240):
        report = simulation.walk_tick((0.0, 0.05, 0.0))
        assert all(map(math.isfinite, (*report.position, *report.velocity)))
        assert report.trace is None or len(report.trace.steps) <= math.ceil(MOST_IN_A_TICK / RADIUS)
        if tick >= 120:
            places.append(report.position)
            assert abs(report.velocity[2]) < 4.0
    # It has come down between the faces and stays in the place where both hold it.
    for axis in range(3):
        assert max(p[axis] for p in places) - min(p[axis] for p in places) < 0.06
    half_angle = math.radians(180.0 - degrees - (degrees + tilt)) / 2.0
    assert places[-1][2] == pytest.approx(RADIUS / math.sin(half_angle) - 0.475, abs=0.06)


# --- the steepest slope one can walk on


def slope(n_z):
    """A floor from which a slope rises in +x at x = 0 whose normal has an up-ness."""
    top = 10.0 * math.sqrt(1.0 - n_z * n_z) / n_z
    return world_of(flat_floor(-20, 0, 0.0), quad(1, (0, -20, 0), (10, -20, top), (10, 20, top), (0, 20, 0)))


def test_slope_at_the_walkable_limit_plus_1e_4():
    n_z = FLOOR_Z + 1e-4
    world = slope(n_z)
    body = stand(world, (-1.0, 0.0, 0.005), ROOM)
    results = push(world, body, (0.1, 0.0, 0.0), 60)
    assert all(r.on_ground for r in results)
    assert body.contact.normal[2] == pytest.approx(n_z)
    first, second = (r.position.frame.origin[0] for r in results[-2:])
    assert second - first == pytest.approx(0.1 * n_z * n_z, abs=1e-4)


def test_slope_at_the_walkable_limit_minus_1e_4():
    world = slope(FLOOR_Z - 1e-4)
    body = stand(world, (-1.0, 0.0, 0.005), ROOM)
    results = push(world, body, (0.1, 0.0, 0.0), 60)
    assert all(r.on_ground for r in results)
    assert body.contact.normal == UP
    assert at(body)[0] <= 0.0
    assert at(body)[2] == pytest.approx(0.005, abs=1e-4)


@pytest.mark.parametrize("off", [1e-4, -1e-4])
def test_landing_on_a_slope_at_the_walkable_limit(off):
    world = slope(FLOOR_Z + off)
    body = airborne_body(world, (3.0, 0.0, 6.0))
    push(world, body, (0.0, 0.0, -0.1), 40)
    assert body.in_contact
    assert body.on_ground is (off > 0)


@pytest.mark.parametrize("off", [1e-4, -1e-4])
def test_terrain_at_the_walkable_limit(off):
    n_z = FLOOR_Z + off
    rise = math.sqrt(1.0 - n_z * n_z) / n_z
    world = block_cells(terrain(lambda x, y: max(0.0, x - 24.0) * rise))
    body = stand(world, (23.0, 12.0, 0.005), 0xA9B40001)
    push(world, body, (0.1, 0.0, 0.0), 30)
    assert (at(body)[0] > 24.3) is (off > 0)
    assert body.on_ground
