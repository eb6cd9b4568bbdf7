"""What burns, glows and smokes: emitters, scripts that start them, and the cards that they show. Metres."""

from __future__ import annotations

from typing import Any

from engine.dat.pieces.hooks import CALL_SCRIPT, CREATE_PARTICLE, AnimationHook
from engine.dat.records.gfx_obj import HAS_DEGRADE, GfxObj
from engine.dat.records.gfx_obj_degrade_info import DegradeLevel, GfxObjDegradeInfo
from engine.dat.records.land_block_info import Stab
from engine.dat.records.particle_emitter import PER_SECOND, ParticleEmitter
from engine.dat.records.physics_script import PhysicsScript, ScriptItem
from engine.dat.records.physics_script_table import PhysicsScriptTable, PlayType, ScriptChoice
from engine.dat.records.setup import Setup
from engine.dat.values import IDENTITY_FRAME, StoredFrame, Vec3
from scripts.demo_world import ids
from scripts.demo_world.geometry import f32, point
from scripts.demo_world.houses import cottage, croft, inn
from scripts.demo_world.mesh import gfx_obj, setup
from scripts.demo_world.solids import card

Record = (
    GfxObj | GfxObjDegradeInfo | ParticleEmitter | PhysicsScript | PhysicsScriptTable | Setup
)  # fmt: skip
TO_THE_EYE, UPRIGHT = 2, 5  # how a card turns
STILL, PARABOLA, SWARM, EXPLODE, IMPLODE = 1, 3, 5, 6, 7
PORTAL_ENTRY = 0x52
WHOLE = 0xFFFFFFFF  # the part that stands for the object itself
UP = (0.0, 0.0, 1.0)

# Cards by model: material, half their width, height, how they turn, metres up to which they are seen.
CARDS: dict[int, tuple[str, float, float, int, float]] = {
    ids.TONGUE: ("tongue", 0.5, 1.0, UPRIGHT, 60.0),
    ids.SPARK: ("spark", 0.5, 1.0, TO_THE_EYE, 40.0),
    ids.BLUE_MOTE: ("blue mote", 0.5, 1.0, TO_THE_EYE, 80.0),
    ids.VIOLET_MOTE: ("violet mote", 0.5, 1.0, TO_THE_EYE, 80.0),
    ids.PUFF: ("puff", 0.5, 1.0, TO_THE_EYE, 250.0),
    ids.GLOW: ("halo", 0.5, 1.0, TO_THE_EYE, 250.0),
    ids.BLUE_GLOW: ("blue halo", 0.5, 1.0, TO_THE_EYE, 250.0),
    ids.VIOLET_GLOW: ("violet halo", 0.5, 1.0, TO_THE_EYE, 250.0),
    ids.DROP: ("drop", 0.012, 0.5, UPRIGHT, 30.0),
}


def records() -> list[tuple[int, Record]]:
    """Cards, emitters, scripts and the table by id."""
    out: list[tuple[int, Record]] = []
    for model, (material, half, height, mode, far) in CARDS.items():
        levels = ids.LEVELS + model - ids.TONGUE
        middle = 0.0 if mode == UPRIGHT else height / 2
        made = gfx_obj(
            model, [card((-half, 0.0), (half, 0.0), low=-middle, high=height - middle, material=material)]
        )
        out.append((model, made._replace(flags=made.flags | HAS_DEGRADE, degrade=levels)))
        out.append(
            (
                levels,
                GfxObjDegradeInfo(
                    levels, (DegradeLevel(gfxobj=model, mode=mode, min=0.0, ideal=f32(far), max=f32(far)),)
                ),
            )
        )
    out += [(emitter.id, emitter) for emitter in EMITTERS]
    out += [(script.id, script) for script in scripts()]
    for number, script in ((ids.CHIMNEY_SMOKE, ids.SMOKE_SCRIPT), (ids.RAIN, ids.RAIN_SCRIPT)):
        out.append((number, setup(number, (), script=script, height=0.1, radius=0.1)))
    entered = PlayType(PORTAL_ENTRY, (ScriptChoice(1.0, ids.BURST_SCRIPT),))
    out.append((ids.PORTAL_TABLE, PhysicsScriptTable(ids.PORTAL_TABLE, (entered,))))
    return out


def _emitter(
    number: int, kind: int, model: int, *, every: float, most: int, life: tuple[float, float], **more: object
) -> ParticleEmitter:
    """An emitter that goes on for ever, unless ``more`` says otherwise."""
    none = (0.0, 0.0, 0.0)
    lifespan, lifespan_rand = life
    plain = ParticleEmitter(
        id=number, unknown=0, emitter_type=PER_SECOND, particle_type=kind, gfxobj=model, hw_gfxobj=model,
        birthrate=every, max_particles=most, initial_particles=0, total_particles=0, total_seconds=0.0,
        lifespan=lifespan, lifespan_rand=lifespan_rand, offset_dir=UP, min_offset=0.0, max_offset=0.0,
        a=none, min_a=1.0, max_a=1.0, b=none, min_b=1.0, max_b=1.0, c=none, min_c=1.0, max_c=1.0,
        start_scale=1.0, final_scale=1.0, scale_rand=0.0, start_trans=0.0, final_trans=1.0, trans_rand=0.0,
        parent_local=0,
    )  # fmt: skip
    return _single(plain._replace(**more))  # type: ignore[arg-type]


def _single(emitter: ParticleEmitter) -> ParticleEmitter:
    """The same with the numbers that single precision has."""
    values: dict[str, Any] = {}
    for name in ParticleEmitter._fields:
        value = getattr(emitter, name)
        if isinstance(value, tuple):
            values[name] = point(value)
        elif isinstance(value, float) and name not in {
            "birthrate",
            "total_seconds",
            "lifespan",
            "lifespan_rand",
        }:
            values[name] = f32(value)
    return emitter._replace(**values)


def _glow(number: int, model: int, size: float, brightness: float) -> ParticleEmitter:
    """A glow about a light: some cards upon each other, each born bright and fading: it hardly flickers."""
    faint = 1.0 - 2.0 * brightness / _GLOWING
    return _emitter(
        number, STILL, model, every=_GLOW_LIFE / _GLOWING, most=_GLOWING + 1, life=(_GLOW_LIFE, 0.0),
        start_scale=size, final_scale=size, start_trans=faint, final_trans=1.0,
    )  # fmt: skip


_GLOW_LIFE, _GLOWING = 2.0, 8  # seconds, and how many cards there are at a time

EMITTERS = (
    _glow(ids.LAMP_GLOW, ids.GLOW, 1.9, 1.0),
    _glow(ids.BOWL_GLOW, ids.GLOW, 2.1, 1.0),
    _glow(ids.CANDLE_GLOW, ids.GLOW, 0.5, 1.0),
    _glow(ids.STONE_GLOW, ids.BLUE_GLOW, 4.2, 1.4),
    _glow(ids.PORTAL_GLOW, ids.VIOLET_GLOW, 3.4, 1.2),
    _emitter(
        ids.HEARTH_FLAMES, PARABOLA, ids.TONGUE, every=0.05, most=20,
        life=(0.55, 0.2), max_offset=0.24, a=UP, min_a=0.25,
        max_a=0.6, start_scale=0.42, final_scale=0.14, scale_rand=0.1, start_trans=0.15,
    ),
    _emitter(
        ids.FIRE_SPARKS, PARABOLA, ids.SPARK, every=0.28, most=10,
        life=(1.3, 0.4), max_offset=0.2, a=(0.15, 0.1, 1.0),
        min_a=0.6, max_a=1.1, b=(-0.3, 0.1, 0.2), min_b=-1.0, start_scale=0.05, final_scale=0.025,
        start_trans=0.0, final_trans=0.9,
    ),
    _emitter(
        ids.BOWL_FLAMES, PARABOLA, ids.TONGUE, every=0.05, most=20,
        life=(0.6, 0.2), max_offset=0.2, a=UP, min_a=0.4,
        max_a=0.9, start_scale=0.5, final_scale=0.16, scale_rand=0.1, start_trans=0.15,
    ),
    _emitter(
        ids.BOWL_SMOKE, PARABOLA, ids.PUFF, every=0.45, most=10,
        life=(2.6, 0.4), max_offset=0.1, a=UP, min_a=0.5, max_a=0.7,
        start_scale=0.25, final_scale=0.9, start_trans=0.82,
    ),
    _emitter(
        ids.CANDLE_FLAME, PARABOLA, ids.TONGUE, every=0.12, most=5,
        life=(0.4, 0.1), max_offset=0.006, a=UP, min_a=0.05,
        max_a=0.09, start_scale=0.1, final_scale=0.1, scale_rand=0.015, start_trans=0.3, final_trans=0.8,
    ),
    _emitter(
        ids.STONE_MOTES, SWARM, ids.BLUE_MOTE, every=0.14, most=40,
        life=(5.0, 1.0), max_offset=0.3, a=UP, min_a=0.3,
        max_a=0.75, b=(1.3, 1.3, 0.0), min_b=0.6, max_b=1.4, c=(1.0, 1.0, 0.0), min_c=0.6, max_c=1.3,
        start_scale=0.2, final_scale=0.06, scale_rand=0.04, start_trans=0.1,
    ),
    _emitter(
        ids.PORTAL_MOTES, IMPLODE, ids.VIOLET_MOTE, every=0.06, most=48,
        life=(2.4, 0.2), offset_dir=(0.0, 0.8, 0.0),
        min_offset=1.2, max_offset=1.7, a=(1.25, 0.0, 0.0), c=(0.5, 0.5, 0.5), start_scale=0.18,
        final_scale=0.06, start_trans=0.2, final_trans=0.3, scale_rand=0.04,
    ),
    _emitter(
        ids.PORTAL_BURST, EXPLODE, ids.VIOLET_MOTE, every=1.0, most=40,
        life=(0.9, 0.3), initial_particles=40,
        total_particles=40, a=(2.5, 0.0, 0.4), min_a=0.6, c=(1.0, 1.0, 1.0), start_scale=0.22,
        final_scale=0.05,
    ),
    _emitter(
        ids.CHIMNEY_PUFFS, PARABOLA, ids.PUFF, every=0.25, most=40,
        life=(7.0, 1.5), max_offset=0.12, a=(0.12, 0.04, 0.8),
        min_a=0.8, max_a=1.2, b=(0.07, 0.03, -0.04), min_b=0.7, max_b=1.3, start_scale=0.5, final_scale=2.4,
        scale_rand=0.2, start_trans=0.45, trans_rand=0.05,
    ),
    _emitter(
        ids.GRINDING_SPARKS, PARABOLA, ids.SPARK, every=0.03, most=30, life=(0.45, 0.15), total_particles=22,
        max_offset=0.03,
        a=(0.25, -1.6, 0.9), min_a=0.5, max_a=1.1, b=(0.0, 0.0, -3.2), start_scale=0.07, final_scale=0.03,
        scale_rand=0.02, final_trans=0.6,
    ),
    _emitter(
        ids.RAINDROPS, PARABOLA, ids.DROP, every=0.02, most=70, life=(1.05, 0.1), min_offset=2.0,
        max_offset=6.0, a=(0.4, 0.2, -9.0), min_a=0.9, max_a=1.1, start_trans=0.35,
        final_trans=0.35,
    ),
)  # fmt: skip


def scripts() -> tuple[PhysicsScript, ...]:
    """One script for each thing that has effects. The portal's goes on for ever, as the game's do."""
    return (
        _script(ids.HEARTH_SCRIPT, (ids.HEARTH_FLAMES, (0.0, 0.4, 0.2)), (ids.FIRE_SPARKS, (0.0, 0.4, 0.4))),
        _script(
            ids.BOWL_SCRIPT,
            (ids.BOWL_FLAMES, (0.0, 0.0, 1.02)),
            (ids.FIRE_SPARKS, (0.0, 0.0, 1.3)),
            (ids.BOWL_SMOKE, (0.0, 0.0, 1.9)),
            (ids.BOWL_GLOW, (0.0, 0.0, 1.5)),
        ),
        _script(
            ids.CANDLE_SCRIPT, (ids.CANDLE_FLAME, (0.0, 0.0, 0.215)), (ids.CANDLE_GLOW, (0.0, 0.0, 0.28))
        ),
        _script(ids.STONE_SCRIPT, (ids.STONE_MOTES, (0.0, 0.0, 0.4)), (ids.STONE_GLOW, (0.0, 0.0, 2.0))),
        _script(ids.LAMP_SCRIPT, (ids.LAMP_GLOW, (0.0, 0.0, 2.8))),
        _script(ids.RAIN_SCRIPT, (ids.RAINDROPS, (0.0, 0.0, 7.0)), then=ids.RAIN_LOOP),
        _script(ids.RAIN_LOOP, then=ids.RAIN_LOOP),
        _script(
            ids.PORTAL_SCRIPT,
            (ids.PORTAL_MOTES, (0.0, 0.0, 0.0)),
            (ids.PORTAL_GLOW, (0.0, 0.0, 0.0)),
            part=1,
            then=ids.PORTAL_LOOP,
        ),
        _script(ids.PORTAL_LOOP, then=ids.PORTAL_LOOP),
        _script(ids.BURST_SCRIPT, (ids.PORTAL_BURST, (0.0, 0.0, 1.8))),
        _script(ids.SMOKE_SCRIPT, (ids.CHIMNEY_PUFFS, (0.0, 0.0, 0.0))),
    )


def _script(number: int, *made: tuple[int, Vec3], part: int = WHOLE, then: int = 0) -> PhysicsScript:
    items = []
    for emitter, at in made:
        frame = StoredFrame(point(at), IDENTITY_FRAME.orientation)
        items.append(ScriptItem(0.0, AnimationHook(CREATE_PARTICLE, 0, (emitter, part, frame, 0))))
    if then:
        items.append(ScriptItem(2.7, AnimationHook(CALL_SCRIPT, 0, (then, 0.0))))
    return PhysicsScript(number, tuple(items))


def smoke() -> tuple[Stab, ...]:
    """The smoke of the village's chimneys, at their mouths."""
    return tuple(
        Stab(ids.CHIMNEY_SMOKE, StoredFrame(place.put(at), IDENTITY_FRAME.orientation))
        for place, at in (
            (cottage.PLACE, cottage.CHIMNEY_MOUTH),
            (croft.PLACE, croft.CHIMNEY_MOUTH),
            (inn.PLACE, inn.CHIMNEY_MOUTH),
        )
    )
