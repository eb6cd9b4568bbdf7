"""Endless plains whose records come when a gate opens."""

import threading

from engine.dat.records.land_block import LandBlock
from engine.dat.records.land_block_info import LandBlockInfo, Stab
from engine.dat.values import StoredFrame
from engine.world.ids import block_of
from tests.world.world_records import MemorySource, box_model

HOME = 0x80800000
STUMP = 0x01000001
PATIENCE = 30.0


def block(x, y):
    return HOME + (x << 24) + (y << 16)


class Plains(MemorySource):
    """Endless flat ground with a stump in the middle of each landblock; a gate lets its records out.

    ``asked`` are the landblocks in the order in which the worker asked for them.
    """

    def __init__(self, **fields):
        super().__init__(models=[box_model(STUMP, (-0.5, -0.5, 0.0), (0.5, 0.5, 1.0))], **fields)
        self.gate = threading.Event()
        self.gate.set()
        self.asked = []
        self.bad = {}
        self.missing = set()

    def land_block(self, block_id):
        if threading.current_thread().name == "landblocks":
            self.asked.append(block_of(block_id))
            assert self.gate.wait(PATIENCE)
        if block_of(block_id) in self.bad:
            raise self.bad[block_of(block_id)]
        if block_of(block_id) in self.missing:
            return None
        return LandBlock(block_of(block_id) | 0xFFFF, 1, (4,) * 81, (10,) * 81)

    def land_block_info(self, block_id):
        if block_of(block_id) in self.missing:
            return None
        stump = Stab(STUMP, StoredFrame((96.0, 96.0, 20.0), (1.0, 0.0, 0.0, 0.0)))
        return LandBlockInfo(
            id=block_of(block_id) | 0xFFFE, num_cells=0, objects=(stump,), mask=0, buildings=()
        )


def steps_between(a, b):
    return max(abs((a >> 24) - (b >> 24)), abs((a >> 16 & 0xFF) - (b >> 16 & 0xFF)))


def around(world, center=HOME):
    """How many steps from the centre the loaded blocks are, and how many there are of each."""
    steps = [steps_between(block_id, center) for block_id in world.blocks]
    return {s: steps.count(s) for s in sorted(set(steps))}
