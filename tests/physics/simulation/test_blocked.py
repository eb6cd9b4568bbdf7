"""What blocks the body, in words: made from ticks, kept until it moves on, honest about a stale normal."""

from __future__ import annotations

import json

import pytest

from engine.physics.body.outcome import Contact
from engine.physics.enums import COLLIDED, REFUSED_CONTACT, HitKind, Response
from engine.physics.objects.shadow_object import PhysicsObject
from engine.physics.simulation.blocked import BlockedWatch, Held, thing_words
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.sweep import make_transition
from engine.physics.simulation.tick_report import TickReport
from engine.physics.transition.hit import Hit
from engine.physics.transition.insertion import _land
from engine.world.frame import Frame, Position
from tests.physics.models import DOOR_TABLE, add_door_motion, cylinder_model, door_model, placed
from tests.physics.rooms import ROOM, box_polygons, room
from tests.physics.scenes import flat_floor, ramp, terrain, wall
from tests.physics.stage import add_model, airborne_body, block_of_cells, empty_world, put_block, staged_room

DOOR = 0x7A9B4015


def staged(polygons, start, *things):
    """A simulation in one room, and the watch on its ticks."""
    world = empty_world()
    put_block(world, block_of_cells(room(polygons=polygons)))
    simulation = Simulation(world)
    for thing in things:
        simulation.registry.register(thing)
    simulation.spawn(Position(ROOM, Frame(start)))
    watch = BlockedWatch(simulation.registry)
    simulation.on_tick.append(watch.tick)
    return simulation, watch


def changed(report, **values):
    """A tick's report with other values in it."""
    worked_out = ("collided", "contact_plane", "contact_plane_cell", "to_json")
    names = [name for name in dir(report) if not name.startswith("_") and name not in worked_out]
    return TickReport(**{name: getattr(report, name) for name in names} | values)


def thing(m, at, state=0x8):
    return PhysicsObject(DOOR, m, Position(ROOM, Frame(at)), state=state)


def with_door():
    """A room with the three-part door of the reference in it, as a door."""
    world = empty_world()
    add_door_motion(world)
    add_model(world, door_model())
    block = block_of_cells(room(polygons=[flat_floor(-20, 20, 0.0)]))
    block.entities.append(placed(0x020019FF, object_id=DOOR, state=0x10008, motion_table=DOOR_TABLE))
    put_block(world, block)
    simulation = Simulation(world)
    simulation.spawn(Position(ROOM, Frame((0.0, 1.0, 0.005))))
    watch = BlockedWatch(simulation.registry)
    simulation.on_tick.append(watch.tick)
    return simulation, watch


def go(simulation, move, ticks=1):
    for _ in range(ticks):
        simulation.walk_tick(move)


WALLED = [flat_floor(-20, 20, 0.0), wall(2.0, 0.0, 5.0, sign=-1, polygon_id=17)]
AT_WALL = (1.45, 0.0, 0.005)


def test_a_wall_of_a_cell_is_named_with_its_polygon():
    simulation, watch = staged(WALLED, AT_WALL)
    go(simulation, (0.1, 0.0, 0.0))
    assert watch.now.what is Held.STOPPED
    assert watch.now.words == (
        "held by cell 0xA9B40100, polygon 17, just now: slid to a stop against normal (-1, 0, 0)"
    )


def test_the_time_counts_while_one_pushes_and_a_refused_push_is_called_stale():
    simulation, watch = staged(WALLED, AT_WALL)
    go(simulation, (0.1, 0.0, 0.0), 12)
    assert (watch.now.seconds, watch.now.stale) == (pytest.approx(0.4), pytest.approx(11 / 30))
    assert watch.now.words == (
        "held by cell 0xA9B40100, polygon 17, for 0.4 s: slid to a stop against normal (-1, 0, 0); "
        "still pressed against it: its sliding normal holds without meeting it again"
    )


def test_a_stale_normal_of_a_moment_is_not_worth_a_word():
    simulation, watch = staged(WALLED, AT_WALL)
    go(simulation, (0.1, 0.0, 0.0), 3)
    assert watch.now.stale == pytest.approx(2 / 30)
    assert watch.now.words.endswith("normal (-1, 0, 0)")
    go(simulation, (0.1, 0.0, 0.0))
    assert "; still pressed against it: its sliding normal holds" in watch.now.words


def test_it_is_kept_while_nothing_is_asked_and_goes_when_the_body_moves_on():
    simulation, watch = staged(WALLED, AT_WALL)
    go(simulation, (0.1, 0.0, 0.0), 3)
    go(simulation, (0.0, 0.0, 0.0), 50)
    assert watch.now.words.startswith("was held by cell 0xA9B40100, polygon 17, for 0.1 s")
    assert watch.now.seconds == pytest.approx(0.1)
    go(simulation, (-0.1, 0.0, 0.0))
    assert watch.now is None


def test_a_push_that_goes_on_after_a_pause_is_held_by_what_was_left():
    simulation, watch = staged(WALLED, AT_WALL)
    go(simulation, (0.1, 0.0, 0.0), 3)
    go(simulation, (0.0, 0.0, 0.0), 5)
    go(simulation, (0.1, 0.0, 0.0))
    assert watch.now.hit.poly == 17
    assert watch.now.seconds == watch.now.stale == pytest.approx(1 / 30)


def test_between_two_things_the_body_is_held_by_both_for_one_stretch():
    """A tick meets the wall, the next the post, while the body stands still."""
    post = thing(cylinder_model(0.3, 2.0), (1.2, 0.8, 0.0))
    simulation, watch = staged(WALLED, (1.3, 0.0, 0.005), post)
    go(simulation, (0.1, 0.1, 0.0), 20)
    told, met, before = set(), set(), watch.now.seconds
    for _ in range(20):
        go(simulation, (0.1, 0.1, 0.0))
        assert simulation.report().moved == (0.0, 0.0, 0.0)
        met.add(watch.now.hit.owner)
        told.add(watch.now.words.replace(f"{watch.now.seconds:.1f} s", "T s"))
        assert watch.now.seconds == pytest.approx(before + 1 / 30)
        before = watch.now.seconds
    assert met == watch.now.holders == {DOOR, ROOM}
    assert before > 0.6
    (words,) = told
    assert ", and by " in words and "cell 0xA9B40100, polygon 17" in words
    assert "object 0x7A9B4015, its round shape" in words and "slid to a stop against normals (" in words
    assert watch.now.to_json()["things"] == list(watch.now.things)
    go(simulation, (-0.1, -0.1, 0.0))
    go(simulation, (0.1, 0.0, 0.0), 2)
    assert watch.now.holders == {ROOM}


def test_sliding_along_a_wall_is_told_as_long_as_it_lasts():
    simulation, watch = staged(WALLED, AT_WALL)
    go(simulation, (0.1, 0.1, 0.0))
    assert (watch.now.what, watch.now.hit.poly) == (Held.SLID, 17)
    assert watch.now.words.startswith("turned aside by cell 0xA9B40100, polygon 17, just now: slid along it")


def test_a_slide_is_told_in_every_tick_of_it():
    """The tick after a blow meets nothing: it is bent by the sliding normal that the blow left."""
    simulation, watch = staged(WALLED, AT_WALL)
    seen, hits = [], []
    for _ in range(12):
        go(simulation, (0.1, 0.1, 0.0))
        seen.append(watch.now)
        hits.append(len(simulation.report().hits))
    assert 0 in hits and 1 in hits
    assert {(b.what, b.hit.poly) for b in seen} == {(Held.SLID, 17)}
    assert seen[-1].seconds == pytest.approx(0.4)


def test_a_teleport_is_moving_on():
    simulation, watch = staged(WALLED, AT_WALL)
    go(simulation, (0.1, 0.0, 0.0), 3)
    simulation.teleport(Position(ROOM, Frame((-3.0, 0.0, 0.005))))
    go(simulation, (0.0, 0.0, 0.0))
    assert watch.now is None


def test_a_door_is_named_with_part_model_and_polygon_and_told_passable():
    simulation, watch = with_door()
    go(simulation, (0.0, 0.1, 0.0), 12)
    assert watch.now.words.startswith("held by door 0x7A9B4015, part 0 (0x010044B5), polygon 2, for 0.")
    assert "slid to a stop against normal (0, -1, 0)" in watch.now.words
    simulation.use(DOOR)
    go(simulation, (0.0, 0.1, 0.0), 2)
    assert watch.now.passable
    assert watch.now.words.endswith(
        "; only a stale sliding normal holds: it lets bodies pass now, a step aside or back frees"
    )
    go(simulation, (0.0, 0.0, 0.0))
    assert (
        watch.now.words.startswith("was held by ") and "only a stale sliding normal held: " in watch.now.words
    )


@pytest.mark.parametrize(
    ("state", "why"), [(0xC, "it lets bodies pass now"), (None, "it is there no longer")]
)
def test_what_holds_no_longer_is_told_from_what_is_still_pressed_against(state, why):
    """An object that is no door, too: passable or taken away, nothing would hold a body that pushes anew."""
    box = thing(cylinder_model(0.4, 2.0), (0.0, 2.0, 0.0))
    simulation, watch = staged([flat_floor(-20, 20, 0.0)], (0.0, 1.0, 0.005), box)
    go(simulation, (0.0, 0.1, 0.0), 12)
    assert watch.now.words.endswith(
        "; still pressed against it: its sliding normal holds without meeting it again"
    )
    go(simulation, (0.0, 0.0, 0.0))
    assert watch.now.words.endswith("; pressed against it: its sliding normal held without meeting it again")
    go(simulation, (0.0, 0.1, 0.0), 5)
    if state is None:
        simulation.registry.deregister(DOOR)
    else:
        simulation.registry.update_physics_state(DOOR, state)
    go(simulation, (0.0, 0.1, 0.0))
    assert watch.now.words.endswith(f"; only a stale sliding normal holds: {why}, a step aside or back frees")


def test_a_round_object_is_named():
    round_one = thing(cylinder_model(0.4, 2.0), (0.0, 2.0, 0.0))
    simulation, watch = staged([flat_floor(-20, 20, 0.0)], (0.0, 1.0, 0.005), round_one)
    go(simulation, (0.0, 0.1, 0.0), 8)
    assert watch.now.words.startswith("held by object 0x7A9B4015, its round shape, for 0.")


def test_an_edge_holds():
    simulation, watch = staged([flat_floor(-20, 0, 5.0)], (0.15, 0.0, 5.005))
    for move in ((0.2, 0.1, 0.0), (0.2, 0.0, 0.0)):
        go(simulation, move)
        if watch.now is not None and watch.now.what is Held.EDGE:
            break
    assert watch.now.words.startswith("held at the edge of cell 0xA9B40100, polygon 0, just now: ")


def test_a_ceiling_stops_a_jump_in_the_air():
    low = box_polygons((-3.0, -3.0, 2.2), (3.0, 3.0, 2.4), 40)
    simulation, watch = staged([flat_floor(-20, 20, 0.0), *low], (0.0, 0.0, 0.005))
    simulation.jump(1.0)
    seen = []
    for _ in range(12):
        go(simulation, (0.0, 0.0, 0.0))
        seen.append(watch.now)
    found = [b for b in seen if b is not None]
    assert found and found[0].airborne and found[0].normal[2] < -0.9
    assert "polygon 44" in found[0].words


def test_landing_and_stepping_up_block_nobody():
    steps = [
        flat_floor(-20, 0, 0.0),
        wall(0.0, 0.0, 0.3, sign=-1, polygon_id=1),
        flat_floor(0, 20, 0.3, polygon_id=2),
    ]
    simulation, watch = staged(steps, (-1.0, 0.0, 0.005))
    seen = set()
    simulation.on_tick.append(lambda report: seen.add(watch.now))
    go(simulation, (0.1, 0.0, 0.0), 20)
    simulation.jump(0.5)
    go(simulation, (0.0, 0.0, 0.0), 60)
    assert simulation.report().on_ground
    assert seen == {None}


def test_a_push_into_the_ground_is_refused_by_the_contact():
    simulation, watch = staged(WALLED, (0.0, 0.0, 0.005))
    simulation.move_tick((0.0, 0.0, -0.1))
    assert (watch.now.what, watch.now.refused_by) == (Held.REFUSED, REFUSED_CONTACT)
    assert "without meeting anything: the contact plane leaves nothing to move" in watch.now.words


def test_terrain_and_shells_have_names():
    up = (0.0, 0.0, 1.0)
    assert thing_words(
        Hit(HitKind.TERRAIN, 0xA9B40031, 0xA9B40031, gfxobj=0, poly=3, normal=up, response=Response.SLID)
    ) == ("the ground of 0xA9B40031, polygon 3")
    assert thing_words(
        Hit(
            HitKind.BUILDING,
            0xA9B40031,
            0xA9B40031,
            gfxobj=0x01000A2B,
            poly=9,
            normal=up,
            response=Response.SLID,
        )
    ) == ("the building's shell 0x01000A2B in 0xA9B40031, polygon 9")


def test_too_steep_ground_blocks_as_terrain():
    world = empty_world()
    put_block(world, terrain(ramp(60)))
    simulation = Simulation(world)
    simulation.spawn(Position(0xA9B40001, Frame((23.0, 12.0, 0.005))))
    watch = BlockedWatch(simulation.registry)
    simulation.on_tick.append(watch.tick)
    go(simulation, (0.1, 0.0, 0.0), 20)
    assert watch.now.words.startswith("held by the ground of 0xA9B40009, polygon 16, for 0.4 s: too steep")
    assert watch.now.hit.normal[2] == pytest.approx(0.5)


def test_what_leaves_no_room_to_land_is_met_and_holds():
    world, _ = staged_room(thing(cylinder_model(0.4, 2.0), (0.0, 2.0, 0.0)))
    body = airborne_body(world, (0.0, 1.5, 0.005))
    t = make_transition(world, body)
    t.init_path(body.cell, body.position, body.position)
    t.sphere_path.set_check_pos(body.position, body.cell)
    t.sphere_path.save_check_pos()
    t.collision_info.contact = Contact((0.0, 0.0, 1.0), 0.0, ROOM)
    assert _land(t, 3) == COLLIDED
    assert [(h.owner, h.response) for h in t.hits] == [(DOOR, Response.NO_ROOM)]
    floor = Hit(
        HitKind.CELL, ROOM, ROOM, gfxobj=0, poly=1, normal=(0.0, 0.0, 1.0), response=Response.TRIES_TO_LAND
    )
    simulation, watch = staged(WALLED, (0.0, 0.0, 0.005))
    falling = changed(simulation.report(), requested=(0.0, 0.0, -0.1), hits=(floor, *t.hits), on_ground=False)
    watch.tick(falling)
    assert (
        watch.now.words == "held by object 0x7A9B4015, its round shape, just now: it leaves no room to land"
    )
    watch.tick(changed(falling, hits=(floor,)))
    assert watch.now.hit is floor
    watch.tick(changed(falling, hits=(floor,), on_ground=True))
    assert watch.now is None


def test_the_verdict_is_json():
    simulation, watch = with_door()
    go(simulation, (0.0, 0.1, 0.0), 12)
    document = json.loads(json.dumps(watch.now.to_json()))
    assert document["hit"]["entity"] == "0x7A9B4015"
    assert document["hit"]["part"] == 0
    assert document["words"] == watch.now.words


def test_a_tick_line_says_what_was_asked_and_why_it_was_refused():
    simulation, _ = staged(WALLED, AT_WALL)
    go(simulation, (0.1, 0.0, 0.0), 2)
    line = simulation.report().to_json()
    assert line["requested"][0] == pytest.approx(0.1)
    assert line["moved"] == [0.0, 0.0, 0.0]
    assert line["sliding_normal"] == [-1.0, 0.0, 0.0]
    assert line["refused_by"] == "the sliding normal leaves nothing to move"
