"""The moving things of a frame for the renderer: doors in their poses, entities, the player's figure."""

from __future__ import annotations

import math

from engine.physics.simulation.simulation import Simulation
from engine.visibility.camera import player_alpha
from engine.world.frame import Frame
from engine.world.physics_state import HIDDEN, NO_DRAW
from viewer.picture.eye_line import EyeLine
from viewer.renderer.scene.entities import FIGURE, DrawnObject, Particles, SceneObjects


def scene_objects(
    simulation: Simulation, line: EyeLine, *, now: float, figure: bool, particles: Particles | None = None
) -> SceneObjects:
    """What stands and flies about at a simulation time (seconds).

    ``figure`` adds the player, seen from ``line``.
    """
    things = []
    for entity_id, placed in simulation.objects.placed.items():
        if not placed.is_entity:
            continue
        target = simulation.registry.get(entity_id)
        if target is None:  # its model is missing: a marker stands there
            things.append(
                DrawnObject(entity_id, placed.model_id, placed.cell_id, placed.frame, (placed.cell_id,))
            )
            continue
        if target.state & (HIDDEN | NO_DRAW):
            continue
        door = simulation.doors.get(entity_id)
        things.append(
            DrawnObject(
                entity_id,
                placed.model_id,
                target.position.cell_id,
                target.position.frame,
                target.cell_ids or (target.position.cell_id,),
                target.scale,
                None if door is None else tuple(door.pose(now)),
            )
        )
    if figure:
        things.append(_figure(simulation, line))
    return SceneObjects(things, particles)


def _figure(simulation: Simulation, line: EyeLine) -> DrawnObject:
    body = simulation.body
    position = body.position
    x, y, z = body.movement_spheres[0].center
    drawn_in = position.cell_id if line.start is None else line.start.cell
    feet = (line.foot[0] - x, line.foot[1] - y, line.foot[2] - z)
    return DrawnObject(
        body.id,
        FIGURE,
        position.cell_id,
        Frame(feet, position.frame.quat),
        tuple(dict.fromkeys((*body.cell_ids, position.cell_id, drawn_in))),
        alpha=player_alpha(math.dist(line.eye, line.pivot)),
    )
