"""Emitters and what they need, for the tests: the standard emitter of particles 10."""

import math

from engine.dat.records.particle_emitter import ParticleEmitter
from engine.particles.emitter import Emitter
from engine.particles.looks import Look
from engine.particles.owner import Owner
from engine.particles.particle_pool import Pool
from engine.world.frame import Frame

STANDARD = ParticleEmitter(
    id=0x32000001,
    unknown=0,
    emitter_type=1,
    particle_type=1,
    gfxobj=0,
    hw_gfxobj=0x01000001,
    birthrate=1.0,
    max_particles=8,
    initial_particles=0,
    total_particles=0,
    total_seconds=0.0,
    lifespan=4.0,
    lifespan_rand=0.0,
    offset_dir=(0.0, 0.0, 1.0),
    min_offset=0.0,
    max_offset=0.0,
    a=(0.0, 0.0, 0.0),
    min_a=1.0,
    max_a=1.0,
    b=(0.0, 0.0, 0.0),
    min_b=1.0,
    max_b=1.0,
    c=(0.0, 0.0, 0.0),
    min_c=1.0,
    max_c=1.0,
    start_scale=1.0,
    final_scale=1.0,
    scale_rand=0.0,
    start_trans=0.0,
    final_trans=0.0,
    trans_rand=0.0,
    parent_local=0,
)
HALF = math.sqrt(0.5)
NOWHERE = Frame((0.0, 0.0, 0.0))


class Rolls:
    """Given numbers one after the other, then 0.5 for ever; ``taken`` counts them."""

    def __init__(self, *numbers):
        self.numbers = list(numbers)
        self.taken = 0

    def next(self):
        self.taken += 1
        return self.numbers.pop(0) if self.numbers else 0.5


def standard(**changes):
    return STANDARD._replace(**changes)


def started(record, base=NOWHERE, hook=(0.0, 0.0, 0.0), rolls=None, *, now=0.0):
    """An emitter alone, its births at creation done."""
    emitter = Emitter(record, 1, Pool(), rolls or Rolls(), base=base, hook=hook, now=now)
    emitter.begin(now)
    return emitter


def seen(emitter, now):
    """Its particles by slot at a time."""
    return emitter._pool.moment(now, now, emitter.rows())


class Shelf:
    """Records by id, and a plain look for every model."""

    def __init__(self, *records, looks=None):
        self.records = {record.id: record for record in records}
        self.looks = looks or {}

    def emitter(self, emitter_id):
        return self.records.get(emitter_id)

    script = script_table = emitter

    def look(self, gfxobj_id):
        return self.looks.get(gfxobj_id) or Look.of(gfxobj_id)


def owner(shelf, cell_id=0x12340101, frame=NOWHERE, parts=(), *, script_table=0, rolls=None):
    numbers = iter(range(1, 1_000_000))
    return Owner(
        shelf,
        Pool(),
        rolls or Rolls(),
        lambda: next(numbers),
        cell_id=cell_id,
        frame=frame,
        parts=parts,
        script_table=script_table,
    )


def age(emitter, row, now):
    return now - float(emitter._pool._columns[0, row])
