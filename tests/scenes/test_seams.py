"""Known failures where cells meet, each a small scene (sweep 3.12, 3.18, membership 7)."""

import itertools
import math

import pytest

from engine.physics.simulation.simulation import Simulation
from engine.world.frame import Frame, Position
from engine.world.loading.world import World
from engine.world.sources.open_source import open_source
from engine.world.terrain import terrain_height
from engine.world.tolerance import EPS
from tests.physics.rooms import portal, quad, room, split_tree
from tests.physics.scenes import cells, flat_floor, stand, terrain, wall
from tests.physics.stage import block_of_cells, empty_world, push, put_block
from tests.world.dump_folders import rigid, write
from tests.world.dump_folders import room as dumped_room

A, B, LAND = 0xA9B40100, 0xA9B40101, 0xA9B40025
MIDDLE = (100.0, 100.0)
RADIUS = 0.48


def two_rooms(turn=0.0):
    """Two rooms whose floors meet in one plane, the local plane x = 0, turned about (100, 100)."""
    frame = Frame((*MIDDLE, 0.0), (math.cos(turn / 2), 0.0, 0.0, math.sin(turn / 2)))
    a = room(
        A,
        [flat_floor(-5, 0, 0.0, y=5)],
        (-5, -5, -0.1),
        (0, 5, 4),
        portals=[portal(0, B, 0.0, 1)],
        frame=frame,
        stab=(B,),
    )
    b = room(
        B,
        [flat_floor(0, 5, 0.0, y=5)],
        (0, -5, -0.1),
        (5, 5, 4),
        portals=[portal(0, A, 0.0, 0)],
        frame=frame,
        stab=(A,),
    )
    return cells(a, b)


def at(body):
    return body.position.frame.origin


# --- coplanar floors


@pytest.mark.parametrize("eighth", range(8))
@pytest.mark.parametrize("step", [0.03, 0.104, 0.3167])
def test_two_coplanar_floors_in_two_cells_crossed_at_eight_angles(eighth, step):
    """The seam runs north and south; the way leads over it at an angle, and back."""
    angle = math.radians(-78.75 + 22.5 * eighth)
    move = (step * math.cos(angle), step * math.sin(angle), 0.0)
    world = two_rooms()
    ticks = round(2.4 / step)
    start = (100.0 - move[0] * ticks / 2 - 0.013, 100.0 - move[1] * ticks / 2, 0.005)
    body = stand(world, start, A if start[0] < 100.0 else B)
    for way in (1.0, -1.0):
        seen = []
        for _ in range(ticks):
            before = at(body)
            (result,) = push(world, body, (way * move[0], way * move[1], 0.0))
            seen.append(result.cell_id)
            assert result.ok
            assert not result.collided
            assert result.on_ground
            x, y, z = at(body)
            assert (x - before[0], y - before[1]) == pytest.approx((way * move[0], way * move[1]), abs=2e-5)
            assert z == pytest.approx(0.005, abs=1e-5)
        assert sum(a != b for a, b in itertools.pairwise(seen)) == 1


# --- the threshold


@pytest.mark.parametrize("turn", [0.0, 0.3, math.pi / 4, 2.0])
@pytest.mark.parametrize("slant", [-60.0, 0.0, 35.0])
@pytest.mark.parametrize("way", [1.0, -1.0])
@pytest.mark.parametrize("step", [0.01, 0.07])
def test_late_or_early_cell_change_at_a_threshold(turn, slant, way, step):
    """The cell changes in the first tick that leaves the own one by more than EPS, and in no other."""
    world = two_rooms(turn)
    out = (math.cos(turn), math.sin(turn))
    angle = turn + math.radians(slant)
    move = (way * step * math.cos(angle), way * step * math.sin(angle), 0.0)
    first, second = (A, B) if way > 0 else (B, A)
    ahead = 0.2533 * way
    body = stand(world, (100.0 - out[0] * ahead, 100.0 - out[1] * ahead, 0.005), first)
    changes = 0
    for _ in range(round(1.2 / step)):
        (result,) = push(world, body, move)
        x, y, _ = at(body)
        past = way * ((x - 100.0) * out[0] + (y - 100.0) * out[1])
        if abs(past - EPS) > 1e-5:
            assert result.cell_id == (second if past > EPS else first)
        changes += result.changed
    assert changes == 1


# --- a landblock border


def rolling(x, y):
    """Ground that slopes over the border at x = 192 of the western block."""
    return 10.0 + 0.3 * x - 0.1 * y


@pytest.mark.parametrize("start_x", [188.0, 196.0])
@pytest.mark.parametrize("slant", [-0.5, 0.0, 0.5])
@pytest.mark.parametrize("step", [0.05, 0.3167])
def test_contact_plane_following_across_a_landblock_border(start_x, slant, step):
    west = terrain(rolling, 0xA9B40000)
    east = terrain(lambda x, y: rolling(x + 192.0, y), 0xAAB40000)
    world = empty_world()
    put_block(world, west)
    put_block(world, east)
    simulation = Simulation(world)
    eastward = start_x < 192.0
    cell, x = (0xA9B40001, start_x) if eastward else (0xAAB40001, start_x - 192.0)
    cell += 8 * int(x // 24.0)
    simulation.spawn(Position(cell, Frame((x, 12.0, rolling(start_x, 12.0) + 0.1))))
    way = 1.0 if eastward else -1.0
    blocks = []
    for _ in range(round(8.0 / step)):
        report = simulation.walk_tick((way * step, slant * step, 0.0))
        x, y, z = report.position
        block = world.blocks[report.cell & 0xFFFF0000]
        blocks.append(block.id)
        assert report.on_ground
        assert report.ok
        # The plane is the ground's here, in the frame of the cell it is said to be in.
        assert report.contact_plane_cell >> 16 == report.cell >> 16
        n, d = report.contact_plane
        under = terrain_height(block, x, y)
        assert n[0] * x + n[1] * y + n[2] * under + d == pytest.approx(0.0, abs=1e-3)
        assert z == pytest.approx(under + 0.005, abs=1e-3)
    assert blocks == sorted(blocks, reverse=not eastward)
    assert len(set(blocks)) == 2


# --- the exit portal


def upright_faces():
    """The faces of a dumped room that are walls, by id: the outward direction of each."""
    out = {}
    for polygon in dumped_room(0x100, rigid(), [])["PortalPolygons"]:
        key, corners = polygon["Id"], polygon["Vertices"]
        xs, ys = {c["X"] for c in corners}, {c["Y"] for c in corners}
        if len(xs) == 1:
            out[key] = (math.copysign(1.0, xs.pop()), 0.0)
        elif len(ys) == 1:
            out[key] = (0.0, math.copysign(1.0, ys.pop()))
    return out


def renumbered(dump, numbers):
    """The same dump with other polygon ids, listed the other way round."""
    for table in ("PortalPolygons", "ResolvedPolygons"):
        for polygon in dump[table]:
            polygon["Id"] = numbers[polygon["Id"]]
        dump[table].reverse()
    for opening in dump["Portals"]:
        opening["PolygonId"] = numbers[opening["PolygonId"]]
    return dump


@pytest.mark.parametrize("key", sorted(upright_faces()))
@pytest.mark.parametrize("numbers", [lambda n: n, lambda n: 5 - n, lambda n: 17 + 3 * n])
def test_exit_portal_found_by_polygon_id_not_by_index(tmp_path, key, numbers):
    dump = dumped_room(0x100, rigid(100, 100, 0), [(key, 0xFFFF, 0)], [0x100])
    write(tmp_path, renumbered(dump, {n: numbers(n) for n in range(6)}))
    simulation = Simulation(World(open_source(dumps=tmp_path)))
    simulation.spawn(Position(A, Frame((100.0, 100.0, 0.1))))
    out = upright_faces()
    for other, (dx, dy) in out.items():
        if other == key:
            continue
        for _ in range(40):
            report = simulation.walk_tick((0.1 * dx, 0.1 * dy, 0.0))
        assert report.cell == A
        simulation.teleport(Position(A, Frame((100.0, 100.0, 0.1))))
    dx, dy = out[key]
    for _ in range(40):
        report = simulation.walk_tick((0.1 * dx, 0.1 * dy, 0.0))
    assert report.cell == LAND
    assert report.position[:2] == pytest.approx((100.0 + 4.0 * dx, 100.0 + 4.0 * dy), abs=1e-3)
    assert report.on_ground


# --- a teleport


def walled_room(turn, split):
    """A floor with a wall 1 m to the local right of (100, 100), turned; in one leaf or in a split tree."""
    frame = Frame((*MIDDLE, 0.0), (math.cos(turn / 2), 0.0, 0.0, math.sin(turn / 2)))
    floor, ceiling = flat_floor(-20, 20, 0.0), quad(1, (-20, 20, 3), (20, 20, 3), (20, -20, 3), (-20, -20, 3))
    cell = room(A, [floor, ceiling, wall(1.0, 0.0, 3.0, sign=-1, polygon_id=2)], frame=frame)
    if split:
        tree = split_tree(list(cell.structure.physics_polygons.values()))
        cell.structure = cell.structure._replace(physics_root=tree)
    world = empty_world()
    put_block(world, block_of_cells(cell))
    return world


@pytest.mark.parametrize("eighth", range(8))
@pytest.mark.parametrize("gap", [0.02, 0.3, 0.47, 0.4799, 0.6])
@pytest.mark.parametrize("split", [False, True], ids=["one leaf", "split tree"])
def test_teleport_beside_a_wall(eighth, gap, split):
    """Who is put nearer to a wall than his radius is pushed out in front of it, and can walk away."""
    turn = math.radians(45.0 * eighth)
    out = (math.cos(turn), math.sin(turn))

    def distance(report):
        x, y, _ = report.position
        return 1.0 - ((x - 100.0) * out[0] + (y - 100.0) * out[1])

    simulation = Simulation(walled_room(turn, split))
    simulation.spawn(Position(A, Frame((100.0, 100.0, 0.005))))
    there = (100.0 + out[0] * (1.0 - gap), 100.0 + out[1] * (1.0 - gap), 0.005)
    report = simulation.teleport(Position(A, Frame(there)))
    assert report.cell == A
    assert report.on_ground
    assert report.position[2] == pytest.approx(0.005, abs=1e-4)
    assert distance(report) == pytest.approx(max(gap, RADIUS), abs=0.002)
    along = (report.position[0] - there[0]) * -out[1] + (report.position[1] - there[1]) * out[0]
    assert abs(along) < 1e-3
    into = simulation.walk_tick((0.1 * out[0], 0.1 * out[1], 0.0))
    assert distance(into) >= RADIUS - 0.002
    away = simulation.walk_tick((-0.1 * out[0], -0.1 * out[1], 0.0))
    assert distance(away) == pytest.approx(distance(into) + 0.1, abs=1e-4)
