"""The checks of ``holtwalk dat check`` inside particle emitters and scripts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.dat.container.installation import DatFiles
from engine.dat.errors import DatError
from engine.dat.number_rules import MOST_SLOTS
from engine.dat.pieces.hooks import CALL_SCRIPT
from engine.dat.records.particle_emitter import PARTICLE_TYPES, PER_METRE, PER_SECOND, ParticleEmitter
from engine.dat.records.physics_script import PhysicsScript

FindingText = tuple[str, str]  # kind and detail

NO_PAUSE = 0.0002
"""Seconds: a script that is called with a shorter pause is queued at once."""
MOST_CALLED = 1000  # of one script


def effect_findings(files: DatFiles, record: Any) -> Iterator[FindingText]:
    """What is wrong with types and counts of a ParticleEmitter, and scripts that loop in no time."""
    match record:
        case ParticleEmitter():
            yield from _emitter(record)
        case PhysicsScript():
            yield from _script(files, record)
        case _:
            return


def _emitter(emitter: ParticleEmitter) -> Iterator[FindingText]:
    if not 0 <= emitter.emitter_type <= PER_SECOND | PER_METRE:
        yield "out of range", f"emitter type {emitter.emitter_type}"
    if not 0 <= emitter.particle_type < PARTICLE_TYPES:
        yield "out of range", f"particle type {emitter.particle_type}"
    if not 0 <= emitter.max_particles <= MOST_SLOTS:
        yield "out of range", f"{emitter.max_particles} particles at a time"
    for name in ("initial_particles", "total_particles", "lifespan", "total_seconds"):
        if getattr(emitter, name) < 0:
            yield "out of range", f"{name.replace('_', ' ')} {getattr(emitter, name):g}"


def _script(files: DatFiles, script: PhysicsScript) -> Iterator[FindingText]:
    if any(item.start < 0 for item in script.items):
        yield "out of range", "a hook before the script's beginning"
    seen, todo = {script.id}, list(_called_at_once(script))
    while todo:
        called = todo.pop()
        if called == script.id:
            yield "cyclic", "it calls itself again without any time between"
            return
        if called in seen:
            continue
        seen.add(called)
        if len(seen) > MOST_CALLED:
            yield (
                "out of range",
                f"over {MOST_CALLED} scripts begin with it at once; the rest was not looked at",
            )
            return
        try:
            record = files.get(called, PhysicsScript)
        except DatError:
            continue  # reported with the script itself
        if record is not None:
            todo += _called_at_once(record)


def _called_at_once(script: PhysicsScript) -> Iterator[int]:
    """The scripts that begin when this one does, because it takes no time."""
    if script.length > 0:
        return
    for item in script.items:
        if item.hook.type == CALL_SCRIPT:
            called, pause = item.hook.values
            if isinstance(called, int) and isinstance(pause, float) and pause < NO_PAUSE:
                yield called
