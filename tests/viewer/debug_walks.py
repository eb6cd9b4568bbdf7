"""Walks through the demo, what their frames show, and pictures by the command."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from engine.physics.simulation.movement import MovementInput
from engine.visibility.picture_view import PictureView
from engine.world.debug_shapes import DebugShapes
from tests.viewer.demo_places import standing
from viewer.main import main
from viewer.picture.shape_gatherer import ShapeGatherer
from viewer.renderer.render_options import RenderOptions
from viewer.tables.modes import with_modes
from viewer.window.walking.walk import Walk

MAIN_ROOM = "0xA9B40171 [155.4 12.6 94] 1 0 0 0"
STREET = "0xA9B40031 [152 19.5 94] 1 0 0 0"
FRONT_DOOR = 0x7A9B4015
INN = "0xA9B40157 [154.1 31.1 94] 1 0 0 0"
FORWARD = MovementInput(forward=1, run=True)
SIZE = (320, 180)
VALUES = {"solo": "solo=0170", "first": "first=1", "region": "region=0170"}  # modes that take one


def walking(place: str, *, third: bool = False, door: bool = False) -> Walk:
    simulation = standing(place)
    if door:
        simulation.use(FRONT_DOOR)
        simulation.wait(2.0)
    walk = Walk(simulation, third_person=third)
    walk.look_out(SIZE, 0.0)
    return walk


def seen(walk: Walk) -> PictureView:
    assert walk.seen is not None
    return walk.seen


def shapes_of(walk: Walk, *modes: str, picture: PictureView | None = None) -> list[DebugShapes]:
    options = with_modes(RenderOptions(), modes)
    return ShapeGatherer(walk.simulation).gather(picture or seen(walk), options, walk.line)


def picture(path: Path, *words: str) -> np.ndarray:
    assert main(["render", "--demo", "--out", str(path), "--size", "320x180", *words]) == 0
    return np.asarray(Image.open(path)).astype(int)
