"""The command that a walk puts on the clipboard draws the walk's picture, byte for byte (views 8.2 no. 2)."""

from __future__ import annotations

import json
import shlex
from argparse import Namespace
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from engine.dat.hex_id import hex_id
from engine.physics.enums import TICK
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.simulation import Simulation
from engine.world.loading.streaming import Streamer
from tests.viewer.demo_places import standing
from viewer.asking.saved_scene import SavedScene
from viewer.commands.groundwork.worlds import DATS_VARIABLE, open_world, world_words
from viewer.commands.walk import settings_over
from viewer.main import main
from viewer.picture.day_clock import DayClock
from viewer.picture.offscreen import OffscreenRenderer
from viewer.picture.split_view import pane_size
from viewer.picture.standing_states import StandingStates
from viewer.picture.still import Still
from viewer.places import put
from viewer.tables.arguments import parse
from viewer.tables.option_values import EntityState
from viewer.window.sharing.copied_command import left_out, render_command, told_of_command
from viewer.window.walking.scene_drawer import SceneDrawer
from viewer.window.walking.walk import STANDING, Walk

STREET = "0xA9B40029 [132 20 94] 1 0 0 0"
MAIN_ROOM = "0xA9B40171 [155.4 12.6 94] 1 0 0 0"
FRONT_DOOR, THING = 0x7A9B4015, 0x01000A10
SIZE = (320, 180)


def options(*words: str) -> Namespace:
    args = parse(["walk", *words])[1]
    settings_over(args)
    return args


def draw(screen: OffscreenRenderer, walk: Walk, path: Path) -> None:
    """The walk's picture as its window has it, without the panels."""
    drawer = SceneDrawer(screen.renderer, walk)
    seen = drawer.seen(walk.look_out(pane_size(SIZE, split="split" in walk.modes), 0.0))
    screen.picture(Still(seen, drawer.beside(seen.options) if seen.options.split else None), path)


def drawn_walk(walk: Walk, path: Path) -> None:
    """The same of a walk that is drawn but once."""
    with OffscreenRenderer(walk.simulation, SIZE) as screen:
        draw(screen, walk, path)


def begun(args: Namespace, simulation: Simulation) -> Walk:
    clock = DayClock.of_world(simulation.world, args.time, args.day_group)
    walk = Walk(simulation, third_person=args.view == "third", clock=clock)
    walk.distances = {"radius": args.radius, "objects": args.objects}
    walk.world_words = world_words(args)
    return walk


def again(walk: Walk, tmp_path: Path) -> Path:
    """What the walk's command draws."""
    return drawn_by(render_command(walk, SIZE), tmp_path)


def drawn_by(command: str, tmp_path: Path) -> Path:
    words = shlex.split(command)
    assert words[0] == "holtwalk"
    words[words.index("--out") + 1] = str(tmp_path / "again.png")
    assert main(words[1:]) == 0
    return tmp_path / "again.png"


class Album:
    """Pictures of a walk, drawn by one renderer as a window does, and the command of each.

    The commands are run afterwards: each has an OpenGL context of its own, of which one is current.
    """

    def __init__(self, tmp_path: Path) -> None:
        self.folder = tmp_path
        self.kept: list[tuple[str, Path]] = []

    def add(self, screen: OffscreenRenderer, walk: Walk) -> None:
        path = self.folder / f"{len(self.kept)}.png"
        draw(screen, walk, path)
        self.kept.append((render_command(walk, SIZE), path))

    def is_drawn_again(self) -> None:
        """Every command draws its picture, byte for byte."""
        for command, wanted in self.kept:
            found = drawn_by(command, self.folder)
            off = np.abs(colors(found) - colors(wanted)).max()
            assert found.read_bytes() == wanted.read_bytes(), f"{off}: {command}"


def colors(path: Path) -> np.ndarray:
    return np.asarray(Image.open(path).convert("RGB"), int)


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


RUN = MovementInput(forward=1)


@pytest.mark.gl
@pytest.mark.parametrize("view", ["first", "third"])
@pytest.mark.parametrize("share", [0.0, 0.37, 0.8])
def test_between_two_ticks_of_a_run_through_a_doorway_it_draws_what_stands_there(
    tmp_path: Path, view: str, share: float
) -> None:
    simulation = Simulation(open_world(options("--demo")))
    put(simulation, MAIN_ROOM)
    simulation.use(FRONT_DOOR)
    simulation.wait(3.0)
    walk = begun(options("--demo", "--view", view, "--radius", "1", "--objects", "1"), simulation)
    walk.advance(share * TICK, RUN)
    cells = {simulation.position.cell_id}
    while len(cells) < 2:  # into the doorway: this tick began in the room
        walk.advance(TICK, RUN)
        cells.add(simulation.position.cell_id)
    walk.camera.settle()
    assert walk.pace.share == pytest.approx(share, abs=1e-6)
    album = Album(tmp_path)
    with OffscreenRenderer(simulation, SIZE) as screen:
        album.add(screen, walk)
        assert walk.line is not None and walk.seen is not None
        assert share or walk.seen.drawn_cell != walk.seen.body_cell
        walk.look_out(SIZE, 0.0)
        walk.toggle_flight()
        walk.turn(-150.0, -25.0)
        walk.rise = 1
        walk.advance(0.25, STANDING)
        walk.camera.settle()
        album.add(screen, walk)
    album.is_drawn_again()


# -- doors in every phase ----------------------------------------------------------------------------

DOORWAY = "0xA9B40170 [155.4 15.9 94] 0 0 0 1"
CLIP_TICKS = 45


def door_walk(view: str, *before: float) -> Walk:
    """In the front door's leaf: used, waited for, used again, and so on; then another frame of two ticks."""
    args = options("--demo", "--view", view, "--radius", "1", "--objects", "1")
    simulation = Simulation(open_world(args))
    put(simulation, MAIN_ROOM)
    simulation.use(FRONT_DOOR)
    simulation.teleport(simulation.world.locate(DOORWAY))
    for seconds in before:
        simulation.wait(seconds)
        simulation.use(FRONT_DOOR)
    walk = begun(args, simulation)
    walk.turn(160.0, -20.0)
    walk.camera.settle()
    return walk


def states_of(command: str) -> list[EntityState]:
    args = parse(shlex.split(command)[1:])[1]
    return list(args.state or ())


@pytest.mark.parametrize("before", [(), (3.0,)], ids=["opening", "closing and held"])
@pytest.mark.parametrize("share", [0.0, 0.37, 0.999])
def test_the_command_says_every_pose_and_state_of_a_doors_clip(
    before: tuple[float, ...], share: float
) -> None:
    walk = door_walk("first", *before)
    again = Simulation(walk.simulation.world)
    door = walk.simulation.doors[FRONT_DOOR]
    phases, poses = set(), []
    for _ in range(CLIP_TICKS + 40):
        walk.look_out(SIZE, 0.0)
        (said,) = [s for s in states_of(render_command(walk, SIZE)) if s.entity == FRONT_DOOR]
        StandingStates([said], ()).finish(again)
        other = again.doors[FRONT_DOOR]
        assert [repr(f) for f in other.pose(again.time)] == [repr(f) for f in door.pose(walk.drawn_time)]
        assert (other.target.state, other.phase) == (door.target.state, door.phase)
        phases.add(door.phase.value)
        poses.append(repr(door.pose(walk.drawn_time)))
        walk.advance(TICK if len(poses) > 1 else TICK * (1.0 + share), STANDING)
        assert walk.pace.share == pytest.approx(share)
    assert len(set(poses)) >= CLIP_TICKS - 2
    assert phases == ({"closing", "held"} if before else {"opening", "open"})


@pytest.mark.gl
@pytest.mark.parametrize("view", ["first", "third"])
@pytest.mark.parametrize(
    ("before", "ticks"),
    [((), (0, 1, 11, 30, 44, 60)), ((3.0,), (0, 17, 44, 46, 70))],
    ids=["opening", "closing and held"],
)
def test_in_a_doorway_the_picture_is_the_same_whatever_the_door_does(
    *, tmp_path: Path, capsys: pytest.CaptureFixture[str], view: str, before: tuple[float, ...],
    ticks: tuple[int, ...],
) -> None:  # fmt: skip
    walk = door_walk(view, *before)
    walk.advance(0.4 * TICK, STANDING)
    album = Album(tmp_path)
    with OffscreenRenderer(walk.simulation, SIZE) as screen:
        for last, tick in pairwise((0, *ticks)):
            for _ in range(tick - last):
                walk.advance(TICK, STANDING)
            walk.camera.settle()
            album.add(screen, walk)
    album.is_drawn_again()
    assert capsys.readouterr().err == ""


@pytest.mark.gl
@pytest.mark.parametrize("forced", [False, True])
def test_a_body_in_the_air_or_in_a_door_that_was_made_solid_is_drawn_where_it_is(
    tmp_path: Path, *, forced: bool
) -> None:
    walk = door_walk("third", 3.0)
    if forced:
        walk.set_ethereal(FRONT_DOOR, ethereal=False)
    else:
        walk.simulation.jump(1.0)
    for _ in range(8):
        walk.advance(TICK, STANDING)
    walk.camera.settle()
    assert walk.simulation.body.on_ground is forced
    walk.toggle_pause()
    drawn_walk(walk, tmp_path / "walk.png")
    assert again(walk, tmp_path).read_bytes() == (tmp_path / "walk.png").read_bytes()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--state", "7A9BFFF6=8"), "--state: there is no entity 0x7A9BFFF6 in this world"),
        (("--select", "1234"), "--select: there is no cell 0xA9B41234 in this world"),
        (("--select", "0x01000001"), "--select: 0x01000001 is not loaded around --at"),
        (("--use", "7A9BFFF6"), "--use: there is no entity 0x7A9BFFF6 in this world"),
        (("--state", "7A9B4015"), "ID=0x"),
        (("--state", "7A9B4015=8,ajar,1"), "ID=0x"),
        (("--state", "7A9B4015=8,open,inf"), "ID=0x"),
        (("--state", "7A9B4015=8,open"), "ID=0x"),
    ],
)
def test_a_state_or_a_cell_that_can_not_be_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], complaint: str
) -> None:
    out = ("--out", str(tmp_path / "p.png"), "--size", "32x32")
    assert main(["render", "--demo", "--at", MAIN_ROOM, *words, *out]) == 2
    err = capsys.readouterr().err
    assert complaint in err
    assert err.count("\n") == 1


@pytest.mark.gl
def test_the_scale_of_words_is_the_walks_and_told_where_the_command_has_none(walk: Walk) -> None:
    walk.text_scale = 2.0
    assert left_out(walk) == ""
    walk.toggle_mode("state")
    assert left_out(walk) == "without the size of its words"
    with OffscreenRenderer(walk.simulation, SIZE) as screen:
        drawer = SceneDrawer(screen.renderer, walk)
        assert drawer.seen(walk.look_out(SIZE, 0.0)).options.text_scale == 2.0
