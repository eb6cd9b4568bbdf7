"""Staging doors: state word, pose and lock each by itself, a door put where one looks, the scene saved."""

from __future__ import annotations

import math
from pathlib import Path

from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.files.dated import write_dated
from engine.physics.objects.doors import DoorController
from engine.physics.objects.world_objects import DOOR_SETUP
from engine.physics.simulation.simulation import Simulation
from engine.world.cells import PlacedObject
from engine.world.frame import Frame, quat_of_heading
from engine.world.sources.scene_file import SceneFile
from engine.world.sources.scene_text import format_scene
from viewer.asking.saved_scene import SavedScene, all_entities
from viewer.report.picture_report import PLACED_BY_HAND, PLACED_UNTIL

AHEAD = 2.5  # metres from the body, where nothing was picked to put a door on


def is_placed(entity: int) -> bool:
    """Whether it is the id of a door that was put down by hand."""
    return PLACED_BY_HAND <= entity < PLACED_UNTIL


class DoorStage:
    """Changes the doors of one simulation; ``placed`` were put down by hand, ``saved`` is the last scene."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self.saved: SavedScene | None = None
        self.placed: list[int] = []

    def set_word(self, entity: int, state: int) -> None:
        """Give a door a state word; its pose stays."""
        self._stage(entity, state=state)

    def set_pose(self, entity: int, share: float) -> None:
        """Pose a door: 0 closed, 1 open, between them within its clip; its state word stays."""
        door = self._simulation.doors.get(entity)
        if door is None:
            return
        length = door.motion.opening.length
        if share <= 0.0:
            self._stage(entity, phase="closed", since=0.0)
        elif share >= 1.0 or length <= 0.0:
            self._stage(entity, phase="open", since=0.0)
        else:
            self._stage(entity, phase="opening", since=share * length)

    def lock(self, entity: int, *, locked: bool) -> None:
        """Lock a door, or unlock it."""
        self._stage(entity, locked=locked)

    def place_door(self, cell_id: int, at: Vec3, heading: float, where: str) -> str:
        """Put a house door down in a cell's block, ``where`` is in words; a line of what came of it."""
        there = self._simulation.objects.placed
        named = {item.entity_id for item in self._simulation.world.source.scene().objects}  # met or not
        free = (n for n in range(PLACED_BY_HAND, PLACED_UNTIL) if n not in there and n not in named)
        entity = next(free)
        frame = Frame(at, quat_of_heading(heading))
        door = PlacedObject(entity, DOOR_SETUP, cell_id, frame, is_entity=True, name="door")
        if not self._simulation.add(door):
            self._simulation.remove(entity)
            return f"{self._simulation.world.source.name} has no door {hex_id(DOOR_SETUP)}"
        self.placed.append(entity)
        return f"door {hex_id(entity)} stands in {hex_id(cell_id)}, {where}"

    def remove(self, entity: int = 0) -> str:
        """Take a door away that was put down here, the last one for 0; a line saying what came of it."""
        there = [n for n in self._simulation.objects.placed if is_placed(n)]
        last = next((n for n in reversed(self.placed) if n in there), max(there, default=0))
        entity = entity or last
        if entity not in there:
            return "no door was placed here by hand"
        self._simulation.remove(entity)
        return f"door {hex_id(entity)} is gone"

    def place_ahead(self, heading: float) -> str:
        """Put one down before the body, facing it."""
        position = self._simulation.position
        x, y, z = position.frame.origin
        a = math.radians(heading)
        ahead = (x + AHEAD * math.sin(a), y + AHEAD * math.cos(a), z)
        where = f"{AHEAD:g} m before the body: nothing is picked that has a place"
        return self.place_door(position.cell_id, ahead, heading, where)

    def save_scene(self, folder: Path) -> str:
        """Write every entity as it stands now into a scene file of a folder; a line saying where."""
        objects = tuple(all_entities(self._simulation))
        scene = format_scene(SceneFile(objects=objects))
        try:
            path = write_dated(folder, scene.encode(), "scene", ".json")
        except OSError as error:
            return f"{error.filename}: not written: {error.strerror}"
        self.saved = SavedScene(path.resolve(), objects)
        return f"saved {path}; --scene reads its doors and entities"

    def _stage(
        self,
        entity: int,
        *,
        state: int | None = None,
        phase: str | None = None,
        since: float | None = None,
        locked: bool | None = None,
    ) -> None:
        door: DoorController | None = self._simulation.doors.get(entity)
        if door is None:
            return
        now = self._simulation.time
        self._simulation.stage_door(
            entity,
            state=door.target.state if state is None else state,
            phase=door.phase.value if phase is None else phase,
            since=now - door.phase_start if since is None else since,
            locked=door.locked if locked is None else locked,
        )
