"""Physics scripts and their hooks, made by hand."""

from engine.dat.pieces.hooks import AnimationHook
from engine.dat.records.physics_script import PhysicsScript, ScriptItem
from engine.dat.values import IDENTITY_FRAME
from tests.particles.bench_parts import standard

EMITTER = standard(id=0x32000001)
WHOLE = 0xFFFFFFFF


def create(emitter=EMITTER.id, key=0, part=WHOLE, *, blocking=False, offset=IDENTITY_FRAME):
    return AnimationHook(0x1A if blocking else 0x0D, 0, (emitter, part, offset, key))


def call(script, pause=0.0):
    return AnimationHook(0x13, 0, (script, pause))


def mark(number):
    return AnimationHook(0x01, 0, (number,))


def script(script_id, *items):
    return PhysicsScript(script_id, tuple(ScriptItem(time, hook) for time, hook in items))
