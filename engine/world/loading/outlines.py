"""How far landblocks reach that hold nothing but ground and things at rest, found without loading them."""

from __future__ import annotations

from engine.dat.errors import DatError
from engine.dat.number_rules import frame_fault, turn_fault
from engine.dat.records.land_block_info import LandBlockInfo
from engine.dat.values import StoredFrame
from engine.world.box import Box
from engine.world.cells import Landblock
from engine.world.ids import BLOCK_SIDE, adjust_to_outside, block_of
from engine.world.loading.model_store import ModelStore
from engine.world.loading.scenery import MOST_GROWN, is_sound, scenes_of
from engine.world.loading.world import World
from engine.world.models import Model
from engine.world.source import Problems
from engine.world.terrain import VERTICES

MOST_BUILT = 8  # models that nothing loaded has: to build many costs more than to load a landblock


class Outlines:
    """Boxes around ground, scenery and objects of landblocks, in their frames, each found once.

    There is none of a landblock of which more must be known than how far it reaches: one with buildings,
    rooms or a scene file's objects, with something that moves or starts effects, or with what can't be read.
    None is a reason to load it, and so is anything that loading would report.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._found: dict[int, Box | None] = {}
        self._models = ModelStore(world.source, Problems())
        self._left = MOST_BUILT
        self._reaches: dict[int, float | None] = {}
        self._growing: dict[tuple[int, ...], float | None] = {}

    def of(self, cell_id: int) -> Box | None:
        """The box around the landblock of an id; None where it has to be loaded."""
        block_id = block_of(cell_id)
        if block_id not in self._found:
            try:
                self._found[block_id] = self._box(block_id)
            except DatError:
                self._found[block_id] = None
        return self._found[block_id]

    def _box(self, block_id: int) -> Box | None:
        source = self._world.source
        info = source.land_block_info(block_id)
        if (info is not None and info.buildings) or source.cell_ids(block_id):
            return None
        if self._world.loader.scene_in(block_id):
            return None
        ground = self._world.build_ground(block_id)
        if ground is None:
            return None
        reach = self._tallest(ground)
        return None if reach is None else self._around(ground, reach, info)

    def _around(self, ground: Landblock, reach: float, info: LandBlockInfo | None) -> Box | None:
        box = Box()
        box.take((0.0, 0.0, min(ground.heights)), reach)
        box.take((BLOCK_SIDE, BLOCK_SIDE, max(ground.heights)), reach)
        for stab in info.objects if info is not None else ():
            size = self._reach(stab.id)
            if size is None or not _is_sound(stab.frame, ground.id):
                return None
            box.take(stab.frame.origin, size)
        return box

    def _tallest(self, ground: Landblock) -> float | None:
        """How far what may grow by the words of a landblock's ground reaches, metres; None for not known."""
        tallest = 0.0
        for word in set(ground.terrain):
            scenes = scenes_of(self._world.source.region(), word)
            if scenes not in self._growing:
                self._growing[scenes] = self._tallest_in(scenes)
            reach = self._growing[scenes]
            if reach is None:
                return None
            tallest = max(tallest, reach)
        return tallest

    def _tallest_in(self, scenes: tuple[int, ...]) -> float | None:
        tallest = 0.0
        for scene_id in scenes:
            scene = self._world.source.scene_desc(scene_id) if scene_id else None
            if scene_id and scene is None:
                return None
            if scene is not None and len(scene.objects) * VERTICES * VERTICES > MOST_GROWN:
                return None  # more may grow than is left standing, which is told
            for thing in scene.objects if scene is not None else ():
                if thing.weenie or not thing.id:
                    continue
                reach = self._reach(thing.id) if is_sound(thing) else None
                if reach is None:
                    return None
                tallest = max(tallest, reach * max(thing.min_scale, thing.max_scale))
        return tallest

    def _reach(self, model_id: int) -> float | None:
        """How far a model reaches at scale 1; None for one that is damaged, moves or starts something."""
        if model_id not in self._reaches:
            model = self._world.loader.models.known(model_id) or self._built(model_id)
            rests = model is not None and not (model.script or model.script_table or model.is_animated)
            self._reaches[model_id] = model.reach() if model is not None and rests else None
        return self._reaches[model_id]

    def _built(self, model_id: int) -> Model | None:
        if self._left == 0:
            return None
        self._left -= 1
        said = self._models.problems.mark()
        model = self._models.model(model_id)
        return model if self._models.problems.mark() == said else None


def _is_sound(frame: StoredFrame, block_id: int) -> bool:
    """Whether something of a landblock stands in a frame as it is stored, and on the map."""
    odd = frame_fault(frame) or turn_fault(frame.orientation)
    return odd is None and adjust_to_outside(block_id | 0xFFFF, frame.origin)[0] != 0
