"""One walks about in the demo world: to named places, through houses, and not through a closed door."""

import math

import pytest

from engine.physics.simulation.simulation import Simulation
from engine.world.frame import Position
from engine.world.loading.world import World
from engine.world.location import parse_location
from engine.world.sources.open_source import demo_source
from engine.world.sources.places_file import read_places
from scripts.demo_world import ids
from scripts.demo_world.houses import croft, inn
from tests.places import DEMO

PLACES = read_places(DEMO)


@pytest.mark.parametrize("name", sorted(PLACES))
def test_a_body_stands_at_every_named_place(name: str):
    where = parse_location(PLACES[name]).position
    simulation = Simulation(World(demo_source(DEMO)))
    report = simulation.teleport(where)
    assert report.cell == where.cell_id
    assert report.on_ground
    assert math.dist(report.position, where.frame.origin) < 0.03


def walk(simulation: Simulation, *points: tuple[float, float]) -> list[int]:
    """Walk from point to point of the block; the low words of the cells on the way."""
    passed = [simulation.position.cell_id & 0xFFFF]
    for x, y in points:
        for _ in range(300):
            px, py, _ = simulation.position.frame.origin
            left = math.hypot(x - px, y - py)
            if left < 0.05:
                break
            step = min(0.12, left)
            report = simulation.walk_tick(((x - px) / left * step, (y - py) / left * step, 0.0))
            if report.cell & 0xFFFF != passed[-1]:
                passed.append(report.cell & 0xFFFF)
        else:
            pytest.fail(f"stuck at {simulation.position} on the way to {(x, y)}")
    return passed


def at(name: str) -> Simulation:
    simulation = Simulation(World(demo_source(DEMO)))
    simulation.teleport(parse_location(PLACES[name]).position)
    return simulation


def test_one_walks_through_the_cottage():
    simulation = at("street before the cottage")
    simulation.use(ids.COTTAGE_DOOR)
    rooms = walk(simulation, (155.4, 14.0), (157.0, 11.5), (157.0, 9.95), (160.0, 9.95))
    assert rooms == [0x31, 0x170, 0x171, 0x173, 0x172]
    down = walk(simulation, (157.2, 9.95), (157.2, 7.5), (152.2, 7.5), (151.7, 8.0), (152.0, 10.5))
    assert down == [0x172, 0x173, 0x171, 0x175, 0x174]
    assert simulation.position.frame.origin[2] == pytest.approx(91.005, abs=0.01)
    up = walk(simulation, (151.8, 7.5), (157.3, 7.5), (156.5, 13.5), (151.6, 14.3), (151.6, 8.8))
    assert up == [0x174, 0x175, 0x171, 0x176, 0x177]
    assert simulation.position.frame.origin[2] == pytest.approx(97.105, abs=0.01)
    assert walk(simulation, (151.6, 14.3), (155.4, 14.0), (155.4, 19.0)) == [0x177, 0x176, 0x171, 0x170, 0x31]


def test_one_walks_through_the_croft():
    simulation = at("street before the croft")
    simulation.use(ids.CROFT_DOOR)
    rooms = walk(simulation, (128.4, 37.5), (130.0, 39.0), (132.5, 38.8), (130.4, 38.9), (130.4, 35.5))
    assert rooms == [0x2A, croft.VESTIBULE, croft.ROOM, croft.NOOK, croft.ROOM]
    bedroom = walk(simulation, (130.4, 35.55), (133.0, 35.55), (130.4, 35.55), (129.25, 40.6))
    assert bedroom == [croft.ROOM, croft.BED_DOOR, croft.BEDROOM, croft.BED_DOOR, croft.ROOM]
    assert walk(simulation, (129.25, 43.9)) == [croft.ROOM, croft.PANTRY_DOOR, croft.PANTRY]
    assert simulation.position.frame.origin[2] == pytest.approx(93.045, abs=0.01)
    out = walk(simulation, (129.25, 40.0), (128.4, 37.5), (123.5, 37.5))
    assert out == [croft.PANTRY, croft.PANTRY_DOOR, croft.ROOM, croft.VESTIBULE, 0x2A]


def test_one_walks_through_the_inn():
    simulation = at("street before the inn")
    simulation.use(ids.INN_DOOR)
    way = walk(
        simulation,
        (156.0, 32.0), (158.0, 31.9), (160.3, 31.9), (160.3, 39.4), (158.0, 39.4), (152.5, 39.4),
        (152.5, 42.0),
    )  # fmt: skip
    assert way[:3] == [0x32, inn.VESTIBULE, inn.HALL]
    assert way[-1] == inn.ROOM_CELLS[4]
    assert simulation.position.frame.origin[2] == pytest.approx(97.405, abs=0.01)


def test_one_walks_round_the_dungeon_on_both_levels():
    simulation = at("dungeon hall")
    lower = walk(simulation, (70.0, 40.0), (50.0, 40.0), (50.0, 60.0), (66.0, 60.0))
    assert lower == [0x100 | n for n in (0x03, 0x0D, 0x0E, 0x11, 0x12, 0x13, 0x01, 0x02, 0x03)]
    assert (
        walk(simulation, (70.0, 60.0), (100.0, 60.0), (100.0, 80.0), (70.0, 80.0), (70.0, 60.0))[-1] == 0x103
    )


@pytest.mark.parametrize("off", [-0.5, 0.0, 0.5])
def test_the_closed_door_blocks(off: float):
    simulation = at("street before the cottage")
    frame = simulation.position.frame
    x, y, z = frame.origin
    simulation.teleport(Position(simulation.position.cell_id, frame.with_origin((x + off, y, z))))
    for _ in range(60):
        simulation.walk_tick((0.0, -0.1, 0.0))
    assert simulation.position.frame.origin[1] == pytest.approx(16.1 + 0.02 + 0.48, abs=0.03)
    assert simulation.position.cell_id & 0xFFFF == 0x31
