"""A place that is asked for and not got is told, one that is far off is refused (promises 10)."""

import math

import pytest

from engine.physics.objects.shadow_object import PhysicsObject
from engine.physics.simulation.arrival import SimulationError
from engine.physics.simulation.asked_place import StrayPlaceError, go_to, look_from
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.mover import MoverSettings
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.static_comparison import StaticComparison
from engine.world.frame import Frame, Position, get_offset
from engine.world.loading.world import World
from engine.world.location import format_location
from engine.world.sources.open_source import open_source
from tests.physics.models import cylinder_model, sphere_model
from tests.physics.rooms import ROOM, quad
from tests.physics.stage import staged_room
from tests.places import DEMO

STREET = "0xA9B40029 [132 20 94] 1 0 0 0"


@pytest.fixture
def demo():
    return World(open_source(demo=DEMO))


@pytest.fixture
def walker(demo):
    simulation = Simulation(demo)
    simulation.spawn(demo.locate(STREET))
    return simulation


def go(simulation, place, *, anywhere=False):
    return go_to(simulation, simulation.world.locate(place), anywhere=anywhere)


@pytest.mark.parametrize(
    "place", [STREET, "0xA9B40170 [155.0 15.2 94.0]", "0xA9B40000 [132 20 94]", "42.1N 33.6E"]
)
def test_who_gets_the_place_is_told_nothing(walker, place):
    arrival = go(walker, place)
    assert (arrival.words, arrival.reason) == ("", "")
    assert arrival.to_json()["reason"] is None
    assert format_location(arrival.got) == format_location(walker.position)


def test_on_a_slope_one_stands_higher_and_has_got_the_place():
    slope = quad(0, (-20, -20, -16), (20, -20, 16), (20, 20, 16), (-20, 20, -16))
    world, _ = staged_room(polygons=[slope])
    arrival = go_to(Simulation(world), Position(ROOM, Frame((1.0, 0.0, 0.85))))
    assert arrival.moved_by > 0.05
    assert arrival.words == ""
    assert (
        "the floor of cell 0xA9B40100 is there"
        in go_to(Simulation(world), Position(ROOM, Frame((1.0, 0.0, 0.6)))).words
    )
    assert (
        "moved 0.66 m: that is where the ground is"
        in go_to(Simulation(world), Position(ROOM, Frame((1.0, 0.0, 1.6)))).words
    )


@pytest.mark.parametrize(
    ("place", "cell", "words"),
    [
        ("0xA9B40170 [155.4 15.9 94]", 0xA9B40170, "moved 0.44 m: door 0x7A9B4015 stands there; in cell"),
        ("0xA9B40177 [155.4 12.6 94]", 0xA9B40171, ": in cell 0xA9B40171, not 0xA9B40177: the place lies"),
        (
            "0xA9B4016E [151.221863 30.21442 95.019997]", 0xA9B40157,
            "moved 1.42 m: a wall of cell 0xA9B4016E is there; in cell 0xA9B40157, not 0xA9B4016E",
        ),
        ("0xA9B40029 [132 20 94.9]", 0xA9B40029, "moved 0.90 m: that is where the ground is; in cell"),
        ("0xA9B40029 [132 20 93]", 0xA9B40029, "moved 1.00 m: that is where the ground is; in cell"),
    ],
)  # fmt: skip
def test_who_does_not_get_it_is_told_how_far_where_and_why(walker, place, cell, words):
    arrival = go(walker, place)
    assert words in arrival.words
    assert arrival.got.cell_id == cell
    assert format_location(arrival.got) == format_location(walker.position)
    assert arrival.moved_by == pytest.approx(math.hypot(*get_offset(arrival.asked, arrival.got)))


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("0xA9B40170 [10 10 94]", "this place lies 144.5 m off cell 0xA9B40170, in 0xA9B40001"),
        ("0xA9B40170 [155 15.2 9400]", "this place lies 9303.5 m off cell 0xA9B40170, in 0xA9B40031"),
        ("0xA9B40170 [155 -15 94]", "this place lies in cell 0xA9B30038 of another landblock"),
        ("0xA9B40001 [200 12 94]", "this place lies in cell 0xAAB40001 of another landblock"),
        ("0xA9B40029 [132 20 80]", "the body would be moved 14.0 m to 0xA9B40029"),
    ],
)
def test_a_stray_place_is_refused_unless_anywhere_will_do(walker, place, reason):
    before = walker.position
    with pytest.raises(StrayPlaceError) as refused:
        go(walker, place)
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)
    assert walker.position is before
    if "moved" not in reason:
        with pytest.raises(StrayPlaceError):
            look_from(walker, walker.world.locate(place))
        assert walker.position is before
    arrival = go(walker, place, anywhere=True)
    assert format_location(arrival.got) == format_location(walker.position)


def test_a_place_without_room_is_no_stray_and_the_body_stays(walker):
    before = walker.position
    with pytest.raises(SimulationError, match="no room") as refused:
        go(walker, "0xA9B40170 [155 15.2 93.5]")
    assert not isinstance(refused.value, StrayPlaceError)
    assert walker.position is before


def test_where_a_body_is_it_can_be_put_again_in_silence(walker):
    """Along a walk through the cottage: what is copied is what one gets."""
    go(walker, "0xA9B40170 [155.4 13.5 94] 1 0 0 0")
    other = Simulation(walker.world)
    for _ in range(40):
        walker.walk_tick((0.0, -0.1, 0.0))
        assert go_to(other, walker.position).words == ""
        assert math.hypot(*get_offset(walker.position, other.position)) < 0.001


@pytest.mark.parametrize("model", [cylinder_model(0.5, 2.0), sphere_model(0.5, 0.5)])
@pytest.mark.parametrize("name", ["", "a post"])
def test_what_stands_there_has_its_name(model, name):
    post = PhysicsObject(7, model, Position(ROOM, Frame((0.0, 2.0, 0.0))), state=0x8, name=name)
    world, registry = staged_room(post)
    simulation = Simulation(world, MoverSettings())
    simulation.registry.objects.update(registry.objects)
    arrival = go_to(simulation, Position(ROOM, Frame((0.0, 2.0, 0.0))))
    assert arrival.reason == f"object 0x00000007{' (a post)' if name else ''} stands there"


def test_a_cells_id_alone_is_its_middle_on_its_floor(demo, walker):
    """In every room and landcell of the demo where there is room for a body at all."""
    got = 0
    for block_id in (0xA9B40000, 0x01070000):
        block = demo.load_block(block_id)
        for cell in (*block.env_cells.values(), *block.land_cells):
            place = demo.locate(f"0x{cell.id:08X}")
            assert place.cell_id == cell.id
            try:
                arrival = go_to(walker, place)
            except SimulationError as error:
                assert "no room" in str(error)
                continue
            got += not arrival.words
            assert "object 0x" in arrival.words or "wall" in arrival.words or arrival.moved_by < 1.5
    assert got > 230


def test_a_landblocks_id_is_the_middle_of_a_landcell_and_a_dungeons_first_room(demo):
    for text in ("0xA9B4", "0xA9B40000", "A9B4FFFF"):
        place = demo.locate(text)
        assert (place.cell_id, place.frame.origin) == (0xA9B40025, (108.0, 108.0, 94.0))
    assert demo.locate("0x0107").cell_id == 0x01070100
    assert demo.locate("0xA9B401FF").cell_id == 0xA9B401FF


def test_who_goes_to_a_landblock_stands_where_a_static_look_up_agrees(walker):
    for block in ("0xA9B4", "0xA9B3", "0xAAB4"):
        assert go(walker, block).words == ""
        comparison = StaticComparison(walker)
        for _ in range(3):
            walker.input_tick(MovementInput())
        assert (comparison.ticks, comparison.disagreements) == (3, 0)
