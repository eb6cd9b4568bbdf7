"""A record of each type that moves things: setup, animation, motion table, script, emitter."""

from engine.dat.pieces.hooks import AnimationHook, AnimFrame
from engine.dat.records.animation import Animation
from engine.dat.records.motion_table import AnimData, Link, LinkTarget, MotionData, MotionTable, StyleDefault
from engine.dat.records.particle_emitter import ParticleEmitter
from engine.dat.records.physics_script import PhysicsScript, ScriptItem
from engine.dat.records.physics_script_table import PhysicsScriptTable, PlayType, ScriptChoice
from engine.dat.records.setup import NO_PARENT, Light, Location, Placement, Setup
from engine.dat.values import IDENTITY_FRAME, CylSphere, Sphere
from tests.dat.sample_pieces import ALL_HOOKS, BALL, GARBAGE, TURNED

SETUP = Setup(
    id=0x02000001,
    flags=11,
    parts=(0x01000010, 0x01000010),
    parents=(NO_PARENT, 0),
    scales=((1.0, 1.0, 1.0), (2.0, 2.0, 0.5)),
    holding=(Location(1, 0, TURNED),),
    connection=(Location(2, 1, TURNED),),
    placements=(
        Placement(0, (IDENTITY_FRAME, TURNED)),
        Placement(0x65, (TURNED, TURNED), (AnimationHook(1, 0, (0x0A000001,)),)),
    ),
    cylspheres=(CylSphere((0.0, 0.0, 0.5), 0.25, 1.0),),
    spheres=(Sphere((0.0, 0.0, 0.018), 0.1),),
    height=2.0,
    radius=0.5,
    step_up=0.4,
    step_down=0.3,
    sorting=BALL,
    selection=BALL,
    lights=(Light(key=0, frame=TURNED, color=0xFFFFAA00, intensity=100.0, falloff=6.0, cone=GARBAGE),),
    animation=0x03000001,
    script=0x33000001,
    motion_table=0x09000001,
    sound_table=0x20000001,
    script_table=0x34000001,
)


ANIMATION = Animation(
    id=0x03000001, flags=3, num_parts=2, pos_frames=(TURNED, IDENTITY_FRAME),
    frames=(AnimFrame((TURNED, IDENTITY_FRAME), ALL_HOOKS[:3]), AnimFrame((IDENTITY_FRAME, TURNED))),
)  # fmt: skip


STRETCH = AnimData(0x03000001, 0, -1, -15.0)


MOTION_TABLE = MotionTable(
    id=0x09000001,
    default_style=0x8000003D,
    style_defaults=(StyleDefault(0x8000003D, 0x4000000C),),
    cycles=(MotionData(0x003D000B, 1, 0, (STRETCH,)), MotionData(0x003D000C, 0, 0, ())),
    modifiers=(
        MotionData(
            key=0x003D0007, bits=2, flags=3, anims=(), velocity=(0.0, 1.0, 0.0), omega=(0.0, 0.0, 0.5)
        ),
    ),
    links=(
        Link(
            0x003D000C,
            (
                LinkTarget(
                    target=0x4000000B, bits=0, flags=1, anims=(STRETCH, STRETCH), velocity=(1.0, 0.0, 0.0)
                ),
            ),
        ),
    ),
)


PHYSICS_SCRIPT = PhysicsScript(
    0x33000001, tuple(ScriptItem(0.25 * position, hook) for position, hook in enumerate(ALL_HOOKS))
)


EMITTER = ParticleEmitter(
    id=0x32000001,
    unknown=5,
    emitter_type=1,
    particle_type=3,
    gfxobj=0x01000010,
    hw_gfxobj=0x01000010,
    birthrate=0.05,
    max_particles=40,
    initial_particles=10,
    total_particles=0,
    total_seconds=0.0,
    lifespan=1.5,
    lifespan_rand=0.5,
    offset_dir=(0.0, 0.0, 1.0),
    min_offset=0.125,
    max_offset=0.25,
    a=(0.0, 0.5, 2.0),
    min_a=0.75,
    max_a=1.25,
    b=(0.0, 0.0, -1.0),
    min_b=1.0,
    max_b=1.0,
    c=(0.25, 0.0, 0.0),
    min_c=-1.0,
    max_c=1.0,
    start_scale=0.5,
    final_scale=1.5,
    scale_rand=0.125,
    start_trans=0.25,
    final_trans=1.0,
    trans_rand=0.0625,
    parent_local=1,
)


SCRIPT_TABLE = PhysicsScriptTable(
    0x34000001,
    (PlayType(0x4B, (ScriptChoice(0.0, 0x33000001), ScriptChoice(1.0, 0x33000001))), PlayType(0x53, ())),
)
