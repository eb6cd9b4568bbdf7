"""What moves by itself in a world: it plays, starts its effects, is drawn, and collides as if it stood."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from engine.dat.pieces.hooks import CREATE_PARTICLE, AnimationHook
from engine.dat.values import IDENTITY_FRAME
from engine.motion.commands import FALLING, READY, RUN_FORWARD, SIDE_STEP_RIGHT, WALK_FORWARD
from engine.physics.enums import TICK
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.simulation import Simulation
from engine.world.loading.world import World
from engine.world.sources.open_source import open_source
from scripts.demo_world import ids
from tests.places import DEMO
from viewer.picture.live_effects import LiveEffects
from viewer.picture.live_motions import LiveMotions
from viewer.picture.scene_objects import Playing, scene_objects
from viewer.places import put
from viewer.renderer.scene.entities import FIGURE
from viewer.verify.picture_stage import Onlooker, same_pixels
from viewer.window.walking.walk import STANDING, Walk

SQUARE = "0xA9B4002A [121 41 94] 1 0 0 0"
STREET = "0xA9B40031 [150 21 94] 0.7071068 0 0 0.7071068"
BY_THE_STONE = "0xA9B40022 [104.4 42.5 94] 1 0 0 0"
SIZE = (240, 160)


def simulation_at(place: str) -> Simulation:
    simulation = Simulation(World(open_source(demo=DEMO)))
    put(simulation, place)
    return simulation


@pytest.fixture(scope="module")
def square() -> Simulation:
    return simulation_at(SQUARE)


def of_model(simulation: Simulation, model: int):
    (placed,) = [p for p in simulation.objects.placed.values() if p.model_id == model]
    return placed


@pytest.mark.parametrize("model", [ids.PENNANT, ids.GRINDSTONE, ids.HUMAN])
def test_statics_and_entities_play_and_come_round(square, model):
    motions = LiveMotions(square)
    placed = of_model(square, model)
    first, later = (motions.pose_of(placed, seconds) for seconds in (0.0, 0.5))
    assert any(a.quat != b.quat for a, b in zip(first, later, strict=True))
    length = {ids.PENNANT: 48, ids.GRINDSTONE: 40, ids.HUMAN: 90}[model] / 30
    for a, b in zip(later, motions.pose_of(placed, 0.5 + 100 * length), strict=True):
        assert (a.origin, a.quat) == (b.origin, b.quat)


def test_what_has_no_motion_of_its_own_rests(square):
    placed = of_model(square, ids.setup_of(ids.WELL))
    assert LiveMotions(square).pose_of(placed, 1.0) is None


def test_it_collides_the_same_at_every_phase():
    """Sweeps into the grindstone, a static, and the merchant, an entity, at many times of their motions."""
    for place, ahead in ((BY_THE_STONE, 3.0), ("0xA9B40022 [113.4 49.5 94] 0 0 0 1", 3.0)):
        ends = set()
        simulation = simulation_at(place)
        motions = LiveMotions(simulation)
        start = simulation.position
        shapes = [simulation.registry.get(of_model(simulation, m).object_id).shapes for m in (
            ids.GRINDSTONE, ids.HUMAN)]  # fmt: skip
        for wait in (0, 7, 12, 20, 31):
            for _ in range(wait):
                simulation.walk_tick()
            scene_objects(
                simulation,
                None,
                now=simulation.time,
                figure=False,
                playing=Playing(motions, simulation.time),
            )
            for _ in range(60):
                simulation.walk_tick(simulation.position.frame.to_global_vec((0.0, ahead / 30.0, 0.0)))
            ends.add(tuple(round(c, 9) for c in simulation.position.frame.origin))
            simulation.teleport(start)
        assert len(ends) == 1
        (end,) = ends
        assert 1.0 < math.dist(end, start.frame.origin) < 5.0
        assert shapes == [
            simulation.registry.get(of_model(simulation, m).object_id).shapes
            for m in (ids.GRINDSTONE, ids.HUMAN)
        ]


def sparks(simulation: Simulation, seconds: float) -> int:
    effects = LiveEffects(simulation)
    stone = of_model(simulation, ids.GRINDSTONE)
    x, y, z = stone.frame.origin
    eye = (0xA9 * 192.0 + x, 0xB4 * 192.0 + y, z + 1.0)
    effects.effects.advance(math.floor(seconds * 30 + 1e-6))
    shown = effects.effects.shown(seconds, eye, lambda _, distance: distance < 2.0)
    effects.close()
    return int((np.linalg.norm(shown.middles, axis=1) < 1.5).sum())


def test_hooks_of_an_animation_start_particles_each_time_round(square):
    """The sparks fly when frame 12 of 40 has been shown, and are gone before it comes again."""
    assert sparks(square, 8.0 + 12 / 30) == 0  # tick 252 is frame 12 of the seventh turn
    assert sparks(square, 8.0 + 20 / 30) > 5
    assert sparks(square, 48.0 + 20 / 30) > 5


@pytest.mark.gl
def test_a_pennant_is_drawn_as_it_waves(square):
    with Onlooker(square, SIZE) as onlooker:
        picture, _ = onlooker.view(0.0, 12.0, eye=(121.3, 29.0, 96.0))
        pictures = []
        for seconds in (0.0, 0.5, 0.5 + 24.0):
            playing = Playing(onlooker.motions, seconds)
            objects = scene_objects(square, None, now=0.0, figure=False, playing=playing)
            pictures.append(onlooker.draw(picture, objects).rgb)
    changed = ~same_pixels(pictures[0], pictures[1])
    assert 30 < changed.sum() < 3000
    assert (pictures[1] == pictures[2]).all()


# -- the player's figure


def walked(place: str, *stretches: tuple[float, MovementInput]) -> Walk:
    walk = Walk(simulation_at(place), third_person=True)
    for seconds, controls in stretches:
        for _ in range(round(seconds / TICK)):
            walk.advance(TICK, controls)
    walk.look_out(SIZE, 0.0)
    return walk


def doing(walk: Walk) -> tuple[int, float]:
    motions = walk.motions.player._follower.figure.motions
    return motions.substate, motions.mod


@pytest.mark.parametrize(
    ("controls", "command", "speed"),
    [
        (MovementInput(), READY, 1.0),
        (MovementInput(forward=1), WALK_FORWARD, 1.0),
        (MovementInput(forward=1, run=True), RUN_FORWARD, 2.375),
        (MovementInput(forward=-1), WALK_FORWARD, -0.65),
        (MovementInput(side=1), SIDE_STEP_RIGHT, 1.248),
    ],
)
def test_the_figure_does_what_the_body_does_at_its_speed(controls, command, speed):
    substate, mod = doing(walked(STREET, (1.0, controls)))
    assert substate == command
    assert mod == pytest.approx(speed, rel=0.05)


def test_the_figure_turns_on_the_spot_jumps_and_lands():
    turning = walked(STREET, (0.5, MovementInput(turn=1)))
    assert doing(turning)[0] & 0xFFFF == 0x0D
    jumping = walked(STREET, (2 * TICK, MovementInput(jump=1.0)), (4 * TICK, STANDING))
    assert doing(jumping)[0] == FALLING
    assert doing(walked(STREET, (TICK, MovementInput(jump=1.0)), (3.0, STANDING)))[0] == READY


def test_the_figure_stands_before_a_wall_and_plays_on_in_first_person():
    walk = walked("0xA9B40031 [155.4 18.2 94.0] 0 0 0 1", (2.0, MovementInput(forward=1)))
    assert walk.blocked and doing(walk)[0] == READY
    walk = Walk(simulation_at(STREET))
    for _ in range(20):
        walk.advance(TICK, MovementInput(forward=1))
    assert doing(walk)[0] == WALK_FORWARD


def test_the_feet_are_planted_where_the_ground_is():
    """In the middle of a foot's stand it goes back over the body as fast as the body goes on."""
    simulation = simulation_at(STREET)
    motions = LiveMotions(simulation)
    figure = motions.player_figure()
    for animation, a_frame, frames in ((ids.HUMAN_WALK, 0.104, (1, 5)), (ids.HUMAN_RUN, 3.2 / 24, (1, 4))):
        first, last = (motions.pose_in(animation, frame, figure.model)[11].origin for frame in frames)
        assert first[1] - last[1] == pytest.approx(a_frame * (frames[1] - frames[0]), abs=0.03)
        assert abs(first[2] - last[2]) < 0.03


def test_a_jump_to_another_place_begins_anew():
    walk = walked(STREET, (1.0, MovementInput(forward=1, run=True)))
    assert not walk.teleport(SQUARE)
    assert doing(walk) == (READY, 1.0)


def test_the_drawn_figure_is_the_worlds_own_human_in_its_pose():
    walk = walked(STREET, (1.0, MovementInput(forward=1)))
    figure = walk.objects().objects[-1]
    assert figure.model_id == ids.HUMAN and figure.object_id == walk.simulation.body.id
    animation, frame = walk.motions.player.shown
    assert animation == ids.HUMAN_WALK
    pose = walk.motions.pose_in(animation, frame, walk.motions.player.model)
    assert [f.origin for f in figure.part_frames] == [f.origin for f in pose]


def test_a_world_without_a_human_has_the_plain_figure(tmp_path: Path):
    simulation = simulation_at(STREET)
    source = simulation.world.source
    held = source.setup
    source.setup = lambda number: None if number == ids.HUMAN else held(number)
    motions = LiveMotions(simulation)
    motions.follow_body()
    assert motions.player is None
    walk = walked(STREET)
    objects = scene_objects(simulation, walk.line, now=0.0, figure=True, playing=Playing(motions, 0.0))
    assert objects.objects[-1].model_id == FIGURE and objects.objects[-1].part_frames is None
    assert not [line for line in simulation.world.problems.lines if "02000001" in line]


def test_smooth_motion_draws_between_frames_and_is_off_by_default():
    walk = walked(STREET, (1.0, MovementInput(forward=1, run=True)))
    walk.pace.let_pass(0.4 * TICK)
    whole = walk.objects().objects[-1].part_frames
    animation, frame = walk.motions.player.shown
    exact = walk.motions.pose_in(animation, frame, walk.motions.player.model)
    assert [f.quat for f in whole] == [f.quat for f in exact]
    walk.settings.set("smooth_motion", value=True)
    smooth = walk.objects().objects[-1].part_frames
    assert any(a.quat != b.quat for a, b in zip(whole, smooth, strict=True))


def test_effects_of_the_figure_follow_its_hooks():
    walk = walked(STREET, (0.5, STANDING))
    player = walk.motions.player
    assert player.effects is None
    hook = AnimationHook(CREATE_PARTICLE, 0, (ids.CHIMNEY_PUFFS, 2, IDENTITY_FRAME, 0))
    player.hooks.append((walk.simulation.time, hook))
    for _ in range(30):
        walk.advance(TICK, STANDING)
    x, y, z = walk.simulation.position.frame.origin
    eye = (0xA9 * 192.0 + x, 0xB4 * 192.0 + y, z + 1.7)
    shown = partial(walk.effects.shown, walk.burning_time)(eye, lambda _: True)
    assert (np.linalg.norm(shown.middles, axis=1) < 1.0).sum() >= 3
