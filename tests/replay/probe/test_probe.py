"""A probe says what of a doorway an object blocks, sweep by sweep, and changes nothing."""

from __future__ import annotations

import itertools
import json
import math
from functools import cache

import pytest

from engine.physics.enums import HitKind
from engine.physics.objects.shadow_object import PhysicsObject
from engine.physics.simulation.simulation import Simulation
from engine.replay.doorways import find_doorways
from engine.replay.probe.plane import probe_plane
from engine.replay.probe.probe_answer import Passage, Probe, Side
from engine.replay.probe.sweeps import SPACING, probe, spread
from engine.replay.scenarios.stage import open_door
from engine.world.frame import Frame, Position
from engine.world.ids import EXIT_CELL
from engine.world.loading.world import World
from engine.world.physics_state import ETHEREAL
from engine.world.sources.open_source import demo_source
from tests.physics.models import cylinder_model, door_model, model, part, placed
from tests.physics.rooms import ROOM, box_polygons, floor, portal, quad, room
from tests.physics.scenes import building, flat_floor, terrain
from tests.physics.stage import add_model, block_of_cells, empty_world, put_block
from tests.places import DEMO

DOORS = (0x7A9B4015, 0x7A9B4016, 0x7A9B4017)
DOOR = 0x7A9B4015
INSIDE = 0xA9B40100
QUARTER = (math.cos(math.pi / 4), 0.0, 0.0, math.sin(math.pi / 4))


@cache
def demo() -> Simulation:
    simulation = Simulation(World(demo_source(DEMO)))
    simulation.residency.load(0xA9B40000)
    return simulation


@cache
def closed(entity):
    return probe(demo(), entity, spacing=0.3)


# --- the demo's doors


@pytest.mark.parametrize("entity", DOORS)
def test_a_closed_door_blocks_on_the_whole_grid_from_both_sides(entity):
    answer = closed(entity)
    assert answer.blocks and not answer.passes
    assert {pin.outcome for pin in answer.pins} == {Passage.STOPPED}
    assert {(pin.hit.kind, pin.hit.owner) for pin in answer.pins} == {(HitKind.ENTITY, entity)}
    assert {(pin.side, pin.probe) for pin in answer.pins} == {
        (side, how) for side in (Side.FRONT, Side.BACK) for how in (Probe.MOVER, Probe.SPHERE)
    }
    assert answer.verdict == f"door 0x{entity:08X} blocks across its doorway, from both sides"


@pytest.mark.parametrize("entity", DOORS)
def test_the_grid_lies_in_the_doorway_from_edge_to_edge(entity):
    simulation, plane = demo(), closed(entity).plane
    (doorway,) = [d for d in find_doorways(simulation.world.blocks[0xA9B40000]) if d.door == entity]
    assert plane.portal == (doorway.cell_id, doorway.portal_index)
    assert (plane.width, plane.height) == pytest.approx((doorway.width, doorway.height))
    assert plane.origin == pytest.approx(doorway.sill, abs=1e-4)
    assert plane.out[:2] == pytest.approx(doorway.outward)
    pins = [pin for pin in closed(entity).pins if pin.probe is Probe.SPHERE and pin.side is Side.FRONT]
    assert max(pin.right for pin in pins) == pytest.approx(plane.width / 2 - 0.12)
    assert min(pin.up for pin in pins) == pytest.approx(0.12)
    assert max(pin.up for pin in pins) == pytest.approx(plane.height - 0.12)
    heights = sorted({pin.up for pin in pins})
    assert max(b - a for a, b in itertools.pairwise(heights)) <= 0.3 + 1e-9


def test_pins_end_where_the_door_stopped_them():
    answer = closed(DOOR)
    for pin in answer.pins:
        begin, end = answer.plane.out_of(pin.start), answer.plane.out_of(pin.end)
        assert (begin > 0.0) == (pin.side is Side.FRONT)
        assert end * begin >= 0.0 and abs(end) <= abs(begin) + 1e-3


def test_an_ethereal_door_passes_everywhere_and_its_touch_is_told():
    simulation = Simulation(World(demo_source(DEMO)))
    simulation.residency.load(0xA9B40000)
    open_door(simulation, DOOR)
    answer = probe(simulation, DOOR, spacing=0.3)
    assert answer.ethereal and answer.passes and not answer.blocks
    assert {pin.outcome for pin in answer.pins} == {Passage.PASSED}
    assert all(pin.touched for pin in answer.pins)
    assert answer.verdict == "door 0x7A9B4015 stops nothing across its doorway: it is ethereal"


def test_a_probe_changes_nothing():
    simulation = Simulation(World(demo_source(DEMO)))
    simulation.teleport(simulation.world.locate("0xA9B40031 [155.4 18.2 94.0]"))
    objects = simulation.registry.objects

    def state():
        body = simulation.body
        seen = {n: (o.state, o.position, [s.state for s in o.shadows.values()]) for n, o in objects.items()}
        return simulation.tick, body.position, body.cell, body.velocity, body.transient_state, seen

    before = state()
    probe(simulation, DOOR, spacing=0.5)
    assert state() == before


# --- made up ones


def house():
    """A room whose west side is open where a door stands in it, 1.9 m wide and 2.5 m high."""
    walls = [
        quad(1, (0, -2, 0), (0, -0.95, 0), (0, -0.95, 3), (0, -2, 3)),
        quad(2, (0, 0.95, 0), (0, 2, 0), (0, 2, 3), (0, 0.95, 3)),
        quad(3, (0, -0.95, 2.5), (0, 0.95, 2.5), (0, 0.95, 3), (0, -0.95, 3)),
    ]
    way_out = portal(0, EXIT_CELL, 0.0, 0, other_portal=-1, low=(-0.95, 0.0), high=(0.95, 2.5))
    return room(
        INSIDE, [flat_floor(0, 5, 0.0, y=2), *walls], (0, -2, 0), (5, 2, 3), portals=[way_out],
        frame=Frame((100.0, 100.0, 0.0)), seen_outside=True,
    )  # fmt: skip


def staged(m, state=0x10008):
    """The small house with an object in its doorway."""
    world = empty_world()
    add_model(world, m)
    block = terrain()
    inside = house()
    building(block.land_cells[0x24], inside)
    block.env_cells[INSIDE] = inside
    block.entities.append(
        placed(m.model_id, INSIDE, (100.12, 100.0, 0.0), QUARTER, object_id=DOOR, state=state)
    )
    put_block(world, block)
    return Simulation(world)


def half_a_door():
    """A door of three parts of which only the first, its upper half, has a physics tree."""
    upper = part(box_polygons((-0.95, -0.1, 1.2), (0.95, 0.1, 2.6)), 0x010044B5)
    leaf = part(box_polygons((-0.95, -0.1, 0.0), (0.95, 0.1, 1.2)), 0x010044B6, physics=False)
    return model(0x020019FF, parts=[upper, leaf, leaf])


def test_a_door_whose_first_part_alone_is_solid_shows_its_gap():
    answer = probe(staged(half_a_door()), DOOR)
    assert not answer.blocks and not answer.passes
    spheres = [pin for pin in answer.pins if pin.probe is Probe.SPHERE and pin.outcome is not Passage.NO_ROOM]
    for pin in spheres:
        if pin.up < 1.05:
            assert pin.outcome is Passage.PASSED
        elif pin.up > 1.25:
            assert pin.outcome is Passage.STOPPED and (pin.hit.owner, pin.hit.part) == (DOOR, 0)
    assert any(pin.up < 1.05 for pin in spheres) and any(pin.up > 1.25 for pin in spheres)
    assert {pin.outcome for pin in answer.pins if pin.probe is Probe.MOVER} == {Passage.STOPPED}
    assert answer.verdict.startswith("door 0x7A9B4015 has gaps across its doorway: the sphere passes ") or (
        answer.verdict.startswith("object 0x7A9B4015 has gaps across its doorway: the sphere passes ")
    )
    rows = [line for line in answer.words if line.endswith("|")]
    assert any(set(row.split("|")[1]) == {"0"} for row in rows)
    assert any(set(row.split("|")[1]) == {"."} for row in rows)


def test_the_whole_door_in_that_house_has_no_gap():
    answer = probe(staged(door_model(0)), DOOR)
    assert {pin.outcome for pin in answer.pins if pin.up < 2.4} == {Passage.STOPPED}


def test_an_object_without_an_opening_is_probed_across_itself():
    world = empty_world()
    put_block(world, block_of_cells(room(polygons=[floor(-20, 20, 0.0)])))
    simulation = Simulation(world)
    barrel = PhysicsObject(DOOR, cylinder_model(0.4, 1.5), Position(ROOM, Frame((0.0, 2.0, 0.0))), state=0x8)
    simulation.registry.register(barrel)
    answer = probe(simulation, DOOR)
    assert answer.plane.portal is None
    assert (answer.plane.width, answer.plane.height) == pytest.approx((0.8, 1.5))
    assert {pin.mark(DOOR) for pin in answer.pins} == {"o"}
    assert answer.verdict == "object 0x7A9B4015 blocks across its own width and height, from both sides"


def test_what_stands_behind_is_not_taken_for_the_object():
    world = empty_world()
    put_block(world, block_of_cells(room(polygons=[floor(-20, 20, 0.0)])))
    simulation = Simulation(world)
    here = Position(ROOM, Frame((0.0, 2.0, 0.0)))
    simulation.registry.register(PhysicsObject(DOOR, cylinder_model(0.4, 1.5), here, state=0xC))
    wider = PhysicsObject(DOOR + 1, cylinder_model(0.3, 1.5), here, state=0x8)
    simulation.registry.register(wider)
    answer = probe(simulation, DOOR)
    assert answer.passes and not answer.blocks
    assert {pin.mark(DOOR) for pin in answer.pins if pin.probe is Probe.MOVER} == {"#"}
    assert all(pin.hit.owner == DOOR + 1 for pin in answer.pins if pin.outcome is Passage.STOPPED)


def test_an_object_that_nothing_of_collides_is_refused():
    world = empty_world()
    put_block(world, block_of_cells(room()))
    simulation = Simulation(world)
    ghost = model(0x02000030, parts=[part(box_polygons((0, 0, 0), (1, 1, 1)), physics=False)])
    simulation.registry.register(
        PhysicsObject(DOOR, ghost, Position(ROOM, Frame((0.0, 2.0, 0.0))), state=0x8)
    )
    with pytest.raises(ValueError, match="object 0x7A9B4015 has no shape that collides"):
        probe(simulation, DOOR)
    with pytest.raises(ValueError, match="there is no entity 0x00000001 in this world"):
        probe(simulation, 1)


@pytest.mark.parametrize(
    ("radius", "height"), [(300.0, 900.0), (0.4, 1e6), (1e6, 0.5)], ids=["wide", "high", "deep"]
)
def test_an_object_of_more_sweeps_than_end_is_refused_before_the_first(radius, height):
    world = empty_world()
    put_block(world, block_of_cells(room(polygons=[floor(-20, 20, 0.0)])))
    simulation = Simulation(world)
    here = Position(ROOM, Frame((0.0, 2.0, 0.0)))
    simulation.registry.register(PhysicsObject(DOOR, cylinder_model(radius, height), here, state=0x8))
    with pytest.raises(ValueError, match=r"object 0x7A9B4015 is .* too many; a wider spacing takes fewer"):
        probe(simulation, DOOR, spacing=5.0 if height < 1.0 else SPACING)


def test_an_object_among_more_shapes_than_a_probe_gets_through_is_refused():
    world = empty_world()
    put_block(world, block_of_cells(room(polygons=[floor(-20, 20, 0.0)])))
    simulation = Simulation(world)
    here = Position(ROOM, Frame((0.0, 2.0, 0.0)))
    barrel = cylinder_model(0.4, 1.5)
    for number in range(3000):
        simulation.registry.register(PhysicsObject(DOOR + number, barrel, here, state=0x8))
    with pytest.raises(ValueError, match=r"among 3000 shapes: sweeps every 0.05 m"):
        probe(simulation, DOOR, spacing=0.05)


def test_the_answer_is_json():
    document = json.loads(json.dumps(closed(DOOR).to_json()))
    assert document["entity"] == "0x7A9B4015" and document["blocks"] is True
    assert document["plane"]["portal"] == ["0xA9B40170", document["plane"]["portal"][1]]
    assert document["pins"][0]["hit"]["entity"] == "0x7A9B4015"
    assert int(document["state"], 16) & ETHEREAL == 0


@pytest.mark.parametrize(
    ("low", "high", "spacing", "expected"),
    [(0.0, 1.0, 0.5, [0.0, 0.5, 1.0]), (0.0, 1.0, 0.4, [0.0, 1 / 3, 2 / 3, 1.0]), (0.2, -0.2, 0.1, [0.0])],
)
def test_a_spread_has_both_ends(low, high, spacing, expected):
    assert spread(low, high, spacing) == pytest.approx(expected)


def test_a_plane_looks_out_of_the_cell_that_the_door_closes():
    simulation = staged(door_model(0))
    plane = probe_plane(simulation.world, simulation.registry.get(DOOR))
    assert plane.back == INSIDE and plane.front & 0xFFFF < 0x100
    assert plane.out == pytest.approx((-1.0, 0.0, 0.0), abs=1e-6)
