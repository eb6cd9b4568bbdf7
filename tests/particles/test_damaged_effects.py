"""Effects with damaged records: told in one line or nothing, never a warning, a crash or a full memory."""

import math
import warnings

import pytest

from engine.dat.records.physics_script import PhysicsScript, ScriptItem
from engine.dat.values import IDENTITY_FRAME
from engine.particles.world_effects import SourceRecords
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
