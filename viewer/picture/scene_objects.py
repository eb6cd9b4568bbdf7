"""The moving things of a frame for the renderer: doors, entities, animated statics, the player's figure."""

from __future__ import annotations

import math

from engine.dat.values import Vec3
from engine.motion.ready_clip import Pose
from engine.motion.sequence import single
from engine.named_tuple import NamedTuple
from engine.particles.appearance import Appearance
from engine.physics.objects.shadow_object import PhysicsObject
from engine.physics.simulation.simulation import Simulation
from engine.visibility.camera import player_alpha
from engine.world.cells import PlacedObject
from engine.world.day_time import NOON, is_between
from engine.world.frame import Frame
from engine.world.physics_state import HIDDEN, NO_DRAW
from viewer.picture.eye_line import EyeLine
from viewer.picture.live_motions import LiveMotions
from viewer.renderer.scene.entities import (
    FIGURE,
    DrawnObject,
    Particles,
    SceneObjects,
    SkyParticles,
)

HEAD = 0.1  # metres around one's own eye


class Playing(NamedTuple):
    """How far the motions of a picture have come.

    ``seconds`` is how long those have gone on that stand about, ``share`` how much of a tick has passed for
    the figure; with ``pose`` it is in that frame of that animation. ``hour`` is that of the day.
    """

    motions: LiveMotions
    seconds: float
    share: float = 1.0
    pose: tuple[int, int] | None = None
    hour: float = NOON


def scene_objects(
    simulation: Simulation,
    line: EyeLine,
    *,
    now: float,
    figure: bool,
    particles: Particles | None = None,
    sky_particles: SkyParticles | None = None,
    playing: Playing | None = None,
) -> SceneObjects:
    """What stands and flies about at a simulation time (seconds).

    ``figure`` adds the player, seen from ``line``.
    """
    playing = playing if playing is not None else Playing(LiveMotions(simulation), max(0.0, now))
    things = []
    for entity_id, placed in simulation.objects.placed.items():
        if not placed.is_entity or not is_between(placed.hours, playing.hour):
            continue
        target = simulation.registry.get(entity_id)
        if target is None:  # its model is missing: a marker stands there
            things.append(
                DrawnObject(
                    object_id=entity_id,
                    model_id=placed.model_id,
                    cell_id=placed.cell_id,
                    frame=placed.frame,
                    cells=(placed.cell_id,),
                )
            )
            continue
        if target.state & (HIDDEN | NO_DRAW):
            continue
        door = simulation.doors.get(entity_id)
        pose = playing.motions.pose_of(placed, playing.seconds) if door is None else tuple(door.pose(now))
        time = playing.seconds if door is None else now
        things += _drawn(
            target, placed, pose, playing.motions.appearance_of(placed, target.scale, time, door)
        )
    for placed in playing.motions.statics():
        target = simulation.registry.get(placed.object_id)
        if target is not None:
            appearance = playing.motions.appearance_of(placed, target.scale, playing.seconds)
            pose = playing.motions.pose_of(placed, playing.seconds)
            things += _drawn(target, placed, pose, appearance)
    if figure:
        things += _figure(simulation, line, playing, now)
    return SceneObjects(things, particles, sky_particles)


def _drawn(
    target: PhysicsObject, placed: PlacedObject, pose: Pose | None, appearance: Appearance | None
) -> list[DrawnObject]:
    """Something as it stands, turned and scaled as its hooks have it; nothing where they hide it."""
    thing = DrawnObject(
        object_id=placed.object_id,
        model_id=placed.model_id,
        cell_id=target.position.cell_id,
        frame=target.position.frame,
        cells=target.cell_ids or (target.position.cell_id,),
        scale=target.scale,
        part_frames=pose,
    )
    return _as_it_looks(thing, appearance)


def _as_it_looks(thing: DrawnObject, appearance: Appearance | None) -> list[DrawnObject]:
    if appearance is None:
        return [thing]
    if appearance.hidden:
        return []
    scale = thing.scale if appearance.scale is None else appearance.scale
    return [thing._replace(appearance=appearance, scale=scale, frame=appearance.standing(thing.frame))]


def figure_is_seen(own: EyeLine, eye: Vec3, *, third_person: bool) -> bool:
    """Whether an eye sees the player's figure: not the body's own in first person, nor one in its head."""
    return third_person or math.dist(own.eye, eye) > HEAD


def _figure(simulation: Simulation, line: EyeLine, playing: Playing, now: float) -> list[DrawnObject]:
    """The player where the picture has the feet: the world's own human, else the figure drawn from code."""
    motions = playing.motions
    player = motions.player or motions.player_figure()
    pose = None
    if player is not None and playing.pose is not None:
        pose = motions.pose_in(*playing.pose, player.model)
    elif player is not None:
        pose = player.pose(playing.share, blended=motions.blended)
    body = simulation.body
    position = body.position
    x, y, z = body.movement_spheres[0].center
    drawn_in = position.cell_id if line.start is None else line.start.cell
    # As places are stored and printed: what adding and taking away a height costs would show at an edge.
    feet = (single(line.foot[0] - x), single(line.foot[1] - y), single(line.foot[2] - z))
    figure = DrawnObject(
        object_id=body.id,
        model_id=player.model.model_id if player is not None else FIGURE,
        cell_id=position.cell_id,
        frame=Frame(feet, position.frame.quat),
        cells=tuple(dict.fromkeys((*body.cell_ids, position.cell_id, drawn_in))),
        part_frames=pose,
        alpha=player_alpha(math.dist(line.eye, line.pivot)),
    )
    return _as_it_looks(figure, player.appearance(now) if player is not None else None)
