"""Passes 3.4: the landscape of an interior frame begins at the exits; what is nearer is left out."""

from __future__ import annotations

import numpy as np
import pytest

from engine.dat.records.land_block import LandBlock
from engine.visibility.view_modes import ALL, choose_cells
from tests.viewer.renderer.flat_shapes import EXIT, GRASS, SKY, frame_wall, quad, room
from tests.viewer.renderer.memory_source import BLOCK, OUTDOORS
from tests.viewer.renderer.reading import count, window
from tests.viewer.renderer.render_scenes import DOOR, angle_range, entity, room_a
from tests.viewer.renderer.render_stage import Stage
from tests.viewer.renderer.scene_builder import SceneBuilder
from viewer.renderer.passes.passes import OUT
from viewer.renderer.passes.picture_plan import Planner
from viewer.renderer.scene.matrices import EyeSpace

pytestmark = pytest.mark.gl


def before_the_door(scene: SceneBuilder, name: str = "shell", translucency: float = 0.0) -> int:
    """A wall in the middle of room A, between eye and door; it faces the eye."""
    flags = 2 | 0x10 if translucency else 2
    return scene.gfx_obj(
        [(quad(1.0, -0.4, 0.4, z0=-0.4, z1=0.4), name)], flags=flags, translucency=translucency
    )


def test_the_own_house_does_not_stand_in_its_door(ctx):
    scene = room_a(ground=-0.6)
    scene.building(before_the_door(scene), [])
    stage = Stage(ctx, scene)
    picture = stage.checked(0x100)
    assert count(picture, "shell") == 0
    assert count(window(picture)[:25], SKY) == count(window(picture)[25:], GRASS) == 1250
    assert count(stage.checked(0x100, beyond_exits=False), "shell") == 2500


@pytest.mark.parametrize("translucency", [0.0, 0.5])
def test_no_object_from_outdoors_stands_before_the_door(ctx, translucency):
    scene = room_a(ground=-0.6)
    scene.outdoor_object(before_the_door(scene, "leaf", translucency))
    stage = Stage(ctx, scene)
    without = Stage(ctx, room_a(ground=-0.6)).checked(0x100)
    assert (stage.checked(0x100) == without).all()
    assert (stage.checked(0x100, beyond_exits=False) != without).any(axis=-1).sum() == 2500
    there = entity(before_the_door(scene, "box"), OUTDOORS)
    assert (stage.checked(0x100, objects=there) == without).all()


def test_what_is_in_the_plane_of_the_door_or_beyond_stays(ctx):
    for y in (2.0, 2.01, 9.0):
        scene = room_a(ground=-60.0)
        scene.outdoor_object(scene.gfx_obj([(quad(y, -y, y, z0=-y, z1=y), "leaf")]))
        stage = Stage(ctx, scene)
        for yaw in (0.0, 12.0, -20.0):
            picture = stage.checked(0x100, yaw=yaw)
            assert count(picture, SKY, GRASS) == 0
            assert count(picture, "leaf") >= 2500


def test_no_look_into_a_house_begins_before_the_door(ctx):
    """Its opening is nearer than the exit, its far wall beyond: it is not looked into through the exit."""
    scene = room_a(ground=-60.0)
    front = quad(1.0, -0.4, 0.4, z0=-0.4, z1=0.4)
    model = scene.gfx_obj([(p, "shell") for p in frame_wall(quad(1.0, -0.5, 0.5, z0=-0.5, z1=0.5), front)],
                          [(front, 0)])  # fmt: skip
    scene.cell(0x200, room(-1, 1, 1, 5, z0=-1, z1=1, back=front, suffix="2"), [(front, 1, EXIT, -1)])
    scene.building(model, [(0, 0x200, 0)])
    stage = Stage(ctx, scene)
    colors = ("wall2", "floor2", "ceiling2", "shell")
    assert count(stage.checked(0x100), *colors) == 0
    assert stage.renderer.stats.look_ins == 1
    assert count(stage.checked(0x100, beyond_exits=False), *colors) == 2500


def ridge() -> SceneBuilder:
    """Room A over the border of two landcells, ground that rises into it and falls before the door."""
    scene = SceneBuilder(middle=(84.0, 95.0, 0.0))
    heights = [-3.0, -0.15, -11.0, -60.0]  # 23 m behind the eye, 1 m before it, then downhill
    scene.source.heights[:4] = heights
    rows = (0, 0, 0, 0, 1, 2, 3, 3, 3)
    scene.put("land_block", BLOCK, LandBlock(BLOCK | 0xFFFF, 1, (0,) * 81, rows * 9))
    return scene.cell(0x100, room(-2, 2, -2, 2, z0=-1.5, z1=1.5, front=DOOR), [(DOOR, 0, EXIT, -1)])


def test_ground_that_rises_into_the_room_does_not_stand_in_the_door(ctx):
    """One looks over the ground at the door, but it is higher before: from z = −0.3 down in the window."""
    stage = Stage(ctx, ridge())
    assert count(window(stage.checked(0x100)), SKY) == 2500
    off = stage.checked(0x100, beyond_exits=False)
    assert count(window(off), GRASS) == pytest.approx(450, abs=60)


def test_ground_above_the_sill_stays(ctx):
    """I1: below the surface of the ground there is nothing to be seen beyond the door."""
    for z in (-0.2, -0.4, 0.1):
        stage = Stage(ctx, room_a(ground=z))
        assert (stage.checked(0x100) == stage.checked(0x100, beyond_exits=False)).all()
        assert count(stage.checked(0x100), GRASS) == (0 if z > 0 else 1250)


@pytest.mark.parametrize("off", [0.09, 0.02, 0.0021, 0.0019, 0.0005, 0.0002, 0.0, -0.0002, -0.0019])
def test_an_eye_in_the_doorway_loses_nothing(ctx, off):
    stage = Stage(ctx, room_a())
    foot = (0.1, 1.9, 0.05)  # in the room, as a body that is in it stands; the eye leans out
    for yaw in angle_range(15.0):
        eye = (0.1, 2.0 - off, 0.05)
        picture = stage.checked(0x100, eye, yaw, foot=foot)
        assert (picture == stage.checked(0x100, eye, yaw, foot=foot, beyond_exits=False)).all(), yaw


def test_the_nearest_of_two_exits_counts(ctx):
    """A second opening far behind the first, as another wing has: its region holds what is between them."""
    for order in (1, -1):
        scene = SceneBuilder().ground(-60.0)
        far = quad(6.0, -0.3, 0.3, z0=-0.3, z1=0.3)
        openings = [(DOOR, 0, EXIT, -1), (far, 0, EXIT, -1)][::order]
        scene.cell(0x100, room(-2, 2, -2, 2, z0=-1.5, z1=1.5, front=DOOR), openings)
        scene.outdoor_object(scene.gfx_obj([(quad(4.0, -2, 2, z0=-2, z1=2), "leaf")]))
        scene.outdoor_object(before_the_door(scene))
        picture = Stage(ctx, scene).checked(0x100)
        assert count(picture, "leaf") == 2500
        assert count(picture, "shell") == 0


def test_the_picture_of_the_exits_follows_the_size(ctx):
    scene = room_a()
    scene.building(before_the_door(scene), [])
    stage = Stage(ctx, scene)
    stage.checked(0x100)
    for size in (120, 333):
        stage.size = size
        stage.renderer.resize(size, size)
        assert count(stage.checked(0x100), "shell") == 0
        assert np.ptp(stage.renderer.target.read_stencil()) >= OUT


@pytest.mark.parametrize("yaw", [0.0, 20.0, -35.0])
def test_the_picture_of_the_exits_tells_where_their_seals_are(ctx, yaw):
    """Translucent things outdoors go by it, the cells' by the seal: what is in the plane is in a cell."""
    stage = Stage(ctx, room_a(ground=-60.0))
    picture = stage.checked(0x100, yaw=yaw).astype(int)
    beyond = [np.abs(picture - color).max(axis=-1) <= 1 for color in (SKY, GRASS)]
    seen = beyond[0] | beyond[1]
    steps = 2.0**24  # of the depth buffer
    sealed = stage.renderer.target.read_depth()[seen] * steps
    plane, told = (stage.renderer._exits.read()[seen] * steps).T
    assert seen.sum() >= 2500
    assert (told > plane).all()
    assert np.abs(told - sealed).max() < 4.0
    assert yaw == 0.0 or (sealed - plane).min() > 1000.0


def test_a_cell_drawn_whole_behind_the_exit_does_not_show_in_it(ctx):
    """The modes without a traversal seal the exits too: there the landscape is."""
    scene = room_a(ground=-60.0)
    scene.cell(0x101, room(-1.0, 1.0, 4.0, 8.0, z0=-1.0, z1=1.0, suffix="2"), [])
    stage = Stage(ctx, scene)
    seen = stage.seen(0x100)
    everything = choose_cells(stage.world, seen, ALL)
    assert {cell & 0xFFFF for cell in everything.loose} == {0x100, 0x101}
    assert (stage.draw(everything) == stage.draw(seen)).all()


def test_of_very_many_exits_as_many_are_sealed_as_a_flood_looks_out_of(ctx):
    """Each may fill the picture: 30,000 took half a minute in software GL."""
    walls = room(-2, 2, -2, 2, z0=-1.5, z1=1.5, front=DOOR)
    stage = Stage(ctx, SceneBuilder().cell(0x100, walls, [(DOOR, 0, EXIT, -1)] * 1030), 16)
    picture = stage.seen(0x100)
    plan = Planner(ctx, stage.world.blocks).plan(
        picture, EyeSpace(picture.view, picture.root), width=16, height=16
    )
    assert plan.seals.size == plan.exits.size == 1024 * 6
