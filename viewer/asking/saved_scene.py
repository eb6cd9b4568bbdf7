"""The scene that was saved last: whether the world still stands as it has it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.physics.simulation.simulation import Simulation
from engine.replay.history.surroundings import scene_object
from engine.world.frame import Frame
from engine.world.ids import block_of
from engine.world.loading.landblock import scene_object_id
from engine.world.source import DoorFacts, SceneObject
from engine.world.sources.json_node import JsonError
from engine.world.sources.scene_file import read_scene


@dataclass(frozen=True, slots=True)
class SavedScene:
    """A file with every entity as it stood when it was written."""

    path: Path
    objects: tuple[SceneObject, ...]

    def brings(self, entities: Sequence[SceneObject]) -> bool:
        """Whether the file is there and brings these, each where it stands; state words aside."""
        saved = {item.entity_id: _place(item) for item in self.objects}
        return os.path.isfile(self.path) and all(saved.get(e.entity_id) == _place(e) for e in entities)

    @property
    def states(self) -> dict[int, int]:
        """The state that each of its entities begins with, where it names one."""
        return {e.entity_id: e.state for e in self.objects if e.entity_id is not None and e.state is not None}

    def with_words(self, words: Sequence[str]) -> list[str] | None:
        """Options that open a world, with this scene; None where the one that they name has more in it."""
        if "--scene" not in words:
            return [*words, "--scene", str(self.path)]
        at = words.index("--scene") + 1
        return [*words[:at], str(self.path), *words[at + 1 :]] if _has_entities_alone(words[at]) else None


def all_entities(simulation: Simulation) -> list[SceneObject]:
    """Every entity as it stands now, and as they came those whose landblocks have not been loaded yet."""
    world = simulation.world
    known = simulation.objects.placed.keys() | simulation.objects.gone
    waiting = (
        item._replace(entity_id=scene_object_id(number, item))
        for number, item in enumerate(world.source.scene().objects)
        if item.is_entity and block_of(item.cell_id) not in world.blocks
    )
    return [*standing_entities(simulation), *(item for item in waiting if item.entity_id not in known)]


def standing_entities(simulation: Simulation) -> list[SceneObject]:
    """Every entity that was met, as it stands now, as a scene file has them; of doors their locks, too."""
    out = []
    for entity, placed in simulation.objects.placed.items():
        if not placed.is_entity:
            continue
        target, door = simulation.registry.get(entity), simulation.doors.get(entity)
        standing = placed
        if target is not None:  # without a model it is but a marker where it was placed
            position = target.position
            frame = Frame(position.frame.origin, position.frame.quat)
            standing = standing._replace(cell_id=position.cell_id, frame=frame, state=target.state)
        if door is not None:
            facts = DoorFacts(door.default_open, door.locked, door.reset_interval)
            standing = standing._replace(door=facts)
        out.append(scene_object(standing))
    return out


def _place(item: SceneObject) -> object:
    return item.model_id, item.cell_id, item.frame, item.scale


def _has_entities_alone(path: str) -> bool:
    """Whether a scene file holds nothing that one with entities alone would leave out."""
    try:
        scene = read_scene(Path(path), pipes=False)
    except JsonError:
        return False
    more = scene.terrain or scene.setups or scene.buildings or scene.cell_planes
    return not more and all(item.entity_id is not None for item in scene.objects)
