"""Meadows on which scenery grows."""

from engine.dat.records.land_block import LandBlock
from engine.dat.records.region import HAS_SCENE, SceneType
from engine.dat.records.scene import ObjectDesc, Scene
from engine.dat.values import StoredFrame
from engine.world.loading.world import World
from tests.world.world_records import BLOCK, MemorySource, box_model

OAK, SCENE = 0x01000001, 0x12000001
GRASS, WATER = 1, 0x14
IDENTITY = (1.0, 0.0, 0.0, 0.0)


def plant(**fields):
    """A plant that stands at its vertex, plus what ``fields`` change."""
    base = fields.pop("base", (0.0, 0.0, 0.0))
    turn = fields.pop("turn", IDENTITY)
    values = {"id": OAK, "freq": 1.1, "disp_x": 0.0, "disp_y": 0.0, "min_scale": 1.0, "max_scale": 1.0}
    values |= {"max_rot": 0.0, "min_slope": 0.0, "max_slope": 1.0, "align": 0, "orient": 0, "weenie": 0}
    return ObjectDesc(base=StoredFrame(base, turn), **(values | fields))


class Meadow(MemorySource):
    """A landblock of grass on which one scene grows at the vertices given as (vx, vy)."""

    def __init__(self, *objects, at=((3, 3),), heights=None, words=None, model=None, block=BLOCK, **fields):
        small = box_model(OAK, (-0.1, -0.1, 0.0), (0.1, 0.1, 1.0), physics=False)
        super().__init__(models=[model or small], **fields)
        ground = [GRASS << 2] * 81
        for vx, vy in at:
            ground[9 * vx + vy] |= 1 << 11
        for vertex, word in (words or {}).items():
            ground[vertex] |= word
        self.ground = LandBlock(block | 0xFFFF, 1, tuple(ground), tuple(heights or [10] * 81))
        self.scenes = {SCENE: Scene(SCENE, objects)}
        self.block = block

    def region(self):
        plain = super().region()
        types = [kind._replace(scenes=(-1, 0)) for kind in plain.terrain.types]
        terrain = plain.terrain._replace(types=tuple(types))
        scene = (SceneType(-1, tuple(self.scenes)),)
        return plain._replace(parts=plain.parts | HAS_SCENE, scene=scene, terrain=terrain)

    def land_block(self, block_id):
        return self.ground if block_id == self.block else None

    def scene_desc(self, scene_id):
        scene = self.scenes.get(scene_id)
        if isinstance(scene, Exception):
            raise scene
        return scene


def grow(source):
    """The scenery of the source's block."""
    world = World(source)
    block = world.load_block(source.block)
    return world, [s for s in block.statics if s.object_id >> 28 == 1]


def places(source):
    """Where each of it stands, in the block frame."""
    return [s.frame.origin for s in grow(source)[1]]
