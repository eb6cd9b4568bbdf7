"""Doors staged from the window: bit, pose and lock each by itself, one put down, the scene saved, a probe."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine.physics.objects.door_status import door_status
from engine.physics.simulation.inputs import Input, StageDoor
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.tell import tell
from engine.replay.audit.finding import Finding
from engine.world.debug_shapes import DebugShapes
from engine.world.physics_state import ETHEREAL
from engine.world.sources.scene_file import read_scene
from tests.viewer.demo_places import standing
from viewer.asking.door_probe import PAST, THROUGH, probe_shapes
from viewer.commands.groundwork.worlds import open_world
from viewer.places import put
from viewer.report.picked import Flying, PickAnswer, PickKind
from viewer.report.picture_report import front_first, nearest_first
from viewer.report.timeline_report import tick_name
from viewer.tables.arguments import parse
from viewer.window.walking.walk import Walk

DOOR = 0x7A9B4015
BEFORE_THE_DOOR = "0xA9B40031 [155.4 18.2 94.0] 0 0 0 1"


@pytest.fixture
def walk() -> Walk:
    return Walk(standing(BEFORE_THE_DOOR))


def words(walk: Walk) -> str:
    return door_status(walk.simulation.doors[DOOR], walk.simulation.time).words


def test_the_bit_is_set_without_the_pose_and_the_pose_without_the_bit(walk: Walk) -> None:
    door = walk.simulation.doors[DOOR]
    closed = door.pose(walk.simulation.time)
    walk.questions.type_door_state(DOOR, "0x1000C")
    assert door.target.state == 0x1000C
    assert door.pose(walk.simulation.time) == closed
    assert words(walk) == "closed, passable all the same"
    walk.questions.type_door_state(DOOR, "10008")
    walk.questions.pose_door(DOOR, 1.0)
    assert door.target.state == 0x10008
    assert door.pose(walk.simulation.time) != closed
    assert words(walk) == "open, solid all the same"
    walk.questions.pose_door(DOOR, 0.5)
    half = door.pose(walk.simulation.time)
    assert half not in (closed, door.motion.open_pose)
    assert door.pose(walk.simulation.time) == door.motion.opening.pose_at(0.5 * door.motion.opening.length)


def test_a_staged_bit_reaches_every_row_of_every_cell(walk: Walk) -> None:
    walk.questions.type_door_state(DOOR, "0x1000C")
    shadows = walk.simulation.doors[DOOR].target.shadows
    assert len(shadows) >= 2
    assert all(shadow.state & ETHEREAL for shadow in shadows.values())


def test_what_is_no_state_word_changes_nothing_and_is_told(walk: Walk) -> None:
    for text in ("open", "-4", "0x123456789"):
        walk.questions.type_door_state(DOOR, text)
        assert f"'{text}' is no state word" in walk.questions.taken_notice()
    assert walk.simulation.doors[DOOR].target.state == 0x10008
    assert walk.questions.taken_notice() == ""


def test_a_locked_door_refuses_and_an_unlocked_one_opens(walk: Walk) -> None:
    walk.questions.lock_door(DOOR, locked=True)
    assert walk.use(DOOR).endswith("is locked")
    assert words(walk).endswith("locked")
    walk.questions.lock_door(DOOR, locked=False)
    assert walk.use(DOOR).startswith("used")


def test_what_was_staged_can_be_told_again(walk: Walk) -> None:
    told: list[Input] = []
    walk.simulation.on_input.append(told.append)
    walk.questions.type_door_state(DOOR, "0x1000C")
    walk.questions.pose_door(DOOR, 0.5)
    walk.questions.lock_door(DOOR, locked=True)
    assert all(isinstance(one, StageDoor) for one in told)
    other = standing(BEFORE_THE_DOOR)
    for one in told:
        tell(other, one)
    assert other.doors[DOOR].saved() == walk.simulation.doors[DOOR].saved()
    assert other.doors[DOOR].target.state == 0x1000C


def test_a_door_put_down_blocks_and_is_in_the_saved_scene(walk: Walk, tmp_path: Path) -> None:
    walk.questions.place_door()
    (entity,) = walk.questions.doors.placed
    assert walk.questions.taken_notice().startswith(f"door 0x{entity:08X} stands in")
    assert entity in walk.simulation.doors
    line = walk.questions.doors.save_scene(tmp_path)
    (saved,) = tmp_path.glob("*.json")
    assert line == f"saved {saved}; --scene reads its doors and entities"
    by_id = {item.entity_id: item for item in read_scene(saved).objects}
    assert by_id[entity].model_id == 0x020019FF
    assert by_id[DOOR].state == 0x10008
    assert walk.questions.doors.save_scene(tmp_path / "nowhere").endswith("No such file or directory")


def test_a_saved_scene_has_what_was_not_met_yet_and_what_doors_are_by_default(
    tmp_path: Path,
) -> None:
    """Read again it brings the same world: a door that was opened closes by itself, a locked one refuses."""
    far, bare, extra, nameless = 0x70107001, 0x7A9B5002, 0x7A9B5003, "0xA9B40029 [134 20 94] 1 0 0 0"
    objects = [
        {"setup": "0x020019FF", "entity": hex(far), "at": "0x01070103 [70 58.5 -6] 1 0 0 0", "name": "far"},
        {"setup": "0x020FFFFF", "entity": hex(bare), "at": "0xA9B40029 [132 20 94] 1 0 0 0"},
        {"setup": "0x020019FF", "entity": hex(extra), "at": "0xA9B40029 [130 20 94] 1 0 0 0"},
        {"setup": "0x020019FF", "state": "0x10008", "at": nameless},
        {"setup": "0x020019FF", "state": "0x10008", "at": "0x01070103 [70 55.8 -6] 1 0 0 0"},
    ]
    own = tmp_path / "own.json"
    own.write_text(json.dumps({"objects": objects}), encoding="utf-8")

    def opened(scene: Path) -> Walk:
        simulation = Simulation(open_world(parse(["walk", "--demo", "--scene", str(scene)])[1]))
        put(simulation, BEFORE_THE_DOOR)
        return Walk(simulation)

    first = opened(own)
    first.questions.lock_door(extra, locked=True)
    assert first.use(DOOR).startswith("used")
    (tmp_path / "saved").mkdir()
    first.questions.doors.save_scene(tmp_path / "saved")
    (saved,) = (tmp_path / "saved").iterdir()
    by_id = {item.entity_id: item for item in read_scene(saved).objects}
    assert len(by_id) == len(read_scene(saved).objects)
    assert by_id[far].name == "far"
    assert by_id[bare].model_id == 0x020FFFFF
    again = opened(saved)
    doors, before = again.simulation.doors, dict(first.simulation.doors)
    assert set(doors) == set(before)
    assert all(doors[n].saved().locked is before[n].locked for n in doors)
    assert all(doors[n].default_open is before[n].default_open for n in doors)
    assert again.use(extra).endswith("is locked")
    assert again.use(DOOR).startswith("used")
    again.simulation.wait(40.0)
    assert words(again) == "closed"
    assert set(again.simulation.objects.placed) == set(first.simulation.objects.placed)
    for walk in (first, again):
        walk.teleport("0x01070103 [70 57 -6] 1 0 0 0")
    assert set(again.simulation.doors) == set(first.simulation.doors) > set(before)


def test_a_door_placed_by_hand_and_saved_far_from_here_is_another_than_the_next_and_stays_away_once_removed(
    tmp_path: Path,
) -> None:
    hall = "0x01070103 [70 57 -6] 1 0 0 0"
    walk = Walk(standing(hall))
    walk.questions.place_door()
    (far,) = walk.questions.doors.placed
    walk.questions.doors.save_scene(tmp_path)
    (saved,) = tmp_path.iterdir()
    simulation = Simulation(open_world(parse(["walk", "--demo", "--scene", str(saved)])[1]))
    put(simulation, BEFORE_THE_DOOR)
    again = Walk(simulation)
    again.questions.place_door()
    (near,) = again.questions.doors.placed
    assert near != far
    again.teleport(hall)
    assert {near, far} <= set(simulation.objects.placed)
    again.questions.remove_door(far)
    again.teleport(BEFORE_THE_DOOR)
    folder = tmp_path / "without"
    folder.mkdir()
    again.questions.doors.save_scene(folder)
    (without,) = folder.iterdir()
    ids = {item.entity_id for item in read_scene(without).objects}
    assert near in ids and far not in ids
    again.teleport(hall)
    assert far not in simulation.objects.placed


FLAME = Flying(
    kind=PickKind.OBJECT, cell=0xA9B40031, owner=0x4A9B50AB, name="", building=-1, part=-1,
    emitter=0x32000101, script=0, gfxobj=0, surface=0, texture=0, image=0, distance=0.89, alpha=1.0,
    place=(155.0, 17.0, 94.5), corners=(),
)  # fmt: skip


def test_a_door_stands_where_the_picked_particle_is_and_says_so(walk: Walk) -> None:
    walk.questions.pick.picked = PickAnswer(
        pixel=(0, 0), root=0xA9B40031, facet=None, place=None, solid=None, flying=(FLAME,)
    )
    walk.questions.place_door()
    assert walk.questions.taken_notice().endswith(f", at the {FLAME.title}, 0.89 m away")
    door = walk.simulation.doors[walk.questions.doors.placed[-1]]
    assert door.target.position.frame.origin == pytest.approx(FLAME.place)
    walk.questions.pick.picked = None
    walk.questions.place_door()
    assert walk.questions.taken_notice().endswith("2.5 m before the body: nothing is picked that has a place")


def test_a_probe_has_a_pin_for_every_sweep_and_green_ones_where_it_passes(walk: Walk) -> None:
    walk.questions.probe(DOOR)
    asked = walk.report().asked
    assert asked.probe is not None and asked.probe.answer.blocks
    assert asked.probe_state == asked.probe.answer.state == 0x10008
    assert walk.questions.shown_panels() == ["Probe"]
    pins = asked.probe.answer.pins
    shapes = probe_shapes(asked.probe.answer)
    assert len(shapes.lines) == 4 + 3 * sum(pin.outcome != "no room" for pin in pins)
    assert not any(color == THROUGH for _, _, color in shapes.lines)
    in_tables = [pin for table in asked.probe.tables for row in table.rows for _, pin in row.pins]
    assert {id(pin) for pin in in_tables if pin is not None} == {id(pin) for pin in pins}
    walk.set_ethereal(DOOR, ethereal=True)
    assert walk.report().asked.probe_state != asked.probe.answer.state
    walk.questions.probe(DOOR)
    again = walk.report().asked.probe
    assert again is not None and again.answer.passes
    assert any(color == THROUGH for _, _, color in probe_shapes(again.answer).lines)
    walk.questions.probe(0x7FFFFFFF)
    assert walk.report().asked.probe_complaint == "there is no entity 0x7FFFFFFF in this world"


def drawn(walk: Walk) -> tuple[set[tuple[float, ...]], list[str]]:
    """The colours and the labels of what is drawn of the answers."""
    (shapes,) = walk.questions.shapes(walk.look_out((320, 180), 0.0))
    return {color for _, _, color in shapes.lines}, [text for _, text, _ in shapes.labels]


def test_a_probe_of_a_door_that_stands_another_way_since_is_grey_and_says_its_tick(walk: Walk) -> None:
    walk.questions.probe(DOOR)
    colors, labels = drawn(walk)
    assert PAST not in colors and labels == []
    walk.questions.pose_door(DOOR, 1.0)
    assert drawn(walk) == ({PAST}, [f"as of {tick_name(walk.simulation.tick)}"])
    assert walk.report().asked.probe_is_past
    walk.questions.pose_door(DOOR, 0.0)
    assert drawn(walk) == (colors, [])
    walk.set_ethereal(DOOR, ethereal=True)
    assert drawn(walk)[0] == {PAST}


def pins_of(walk: Walk) -> list[DebugShapes]:
    return walk.questions.shapes(walk.look_out((320, 180), 0.0))


def test_a_probe_is_not_drawn_from_far_off_by_body_or_flown_eye_and_is_told_of_on(walk: Walk) -> None:
    walk.questions.probe(DOOR)
    assert pins_of(walk) and walk.report().asked.probe_not_drawn == ""
    walk.toggle_flight()
    assert walk.flight is not None
    x, y, z = walk.flight.eye
    walk.flight.eye = (x, y + 35.0, z)
    assert pins_of(walk) == []
    asked = walk.report().asked
    assert asked.probe is not None and asked.probe_not_drawn == "not drawn from here: it is 37 m off"
    walk.flight.eye = (x, y + 10.0, z)
    assert pins_of(walk) != []
    walk.toggle_flight()
    walk.teleport("0xA9B40031 [155.4 60.0 94.0] 0 0 0 1")
    assert pins_of(walk) == []
    assert walk.report().asked.probe_not_drawn.startswith("not drawn from here: it is ")


def test_a_finding_that_is_framed_has_no_pins_over_it_until_one_probes_again(walk: Walk) -> None:
    walk.questions.probe(DOOR)
    walk.questions.go_to_finding(Finding("gap", "0xA9B40170 portal 0"))
    assert len(pins_of(walk)) == 1
    asked = walk.report().asked
    assert asked.probe is not None
    assert asked.probe_not_drawn == "not drawn from here: something else is framed"
    walk.questions.probe(DOOR)
    assert walk.report().asked.probe_not_drawn == ""
    assert len(pins_of(walk)) == 2


def test_the_key_that_switches_modes_off_lets_go_of_a_probe_a_pick_and_a_finding(walk: Walk) -> None:
    walk.questions.probe(DOOR)
    walk.questions.go_to_finding(Finding("gap", "0xA9B40170 portal 0"))
    walk.questions.probe(DOOR)
    walk.switch_mode("wireframe")
    assert len(pins_of(walk)) == 2
    walk.modes_off()
    assert pins_of(walk) == [] and walk.modes == ()
    asked = walk.report().asked
    assert asked.probe is None and asked.audit.chosen is None


ASKED = {
    "why": lambda walk: walk.questions.ask_why(0xA9B40170),
    "pick": lambda walk: walk.questions.inspect((40, 40)),
    "probe": lambda walk: walk.questions.probe(DOOR),
    "finding": lambda walk: walk.questions.go_to_finding(Finding("gap", "0xA9B40170 portal 0")),
    "selected": lambda walk: walk.select(0xA9B40170),
    "mode": lambda walk: walk.switch_mode("portals"),
}


@pytest.mark.parametrize("asked", ASKED)
def test_whatever_was_asked_or_switched_on_goes_by_one_key_which_else_says_that_there_is_nothing(
    walk: Walk, asked: str
) -> None:
    walk.look_out((80, 80), 0.0)
    assert not walk.report().is_anything_on
    walk.modes_off()
    assert walk.notice == "no mode is on, and nothing is asked or selected"
    walk.notice = ""
    ASKED[asked](walk)
    walk.questions.look(walk.look_out((80, 80), 0.0))
    assert walk.report().is_anything_on
    walk.modes_off()
    assert not walk.report().is_anything_on and walk.notice == ""
    assert walk.questions.shapes(walk.look_out((80, 80), 0.0)) == []


def test_a_door_is_told_with_its_side_and_those_ahead_come_first(walk: Walk) -> None:
    sides = []
    for heading in (180.0, 90.0, 0.0, 270.0):
        walk.simulation.face(heading)
        (door,) = [door for door in walk.report().doors if door.entity == DOOR]
        sides.append(door.side)
        assert door.where == f"{door.distance:.1f} m {door.side}"
    assert sides == ["ahead", "right", "behind", "left"]
    near, far = replace(door, bearing=170.0), replace(door, distance=9.0, bearing=-44.0)
    assert front_first([near, far]) == [far, near]
    assert front_first([replace(near, bearing=46.0), near]) == [replace(near, bearing=46.0), near]


def test_a_list_of_doors_begins_with_what_holds_the_body_and_then_the_nearest(walk: Walk) -> None:
    (door,) = [door for door in walk.report().doors if door.entity == DOOR]
    beside = replace(door, entity=1, distance=0.73, bearing=90.0)
    ahead = replace(door, entity=2, distance=0.74, bearing=0.0)
    far = replace(door, entity=3, distance=13.9, bearing=0.0)
    assert nearest_first([beside, ahead, far]) == [ahead, beside, far]  # as near, as it is told
    assert nearest_first([replace(beside, distance=0.6), ahead])[0].entity == 1
    assert nearest_first([beside, ahead, far], {3, 0xA9B40170}) == [far, ahead, beside]


def test_a_report_names_the_door_that_holds_the_body(walk: Walk) -> None:
    assert DOOR not in walk.report().holders
    for _ in range(60):
        walk.advance(1 / 30, MovementInput(forward=1))
    assert walk.watch.now is not None and DOOR in walk.report().holders
