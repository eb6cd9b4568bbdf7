"""The command of a walk whose visible list is locked draws that list, from where one is by now."""

from pathlib import Path

import pytest

from engine.physics.enums import TICK
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.simulation import Simulation
from tests.viewer.window.copied.copied_walks import MAIN_ROOM, SIZE, Album, begun, options
from viewer.commands.groundwork.worlds import open_world
from viewer.picture.offscreen import OffscreenRenderer
from viewer.picture.split_view import pane_size
from viewer.places import put
from viewer.window.sharing.copied_command import left_out, render_command
from viewer.window.walking.walk import Walk

NEXT_ROOM = "0xA9B40170 [155.4 15.9 94] 0 0 0 1"
FAR_AWAY = "0x01070103 [70 58.5 -6] 1 0 0 0"


def locked_walk(view: str) -> Walk:
    args = options("--demo", "--view", view, "--radius", "1", "--objects", "1")
    simulation = Simulation(open_world(args))
    put(simulation, MAIN_ROOM)
    walk = begun(args, simulation)
    walk.turn(25.0, -12.5)
    walk.camera.settle()
    walk.look_out(SIZE, 0.0)
    walk.toggle_lock()
    return walk


@pytest.mark.gl
@pytest.mark.parametrize("view", ["first", "third"])
def test_the_locked_list_is_drawn_from_where_one_has_turned_and_walked_to(tmp_path: Path, view: str) -> None:
    walk = locked_walk(view)
    album = Album(tmp_path)
    with OffscreenRenderer(walk.simulation, SIZE) as screen:
        walk.turn(90.0, 5.0)
        walk.camera.settle()
        album.add(screen, walk)
        for _ in range(12):
            walk.advance(0.7 * TICK, MovementInput(forward=1))
        album.add(screen, walk)
        walk.teleport(NEXT_ROOM)
        walk.toggle_mode("split")
        walk.camera.settle()
        walk.look_out(pane_size(SIZE, split=True), 0.0)
        walk.toggle_lock()
        walk.toggle_lock()
        walk.turn(70.0, 0.0)
        walk.camera.settle()
        album.add(screen, walk)
    assert all("--lock-root" in command for command, _ in album.kept)
    album.is_drawn_again()


def test_a_list_that_the_command_could_not_draw_is_told_instead() -> None:
    walk = locked_walk("first")
    assert left_out(walk) == ""
    walk.set_setting("fov", 40.0)
    walk.look_out(SIZE, 0.0)
    assert left_out(walk) == "without the locked list, which another field of view has seen"
    assert "--lock-root" not in render_command(walk, SIZE)
    walk.set_setting("fov", 0.0)
    walk.teleport(FAR_AWAY)
    walk.look_out(SIZE, 0.0)
    assert left_out(walk) == "without the locked list, of a place far from here"
    assert "--lock-root" not in render_command(walk, SIZE)
    walk.toggle_lock()
    assert left_out(walk) == ""
