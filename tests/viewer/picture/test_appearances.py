"""What hooks of scripts, animations and doors make of how things look, in pictures (motion 8.1)."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.dat.pieces.hooks import AnimationHook
from engine.dat.records.physics_script import PhysicsScript, ScriptItem
from engine.motion.commands import READY
from engine.particles.appearance import Appearance, PartLook
from engine.physics.simulation.simulation import Simulation
from engine.visibility.openings import OpeningIndex
from engine.world.frame import Frame
from engine.world.loading.world import World
from engine.world.sources.open_source import open_source
from scripts.demo_world import ids
from tests.places import DEMO
from viewer.picture.live_motions import LiveMotions
from viewer.picture.look import Look, look_out
from viewer.picture.scene_objects import Playing, scene_objects
from viewer.places import put
from viewer.renderer.gl.gl_state import GlState
from viewer.renderer.render_options import RenderOptions
from viewer.renderer.scene.entities import DrawnObject, SceneObjects
from viewer.verify.picture_stage import Onlooker, same_pixels

SQUARE = "0xA9B4002A [121 41 94] 1 0 0 0"
SCRIPT, SIZE = 0x3300AAAA, (240, 160)
WELL = ids.setup_of(ids.WELL)
HERE = 0xA9B4002A


class Scripted:
    """The demo with a script of one's own for the well, a static that else never changes."""

    def __init__(self, *items: tuple[float, AnimationHook]) -> None:
        self._source = open_source(demo=DEMO)
        self._script = PhysicsScript(SCRIPT, tuple(ScriptItem(at, hook) for at, hook in items))

    def __getattr__(self, name: str):
        return getattr(self._source, name)

    def setup(self, setup_id: int):
        found = self._source.setup(setup_id)
        return found._replace(script=SCRIPT) if setup_id == WELL else found

    def physics_script(self, script_id: int):
        return self._script if script_id == SCRIPT else self._source.physics_script(script_id)


def hook(kind: int, *values) -> AnimationHook:
    return AnimationHook(kind, 0, values)


def at_the_well(*items: tuple[float, AnimationHook]) -> Simulation:
    simulation = Simulation(World(Scripted(*items)))
    put(simulation, SQUARE)
    return simulation


def well_of(simulation: Simulation, seconds: float) -> DrawnObject | None:
    playing = Playing(LiveMotions(simulation), seconds)
    things = scene_objects(simulation, None, now=0.0, figure=False, playing=playing).objects
    return next((thing for thing in things if thing.model_id == WELL), None)


def test_a_static_whose_script_changes_it_is_drawn_by_itself_as_it_is_then():
    simulation = at_the_well((1.0, hook(0x14, 0.0, 0.5, 2.0)))
    before, after = well_of(simulation, 0.5), well_of(simulation, 2.0)
    assert before is not None and before.appearance is None
    assert after is not None and after.appearance.whole.translucency == 0.25
    assert well_of(at_the_well((1.0, hook(0x0D, 0, 0, None, 0))), 2.0) is None  # with its landblock


def test_all_things_of_a_picture_together_go_through_so_many_hooks(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("viewer.picture.live_motions.MOST_PLAYED_OF_ALL", 3)
    simulation = at_the_well(*[(0.1 * k, hook(0x14, 0.1 * k, 0.1 * k, 0.0)) for k in range(8)])
    well = well_of(simulation, 5.0)
    assert well is not None
    assert well.appearance is None or well.appearance.whole.translucency < 0.5
    assert any("how things look over 3 times" in line for line in simulation.world.problems.lines)


def test_it_is_turned_scaled_and_hidden_where_it_is_drawn_and_collides_as_placed():
    turning = at_the_well((0.0, hook(0x16, (0.0, 0.0, 1.0))), (0.0, hook(0x0C, 2.0, 4.0)))
    thing = well_of(turning, 1.0)
    plain = well_of(turning, 0.0)
    assert thing.scale == 1.25 * plain.scale
    heading = math.degrees(1.0)
    assert (plain.frame.heading() - thing.frame.heading()) % 360.0 == pytest.approx(heading, abs=1e-6)
    target = turning.registry.get(thing.object_id)
    assert (target.scale, target.position.frame) == (plain.scale, plain.frame)
    assert well_of(at_the_well((0.0, hook(0x10, 1))), 1.0) is None


def barrier(simulation: Simulation, at: float) -> float:
    """How translucent the village's door is."""
    thing = next(
        t for t in scene_objects(simulation, None, now=at, figure=False).objects if t.object_id == DOOR
    )
    return 0.0 if thing.appearance is None else thing.appearance.whole.translucency


DOOR = 0x7A9B4015


def test_a_door_fades_by_the_hooks_of_its_clips_and_stays_so_while_it_is_open():
    simulation = Simulation(World(open_source(demo=DEMO)))
    put(simulation, "0xA9B40031 [150 21 94] 0.7071068 0 0 0.7071068")
    door = simulation.doors[DOOR]
    fade, back = hook(0x14, 0.0, 1.0, 0.5), hook(0x14, 1.0, 0.25, 0.5)
    opening = door.motion.opening._replace(hooks=((0.1, fade),))
    closing = door.motion.closing._replace(hooks=((0.2, back),))
    door.motion = door.motion._replace(opening=opening, closing=closing)
    assert barrier(simulation, 0.0) == 0.0  # it has not closed yet
    begun = simulation.time
    simulation.use(DOOR)
    assert barrier(simulation, begun + 0.35) == pytest.approx(0.5)
    opened = begun + opening.length
    door.advance(opened)
    assert barrier(simulation, opened + 5.0) == 1.0
    door.use(opened + 5.0)
    assert barrier(simulation, opened + 5.1) == 1.0
    assert barrier(simulation, opened + 5.45) == pytest.approx(0.625)
    door.advance(opened + 5.0 + closing.length)
    assert barrier(simulation, opened + 5.0 + closing.length + 1.0) == 0.25


def test_the_figures_own_hooks_show_and_end_where_it_is_put():
    simulation = Simulation(World(open_source(demo=DEMO)))
    put(simulation, SQUARE)
    motions = LiveMotions(simulation)
    motions.follow_body()
    player = motions.player
    line = look_out(simulation, OpeningIndex(), Look(yaw=0.0, third_person=True, size=SIZE), 1.0).line
    sequence = player._follower.figure.motions.sequence
    assert player._follower.figure.motions.substate == READY
    sequence.nodes[-1].clip.hooks[0] = (hook(0x14, 0.0, 0.5, 0.0),)

    def look_of_figure() -> Appearance | None:
        playing = Playing(motions, simulation.time)
        things = scene_objects(simulation, line, now=simulation.time, figure=True, playing=playing).objects
        return things[-1].appearance

    for _ in range(3):
        simulation.walk_tick()
    try:
        assert look_of_figure().whole.translucency == 0.5
        player.put()
        assert look_of_figure() is None
    finally:
        del sequence.nodes[-1].clip.hooks[0]


@pytest.mark.gl
def test_looks_are_drawn_as_they_are_told(monkeypatch: pytest.MonkeyPatch):
    simulation = Simulation(World(open_source(demo=DEMO)))
    put(simulation, SQUARE)
    thing = DrawnObject(
        object_id=9, model_id=WELL, cell_id=HERE, frame=Frame((121.0, 47.0, 94.0)), cells=(HERE,)
    )

    def looking(**look) -> DrawnObject:
        return thing._replace(appearance=Appearance(whole=PartLook(**look)))

    with Onlooker(simulation, SIZE) as onlooker:
        picture, _ = onlooker.view(0.0)

        def rgb(*things: DrawnObject) -> np.ndarray:
            onlooker.renderer.draw(picture, SceneObjects(things), RenderOptions())
            assert onlooker.renderer.gl_errors() == []
            return onlooker.renderer.read_rgba()[..., :3].astype(int)

        nothing, plain = rgb(), rgb(thing)
        dark, bright = rgb(looking(luminosity=0.0, diffuse=0.0)), rgb(looking(luminosity=1.0))
        there = (dark != nothing).any(axis=2)
        assert there.sum() > 500
        assert dark[there].max() <= 8  # but for the fog before it
        assert (bright[there] >= plain[there]).all() and bright[there].mean() > plain[there].mean() + 5
        assert (rgb(looking()) == plain).all()
        assert (rgb(looking(translucency=1.0)) == nothing).all()
        half = rgb(looking(translucency=0.5))
        assert np.median(np.abs(half - (nothing + plain) / 2)[there]) <= 3  # its own back shows in places
        moved = rgb(looking(shift=(0.37, 0.21)))
        assert (~same_pixels(moved, plain))[there].sum() > 200
        for pixels in (plain, bright, half, moved):
            assert (pixels[~there] == nothing[~there]).all()
        other, dark_one = thing._replace(object_id=10), looking(luminosity=0.0, diffuse=0.0)
        assert (rgb(dark_one, other) == plain).all()
        monkeypatch.setattr(GlState, "order_shows", True)  # one after another: the next in its place
        assert (rgb(dark_one, other) == plain).all()


@pytest.mark.gl
def test_a_texture_that_scrolls_repeats_even_where_its_model_shows_it_once():
    simulation = Simulation(World(open_source(demo=DEMO)))
    put(simulation, SQUARE)
    with Onlooker(simulation, SIZE) as onlooker:
        picture, _ = onlooker.view(0.0)
        library = onlooker.renderer.scene.entities._library
        once = next(
            model
            for model in (
                ids.setup_of(m) for m in (ids.SIGNPOST, ids.CRATE, ids.BARREL, ids.LANTERN, ids.STALL)
            )
            if any(not c.batch.wrap for part, _, _ in library.parts_of(model) for c in library.part(part))
        )
        thing = DrawnObject(
            object_id=9, model_id=once, cell_id=HERE, frame=Frame((121.0, 44.0, 94.0)), cells=(HERE,)
        )
        pictures = []
        for shift in ((0.25, 0.5), (1.25, -1.5)):
            look = Appearance(whole=PartLook(luminosity=1.0, shift=shift))
            onlooker.renderer.draw(picture, SceneObjects([thing._replace(appearance=look)]), RenderOptions())
            pictures.append(onlooker.renderer.read_rgba()[..., :3].copy())
    assert same_pixels(pictures[0], pictures[1], tolerance=8).all()
