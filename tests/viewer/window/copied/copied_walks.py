"""Walks whose picture is drawn, and drawn again by the command that they put on the clipboard."""

from __future__ import annotations

import shlex
from argparse import Namespace
from pathlib import Path

import numpy as np
from PIL import Image

from engine.physics.simulation.simulation import Simulation
from viewer.commands.groundwork.worlds import open_world, world_words
from viewer.commands.walk import settings_over
from viewer.main import main
from viewer.picture.day_clock import DayClock
from viewer.picture.offscreen import OffscreenRenderer
from viewer.picture.split_view import pane_size
from viewer.picture.still import Still
from viewer.places import put
from viewer.tables.arguments import parse
from viewer.window.sharing.copied_command import render_command
from viewer.window.walking.scene_drawer import SceneDrawer
from viewer.window.walking.walk import Walk

STREET = "0xA9B40029 [132 20 94] 1 0 0 0"
MAIN_ROOM = "0xA9B40171 [155.4 12.6 94] 1 0 0 0"
FRONT_DOOR, THING = 0x7A9B4015, 0x01000A10
SIZE = (320, 180)
DOORWAY = "0xA9B40170 [155.4 15.9 94] 0 0 0 1"
CLIP_TICKS = 45


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
