"""Effects with damaged records: told in one line or nothing, never a warning, a crash or a full memory."""

import math
import warnings

import pytest

from engine.dat.records.physics_script import PhysicsScript, ScriptItem
from engine.dat.values import IDENTITY_FRAME
from engine.particles.effects import Effects, Standing
from engine.particles.world_effects import SourceRecords
from engine.world.frame import Frame
from engine.world.source import Problems
from tests.dat.bad_numbers import BAD, planted
from tests.particles.bench_parts import Shelf, owner, standard
from tests.particles.built_scripts import call, create, script

SOUND = standard(a=(1.0, 2.0, 3.0), particle_type=5, b=(1.0, 1.0, 1.0), c=(1.0, 0.0, 0.5))


class Source:
    """Gives one record for everything; models are there but for 0x01000099."""

    name = "made"

    def __init__(self, record):
        self.record = record

    def particle_emitter(self, _):
        return self.record

    physics_script = particle_emitter

    def gfx_obj(self, gfxobj_id):
        return None if gfxobj_id == 0x01000099 else object()


@pytest.mark.parametrize("number", BAD, ids=str)
def test_an_emitter_with_a_number_that_makes_no_sense_is_told_and_left_out(number):
    seen = 0
    for where, record in planted(SOUND, number):
        problems = Problems()
        records = SourceRecords(Source(record), problems)
        assert records.emitter(1) is None, where
        assert records.emitter(1) is None
        (line,) = problems.lines
        assert line.startswith("made, object 0x00000001: ")
        seen += 1
    assert seen == 30


def test_a_script_that_is_never_due_is_told_and_left_out():
    frame = replace_origin(math.inf)
    for item in (ScriptItem(math.nan, call(1)), ScriptItem(0.0, create(offset=frame))):
        problems = Problems()
        assert SourceRecords(Source(PhysicsScript(1, (item,))), problems).script(1) is None
        assert len(problems.lines) == 1


def replace_origin(x):
    return IDENTITY_FRAME._replace(origin=(x, 0.0, 0.0))


def test_a_model_that_is_not_there_makes_no_emitter_and_no_noise():
    problems = Problems()
    assert SourceRecords(Source(SOUND._replace(hw_gfxobj=0x01000099)), problems).emitter(1) is None
    assert problems.lines == []


def test_the_largest_numbers_that_are_allowed_make_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for change in (
            {"lifespan": 1e9},
            {"birthrate": -1e9},
            {"a": (1e6,) * 3, "max_a": 1e9},
            {"max_c": -1e9},
        ):
            record = SOUND._replace(initial_particles=4, **change)
            it = owner(Shelf(record))
            it.run_hook(create(record.id), 0.0)
            for k in range(1, 20):
                it.tick(k / 30, lambda _: True)
            emitter = it.emitters[1]
            it._pool.moment(20 / 30, 19 / 30, emitter.rows())


def test_a_script_that_goes_round_does_not_fill_the_memory():
    many = [(0.0, create())] * 50
    loop = script(0x33000001, *many, (0.01, call(0x33000001)))
    it = owner(Shelf(SOUND, loop))
    it.play(loop.id, 0.0)
    for k in range(1, 60):
        it.tick(k / 30, lambda _: True)
    assert len(it.emitters) == 256
    assert it._pool.room.take_lacks() == [
        "object 0x32000001: over 256 emitters on one thing; the rest is not born"
    ]


FULL = standard(max_particles=4096, initial_particles=4096, lifespan=1000.0, birthrate=0.5)


def test_an_owner_has_so_many_particles_on_all_its_emitters_together_and_more_are_told():
    other = FULL._replace(id=0x32000002)
    it = owner(Shelf(FULL, other))
    room = it._pool.room
    before = room.particles
    for key in range(1, 5):
        it.run_hook(create(other.id if key == 4 else FULL.id, key=key), 0.0)
    assert [it.emitters[key].living for key in range(1, 5)] == [4096, 4096, 0, 0]
    assert room.take_lacks() == ["object 0x32000001: over 8192 particles on one thing; the rest is not born"]
    for key in (1, 4):
        it.destroy(key)
    it.tick(1.0, lambda _: True)
    assert sum(emitter.living for emitter in it.emitters.values()) == 4097  # what went made room
    assert room.take_lacks() == []
    it.close()
    assert room.particles == before


def test_what_lived_its_time_makes_room():
    it = owner(Shelf(standard(initial_particles=20, max_particles=20, lifespan=0.01, birthrate=0.0)))
    it._room.particles = 20
    before = it._pool.room.particles
    it.run_hook(create(), 0.0)
    assert (it._room.particles, it._pool.room.particles) == (0, before - 20)
    it.tick(1 / 30, lambda _: True)
    assert (it._room.particles, it._pool.room.particles) == (19, before - 1)
    assert it._pool.room.take_lacks() == []


def test_an_emitter_that_is_made_anew_all_the_time_bears_so_many_at_most():
    it = owner(Shelf(FULL._replace(initial_particles=10)))
    it._room.births = 25
    for _ in range(4):
        it.run_hook(create(FULL.id, key=1), 0.0)
    assert it.emitters[1].total == 0
    assert "over 65536 births on one thing" in it._pool.room.take_lacks()[0]


def crowd(count):
    """So many owners, each of one of two small emitters with three particles that hardly die."""
    record = standard(initial_particles=3, max_particles=3, lifespan=1000.0)
    other = record._replace(id=0x32000002)
    plays = [script(0x33000001 + n, (0.0, create(one.id))) for n, one in enumerate((record, other))]
    effects = Effects(Shelf(record, other, *plays))
    for number in range(count):
        effects.add(number, Standing(0xA9B40105, Frame((10.0, 10.0, 0.0)), script=plays[number % 2].id))
    return effects


@pytest.mark.parametrize(
    ("what", "left", "line"),
    [
        ("particles", 20, "over 131072 particles"),
        ("births", 20, "over 2000000 births"),
        ("emitters", 7, "over 16384 emitters"),
    ],
)
def test_all_owners_together_have_so_many_and_more_are_told_once(what, left, line):
    effects = crowd(8)
    effects.advance(10)
    room = effects.pool.room
    setattr(room, what, left)
    effects.shown(10 / 30, (0.0, 0.0, 0.0), lambda *_: True)
    owners = [owner for generations in effects.owners.values() for owner in generations.owners.values()]
    living = sum(emitter.living for owner in owners for emitter in owner.emitters.values())
    assert living == (21 if what == "emitters" else 20)
    (told,) = room.take_lacks()
    assert told.startswith("object 0x3200000")
    assert told.endswith(f": {line} on all things together; the rest is not born")
    for number in range(8):
        effects.remove(number)
    if what == "births":
        effects.advance(11)  # each tick has its own
    assert getattr(room, what) == (2_000_000 if what == "births" else left)


def test_scripts_of_all_owners_together_run_so_many_hooks_and_then_end():
    """A thousand hooks a tick of a thousand things, twenty bytes each, took ten minutes to show."""
    busy = script(0x33000001, *[(0.0, call(0x33000099, 1.0))] * 50, (1 / 30, call(0x33000001)))
    effects = Effects(Shelf(busy))
    for number in range(3):
        effects.add(number, Standing(0xA9B40105, Frame((10.0, 10.0, 0.0)), script=busy.id))
    effects.advance(10)
    effects.pool.room.work = 1000
    effects.shown(10 / 30, (0.0, 0.0, 0.0), lambda *_: True)
    owners = [owner for generations in effects.owners.values() for owner in generations.owners.values()]
    assert effects.pool.room.work > -5000  # some loops of each: without a bound 100,000
    assert not any(owner.queue for owner in owners)
    (told,) = effects.pool.room.take_lacks()
    assert told.endswith("together is over 16777216 steps; the rest is not done")


def test_what_moves_far_too_many_parts_moves_no_more():
    class Wheel:
        weight = 100

        def parts(self, now):
            return (Frame((now, 0.0, 0.0)),)

        def hooks(self, start, end):
            return [create(key=1)]

    it = owner(Shelf(standard()))
    it.move_by(Wheel(), 0.0)
    it.tick(1.0, lambda _: True)
    assert it.parts[0].origin[0] == 1.0
    it._pool.room.work = 50
    it.tick(2.0, lambda _: True)
    assert it.parts[0].origin[0] == 1.0
    assert len(it._pool.room.take_lacks()) == 1
