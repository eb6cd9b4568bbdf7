"""The command that a walk puts on the clipboard draws the walk's picture, byte for byte (views 8.2 no. 2)."""

from __future__ import annotations

import json
import os
import shlex
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from engine.dat.hex_id import hex_id
from engine.physics.enums import TICK
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.simulation import Simulation
from engine.world.loading.streaming import Streamer
from tests.files.handed_on import hand_on
from tests.needed import posix
from tests.viewer.demo_places import standing
from tests.viewer.window.copied.copied_walks import (
    FRONT_DOOR,
    MAIN_ROOM,
    SIZE,
    STREET,
    THING,
    Album,
    again,
    begun,
    colors,
    door_walk,
    draw,
    drawn_walk,
    options,
)
from viewer.asking.saved_scene import SavedScene
from viewer.commands.groundwork.worlds import DATS_VARIABLE, open_world
from viewer.main import main
from viewer.picture.offscreen import OffscreenRenderer
from viewer.places import put
from viewer.tables.arguments import parse
from viewer.window.sharing.copied_command import left_out, render_command, told_of_command
from viewer.window.walking.walk import STANDING, Walk


@pytest.mark.gl
@pytest.mark.parametrize("view", ["first", "third"])
def test_outdoors_with_a_scene_of_ones_own_clouds_and_other_distances(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, view: str
) -> None:
    scene = tmp_path / "scene.json"
    thing = {"gfxobj": f"0x{THING:08X}", "at": "0xA9B40029 [138 25 94] 1 0 0 0"}
    scene.write_text(json.dumps({"objects": [thing]}), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    args = options("--demo", "--scene", "scene.json", "--radius", "4", "--objects", "4", "--view", view)
    world = open_world(args)
    with closing(Streamer(world, args.objects, args.radius)) as streamer:
        simulation = Simulation(world, residency=streamer)
        put(simulation, STREET)
        streamer.start()
        walk = begun(args, simulation)
        walk.clock.change_rate()
        walk.turn(58.3, 2.21)
        for name, landblocks in (("radius", 2), ("objects", 1)):
            walk.set_distance(name, landblocks)
        while streamer.busy or walk.simulation.tick < 20:
            walk.advance(TICK, STANDING)
        walk.camera.settle()
        drawn_walk(walk, tmp_path / "walk.png")
        command = render_command(walk, SIZE)
        monkeypatch.chdir("/")
        monkeypatch.setenv(DATS_VARIABLE, str(tmp_path))
        assert again(walk, tmp_path).read_bytes() == (tmp_path / "walk.png").read_bytes()
        for option, value in (("--scene", str(scene)), ("--radius", "2"), ("--objects", "1")):
            words = shlex.split(command)
            assert words[words.index(option) + 1] == value
        # None of them is said in vain.
        for option in ("--scene", "--clouds", "--radius", "--objects"):
            words = shlex.split(command)
            del words[words.index(option) : words.index(option) + 2]
            words[words.index("--out") + 1] = str(tmp_path / "other.png")
            assert main(words[1:]) == 0
            assert (tmp_path / "other.png").read_bytes() != (tmp_path / "walk.png").read_bytes(), option


@pytest.mark.gl
@pytest.mark.parametrize("view", ["first", "third"])
def test_indoors_with_an_open_door_standing_and_flying(tmp_path: Path, view: str) -> None:
    args = options("--demo", "--view", view, "--mode", "state,cell-ids,pyramids")
    simulation = Simulation(open_world(args))
    put(simulation, MAIN_ROOM)
    simulation.use(FRONT_DOOR)
    simulation.wait(3.0)
    walk = begun(args, simulation)
    walk.modes = args.mode
    walk.turn(25.0, -12.5)
    for _ in range(3):
        walk.advance(TICK, STANDING)
    walk.camera.settle()
    walk.look_out(SIZE, 0.0)
    album = Album(tmp_path)
    with OffscreenRenderer(simulation, SIZE) as screen:
        album.add(screen, walk)
        if walk.camera.third_person:
            walk.camera.offset = (
                -0.3,
                0.05,
            )  # on its way out of the head: the nearer, the fainter the figure
            album.add(screen, walk)
        walk.toggle_flight()
        walk.turn(-160.0, -5.0)
        walk.rise = 1
        walk.advance(0.25, STANDING)
        walk.rise = 0
        walk.camera.settle()
        album.add(screen, walk)
    album.is_drawn_again()


@pytest.mark.gl
@pytest.mark.parametrize("modes", ["state,first=2", "split,solo=0170", "split,state,first=1,bounds"])
def test_with_fewer_cells_it_counts_the_same_and_shows_the_same_from_behind(
    tmp_path: Path, modes: str
) -> None:
    args = options("--demo", "--mode", modes)
    simulation = Simulation(open_world(args))
    put(simulation, MAIN_ROOM)
    walk = begun(args, simulation)
    walk.modes = args.mode
    walk.advance(TICK, STANDING)
    drawn_walk(walk, tmp_path / "walk.png")
    assert walk.seen is not None and len(walk.seen.cells) > 2
    assert again(walk, tmp_path).read_bytes() == (tmp_path / "walk.png").read_bytes()


def test_it_says_where_a_picture_tells_of_a_tick_that_no_command_repeats() -> None:
    walk = door_walk("first")
    for modes, said in ((("bounds", "split"), ""), (("body",), "without what the last tick did")):
        walk.modes = modes
        assert left_out(walk) == said


def test_it_says_what_was_asked_and_is_drawn_over_the_picture() -> None:
    walk = door_walk("first")
    walk.look_out(SIZE, 0.0)
    assert left_out(walk) == ""
    walk.select(0xA9B40171)
    assert left_out(walk) == ""
    walk.light_up(0xA9B40171)
    assert left_out(walk) == "without the outline of the cell that a list lights up"
    walk.light_up(0)
    walk.questions.ask_why(0xA9B40171)
    walk.look_out(SIZE, 0.0)
    assert left_out(walk) == "without the openings of Why"
    walk.questions.probe(FRONT_DOOR)
    assert left_out(walk) == "without the openings of Why and the probe's pins"
    walk.let_go()
    assert left_out(walk) == ""


@pytest.mark.gl
def test_the_outline_of_the_selected_cell_is_drawn_again_in_both_halves(tmp_path: Path) -> None:
    args = options("--demo", "--radius", "1", "--objects", "1")
    simulation = Simulation(open_world(args))
    put(simulation, MAIN_ROOM)
    walk = begun(args, simulation)
    walk.modes = ("split",)
    with OffscreenRenderer(simulation, SIZE) as screen:
        draw(screen, walk, tmp_path / "bare.png")
        walk.select(0xA9B40170)
        draw(screen, walk, tmp_path / "walk.png")
    assert again(walk, tmp_path).read_bytes() == (tmp_path / "walk.png").read_bytes()
    changed = (colors(tmp_path / "walk.png") != colors(tmp_path / "bare.png")).any(axis=(0, 2))
    assert all(half.any() for half in np.split(changed, 2))


def test_it_says_which_door_was_put_down_by_hand_and_what_holds_it() -> None:
    walk = door_walk("first")
    walk.questions.place_door()
    (door,) = walk.questions.doors.placed
    assert hex_id(door) in left_out(walk) and "--scene" in left_out(walk)
    walk.questions.remove_door(door)
    assert left_out(walk) == ""


def test_after_its_scene_was_saved_the_command_brings_a_door_that_was_put_down_by_hand(
    tmp_path: Path,
) -> None:
    walk = door_walk("first")
    questions = walk.questions
    questions.place_door()
    (door,) = questions.doors.placed
    questions.doors.save_scene(tmp_path)
    (saved,) = tmp_path.glob("*.json")
    walk.look_out(SIZE, 0.0)

    def scene() -> str:
        args = parse(shlex.split(render_command(walk, SIZE))[1:])[1]
        return args.scene or ""

    assert (scene(), left_out(walk)) == (str(saved), "")
    walk.use(door)
    walk.advance(TICK, STANDING)
    assert (scene(), left_out(walk)) == (str(saved), "")  # what it does is said by --state
    questions.place_door()
    assert scene() == "" and "--scene" in left_out(walk)  # there is one more than was saved
    other = tmp_path / "other"
    other.mkdir()
    questions.doors.save_scene(other)
    assert scene().startswith(str(other))
    questions.remove_door(questions.doors.placed[-1])
    assert scene() == "" and "--scene" in left_out(walk)  # there is one less
    questions.doors.save_scene(tmp_path)
    saved.unlink()
    (saved,) = tmp_path.glob("*.json")
    assert scene() == str(saved)
    questions.remove_door(door)
    assert (scene(), left_out(walk)) == ("", "")
    questions.place_door()
    saved.unlink()
    assert scene() == "" and "--scene" in left_out(walk)


def test_a_door_that_was_saved_open_and_is_shut_by_now_is_said_to_be() -> None:
    """What differs from the scene that the command opens is told, not what differs from the walk's world."""
    walk = door_walk("first")
    walk.set_ethereal(FRONT_DOOR, ethereal=True)
    walk.questions.place_door()
    doors = walk.questions.doors
    with TemporaryDirectory() as folder:
        doors.save_scene(Path(folder))
        walk.look_out(SIZE, 0.0)

        def told() -> dict[int, int]:
            args = parse(shlex.split(render_command(walk, SIZE))[1:])[1]
            return {state.entity: state.state for state in args.state or ()}

        assert told() == {}
        walk.set_ethereal(FRONT_DOOR, ethereal=False)
        assert told() == {FRONT_DOOR: 0x10008}
    assert told() == {}  # without the file it is as its own world has it


@pytest.mark.gl
def test_a_door_of_a_saved_scene_is_drawn_again_by_the_command(tmp_path: Path) -> None:
    walk = door_walk("first")
    walk.turn(180.0, 20.0)
    walk.camera.settle()
    walk.questions.place_door()
    walk.questions.doors.save_scene(tmp_path)
    drawn_walk(walk, tmp_path / "walk.png")
    assert again(walk, tmp_path).read_bytes() == (tmp_path / "walk.png").read_bytes()


def test_a_saved_scene_takes_the_place_of_one_that_holds_entities_alone(tmp_path: Path) -> None:
    for extra, wanted in (({}, True), ({"cell_planes": {"0xA9B40170": [[0, 0, 1, 1]]}}, False)):
        own = tmp_path / "own.json"
        thing = {"gfxobj": f"0x{THING:08X}", "entity": "0x7A000001", "at": "0xA9B40029 [138 25 94] 1 0 0 0"}
        own.write_text(json.dumps({"objects": [thing], **extra}))
        saved = SavedScene(tmp_path / "saved.json", ())
        named = ["--demo", "--scene", str(saved.path), "--no-doors"] if wanted else None
        assert saved.with_words(["--demo", "--scene", str(own), "--no-doors"]) == named
    own.write_text(json.dumps({"objects": [{k: v for k, v in thing.items() if k != "entity"}]}))
    assert saved.with_words(["--demo", "--scene", str(own)]) is None


def test_what_is_said_of_a_copied_command_tells_that_the_picture_goes_on() -> None:
    walk = door_walk("first")
    walk.look_out(SIZE, 0.0)
    key = walk.key_of("pause")
    said = "the command that draws this picture"
    assert (
        told_of_command(walk) == f"{said}; the picture goes on, its clouds too: {key} first for another to "
        "compare it with"
    )
    walk.toggle_pause()
    assert told_of_command(walk) == said


def test_it_says_that_the_red_of_what_blocked_is_not_drawn_again() -> None:
    walk = Walk(standing("0xA9B40031 [155.4 16.7 94] 0 0 0 1"))
    for _ in range(12):
        walk.advance(TICK, MovementInput(forward=1))
    walk.look_out(SIZE, 0.0)
    assert walk.watch.now is not None
    assert left_out(walk) == "without the red fill and the outlines of what blocked"


@pytest.mark.gl
@posix("pipes")
def test_a_scene_out_of_a_pipe_is_left_out_of_the_command_and_said(tmp_path: Path) -> None:
    """The command named /proc/21315/fd/pipe:[2846320], which nobody else can read."""
    closed = {"default_open": False, "locked": False, "reset_interval": 2.0}
    door = {"setup": "0x020019FF", "at": STREET, "entity": hex_id(FRONT_DOOR), "door": closed}
    into, out = os.pipe()
    os.write(out, json.dumps({"objects": [door]}).encode())
    os.close(out)
    try:
        args = options("--demo", "--scene", f"/dev/fd/{hand_on(into)}")
        simulation = Simulation(open_world(args))
        put(simulation, STREET)
        walk = begun(args, simulation)
        walk.advance(TICK, STANDING)
        drawn_walk(walk, tmp_path / "walk.png")
        words = shlex.split(render_command(walk, SIZE))
        assert (words[2:4], "--scene" in words, "--state" in words) == (
            ["--demo", "--no-doors"],
            False,
            False,
        )
        assert "what --scene brought, which was a pipe and is read once only" in left_out(walk)
        assert again(walk, tmp_path).exists()
        walk.world_words = ["--demo", "--scene", f"/proc/{os.getpid()}/fd/{into}"]
        assert "--scene" not in shlex.split(render_command(walk, SIZE))
    finally:
        os.close(into)
