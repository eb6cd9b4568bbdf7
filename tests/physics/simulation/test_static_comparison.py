"""The static look-up beside the sweep: what it would say each tick, and how often it is wrong."""

from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.static_comparison import StaticComparison
from engine.world.frame import Frame, Position
from tests.physics.rooms import floor, portal, room
from tests.physics.stage import block_of_cells, empty_world, put_block

A, B = 0xA9B40100, 0xA9B40101
GROUND = [floor(-20, 20, 0.0)]


def two_rooms(overlap=0.0):
    """A west of x = 0 and B east of it, which reaches ``overlap`` metres further west than their portal."""
    world = empty_world()
    b = room(
        B,
        GROUND,
        low=(-overlap, -20.0, -1.0),
        high=(20.0, 20.0, 5.0),
        portals=[portal(0, A, 0.0, 0)],
        stab=[A],
    )
    a = room(
        A, GROUND, low=(-20.0, -20.0, -1.0), high=(0.0, 20.0, 5.0), portals=[portal(0, B, 0.0, 1)], stab=[B]
    )
    put_block(world, block_of_cells(a, b))
    return world


def walk_back(world):
    """From A to B and back in steps of 10 cm: (simulation, comparison)."""
    simulation = Simulation(world)
    simulation.teleport(Position(A, Frame((-1.05, 0.0, 0.005))))
    comparison = StaticComparison(simulation)
    for dx in (0.1,) * 20 + (-0.1,) * 20:
        simulation.move_tick((dx, 0.0, 0.0))
    return simulation, comparison


def test_cells_that_only_touch_are_found_by_a_look_up_too():
    _, comparison = walk_back(two_rooms())
    assert (comparison.ticks, comparison.disagreements) == (40, 0)
    assert comparison.last.found == comparison.last.carried == A
    assert not comparison.last.disagrees
    assert "agrees" in comparison.last.describe()


def test_where_cells_overlap_the_sweep_keeps_its_cell_and_a_look_up_does_not():
    """On the way back B is kept until its end, half a metre after the look-up has found A again."""
    simulation, comparison = walk_back(two_rooms(0.5))
    assert comparison.disagreements == 5
    assert comparison.describe() == "a static look-up disagrees with the sweep in 5 of 40 ticks"
    assert comparison.last.to_json() == {"cell": "0xA9B40100", "disagrees": False, "disagreements": 5}
    comparison.close()
    simulation.move_tick((0.1, 0.0, 0.0))
    assert comparison.ticks == 40


def test_a_place_in_no_cell_is_said():
    simulation, comparison = walk_back(two_rooms())
    simulation.world.blocks[A & 0xFFFF0000].env_cells.clear()
    simulation.move_tick((0.0, 0.0, 0.0))
    assert comparison.last.found == 0
    assert "no cell (disagreement 1)" in comparison.last.describe()
    assert comparison.last.to_json()["cell"] is None
