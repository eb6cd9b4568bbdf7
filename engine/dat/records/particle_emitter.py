"""ParticleEmitter, 0x32: how one stream of particles is born, moves and fades (particles 1.1)."""

from __future__ import annotations

from struct import Struct
from typing import Any

from engine.dat.primitives import Reader, Writer
from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple

# Packed: three of the four doubles are not aligned to eight.
_LAYOUT = Struct("<II ii II d 3i 3d 3f 2f 3f2f 3f2f 3f2f 3f 3f i")

PER_SECOND, PER_METRE = 0x1, 0x2
"""Bits of ``emitter_type``: births by time, which goes first, and by distance."""
PARTICLE_TYPES = 13


class ParticleEmitter(NamedTuple):
    """Births, lengths of life and motion of the particles of one emitter.

    ``birthrate`` is the seconds, or metres, between two births. ``min_…`` and ``max_…`` bound a factor on
    the vector before them, ``…_rand`` is added or taken off. Translucency is 0 for opaque and 1 for
    invisible. What A, B and C mean goes by ``particle_type``. A ``hw_gfxobj`` of 0 makes no emitter;
    ``gfxobj`` is not used. Zero for ``total_particles`` and ``total_seconds`` sets no limit.
    """

    id: int
    unknown: int
    emitter_type: int
    particle_type: int
    gfxobj: int
    hw_gfxobj: int
    birthrate: float
    max_particles: int
    initial_particles: int
    total_particles: int
    total_seconds: float
    lifespan: float
    lifespan_rand: float
    offset_dir: Vec3
    min_offset: float
    max_offset: float
    a: Vec3
    min_a: float
    max_a: float
    b: Vec3
    min_b: float
    max_b: float
    c: Vec3
    min_c: float
    max_c: float
    start_scale: float
    final_scale: float
    scale_rand: float
    start_trans: float
    final_trans: float
    trans_rand: float
    parent_local: int

    @property
    def is_endless(self) -> bool:
        """Whether neither a number of births nor a time ends it; its particles' ages count otherwise."""
        return self.total_particles == 0 and self.total_seconds == 0.0


_VECTORS = ("offset_dir", "a", "b", "c")


def read_particle_emitter(reader: Reader) -> ParticleEmitter:
    """A ParticleEmitter record, always 176 bytes."""
    emitter_id = reader.header_id()
    reader.pos -= 4
    _, *flat = reader.unpack(_LAYOUT)
    values: dict[str, Any] = {"id": emitter_id}
    for name in ParticleEmitter._fields[1:]:
        count = 3 if name in _VECTORS else 1
        values[name] = tuple(flat[:3]) if count == 3 else flat[0]
        del flat[:count]
    return ParticleEmitter(**values)


def write_particle_emitter(writer: Writer, emitter: ParticleEmitter) -> None:
    """A ParticleEmitter record."""
    flat: list[float] = []
    for value in emitter:
        flat.extend(value if isinstance(value, tuple) else (value,))
    writer.pack(_LAYOUT, *flat)
