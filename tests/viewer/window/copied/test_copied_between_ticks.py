"""Between two ticks, too, and in a doorway, a copied command draws the walk's picture (views 8.2 no. 2)."""

from __future__ import annotations

import shlex
from itertools import pairwise
from pathlib import Path

import pytest

from engine.physics.enums import TICK
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.simulation import Simulation
from tests.viewer.window.copied.copied_walks import (
    CLIP_TICKS,
    FRONT_DOOR,
    MAIN_ROOM,
    SIZE,
    Album,
    again,
    begun,
    door_walk,
    drawn_walk,
    options,
)
from viewer.commands.groundwork.worlds import open_world
from viewer.main import main
from viewer.picture.offscreen import OffscreenRenderer
from viewer.picture.standing_states import StandingStates
from viewer.places import put
from viewer.tables.arguments import parse
from viewer.tables.option_values import EntityState
from viewer.window.sharing.copied_command import left_out, render_command
from viewer.window.walking.scene_drawer import SceneDrawer
from viewer.window.walking.walk import STANDING, Walk

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
        (("--pose", "3000001:90"), "no frame 90: animation 0x03000001 has frames 0 to 89"),
        (("--pose", "3000001:999999999"), "animation 0x03000001 has frames 0 to 89"),
        (("--pose", "3000100:1", "--view", "third"), "animation 0x03000100 has frame 0 alone"),
        (("--pose", "300ABCD:0"), "--pose: there is no animation 0x0300ABCD in this world"),
        (("--pose", "3FFFFFF:0", "--view", "third"), "--pose: demo, object 0x03FFFFFF: no type of object"),
        (("--pose", "2000001:0"), "--pose: demo, object 0x02000001: the id of a Setup, not of an Animation"),
        (("--pose", "3000001:-1"), "is not ANIMATION:FRAME"),
        (("--pose", "3000001:9999999999"), "is not ANIMATION:FRAME"),
        (("--state", "7A9B4015"), "ID=0x"),
        (("--state", "7A9B4015=8,ajar,1"), "ID=0x"),
        (("--state", "7A9B4015=8,open,inf"), "ID=0x"),
        (("--state", "7A9B4015=8,open"), "ID=0x"),
    ],
)
def test_a_state_a_cell_or_a_pose_that_can_not_be_is_one_line(
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
