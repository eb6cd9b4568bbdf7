"""What is lived through before somebody looks for the first time (particles 3, 6.4)."""

import math

import numpy as np
import pytest

from engine.dat.records.particle_emitter import PER_METRE, PER_SECOND
from engine.particles.effects import Effects, Standing
from engine.particles.generations import GENERATION, QUANTUM, Generations
from engine.world.frame import Frame
from tests.particles.bench_parts import Shelf, standard
from tests.particles.built_scripts import call, create, script

ROOM = 0xA9B40105
EYE = (0xA9 * 192.0 + 10.0, 0xB4 * 192.0 + 10.0, 0.0)
SMOKE = standard(
    id=0x32000011, birthrate=0.14, lifespan=3.0, lifespan_rand=1.5, max_particles=50, max_offset=1.0,
    particle_type=2, a=(0.0, 0.0, 1.0), min_a=0.5, scale_rand=0.2, trans_rand=0.1,
)  # fmt: skip
SPARKS = SMOKE._replace(id=0x32000012, birthrate=0.05, lifespan=0.4, particle_type=6, c=(1.0, 1.0, 1.0))
NARROW = SMOKE._replace(id=0x32000013, birthrate=0.01, max_particles=3)
NONE = SMOKE._replace(id=0x32000014, max_particles=0)
PUFF = SMOKE._replace(id=0x32000015, total_particles=5, initial_particles=2)
BRIEF = SMOKE._replace(id=0x32000016, total_seconds=6.0)
LONG = SMOKE._replace(id=0x32000017, lifespan=20.0, lifespan_rand=4.0)
STEPS = SMOKE._replace(id=0x32000018, emitter_type=PER_METRE, initial_particles=4)
BOTH = SMOKE._replace(id=0x32000019, emitter_type=PER_METRE | PER_SECOND)
UPRIGHT = SMOKE._replace(id=0x3200001A, offset_dir=(0.0, 0.0, 0.0), parent_local=1)
ALL = (SMOKE, SPARKS, NARROW, NONE, PUFF, BRIEF, LONG, STEPS, BOTH, UPRIGHT)
SCRIPTS = {
    **{f"{record.id:08X}": ((0.0, create(record.id)),) for record in ALL},
    "two at once": ((0.0, create(SMOKE.id)), (0.0, create(SPARKS.id))),
    "one after the other": ((0.0, create(NARROW.id, key=1)), (2.5, create(SPARKS.id, key=1))),
    "one among others": ((0.0, create(LONG.id)), (1.0, create(PUFF.id)), (3.3, create(BRIEF.id))),
    "again and again": ((0.0, create(SPARKS.id, key=1)), (1.7, call(0x33000001))),
    "after a pause": ((0.0, create(SMOKE.id, key=1)), (0.5, call(0x33000001, 3.0))),
}


def begun(items, cell_id=ROOM, *, static=True):
    effects = Effects(Shelf(script(0x33000001, *items), *ALL))
    standing = Standing(cell_id, Frame((10.0, 10.0, 0.0)), script=0x33000001, static=static)
    effects.add(0, standing)
    return effects


def shown(effects, tick):
    """All numbers of what is shown at a tick, a row a particle, in an order of their own."""
    effects.advance(tick)
    found = effects.shown(tick * QUANTUM, EYE, lambda *_: True)
    columns = (found.places, found.axes.reshape(-1, 9), found.alphas[:, None], found.models[:, None])
    rows = np.concatenate(columns, axis=1)
    return rows[np.lexsort(rows.T)]


@pytest.mark.parametrize("static", [True, False])
@pytest.mark.parametrize("items", SCRIPTS.values(), ids=SCRIPTS)
def test_what_is_lived_through_unseen_is_what_is_lived_tick_by_tick(items, static):
    """To the last bit, at once and afterwards: numbers are taken for what nobody sees, too."""
    walked = begun(items, static=static)
    shown(walked, 0)
    first, then = 2 * GENERATION, 2 * GENERATION + 100
    for tick in range(1, first):
        walked.advance(tick)
    at_once, later = begun(items, static=static), begun(items, static=static)
    assert np.array_equal(shown(at_once, first), shown(walked, first))
    for tick in range(first + 1, then):
        walked.advance(tick)
        at_once.advance(tick)
    expected = shown(walked, then)
    assert np.array_equal(shown(at_once, then), expected)
    assert np.array_equal(shown(later, then), expected)


def test_what_is_in_no_cell_waits_as_it_does_tick_by_tick():
    at_once, walked = (begun(SCRIPTS["one among others"], cell_id=0) for _ in range(2))
    shown(walked, 0)
    for tick in range(1, 2 * GENERATION):
        walked.advance(tick)
    for effects in (at_once, walked):
        assert len(shown(effects, 2 * GENERATION)) == 0
        effects.place(0, ROOM, Frame((10.0, 10.0, 0.0)), ())
    assert np.array_equal(shown(at_once, 2 * GENERATION + 60), shown(walked, 2 * GENERATION + 60))


def test_what_is_dead_when_somebody_looks_takes_no_row(monkeypatch):
    """Two hundred are born, and live for less than two seconds."""
    effects = begun(SCRIPTS[f"{SPARKS.id:08X}"])
    taken = []
    take = effects.pool.take
    monkeypatch.setattr(effects.pool, "take", lambda *args, **more: taken.append(1) or take(*args, **more))
    shown(effects, GENERATION + 100)
    born = sum(one.total for owner in effects.owners[0].owners.values() for one in owner.emitters.values())
    assert born > 200
    assert len(effects.pool) <= len(taken) < born / 5


@pytest.mark.parametrize("items", SCRIPTS.values(), ids=SCRIPTS)
def test_what_is_born_before_its_generation_is_seen_takes_no_row_and_none_misses_it(items, monkeypatch):
    ticks = (GENERATION - 1, GENERATION + 5, 2 * GENERATION + 50)
    effects = begun(items)
    found = [shown(effects, tick) for tick in ticks]
    unseen = effects.owners[0].owners[3]
    assert unseen.emitters
    assert not any(one.rows() for one in unseen.emitters.values())
    warm_up = Generations._warm_up

    def keep_all(self, number):
        owner = warm_up(self, number)
        owner.shown_from = -math.inf
        return owner

    monkeypatch.setattr(Generations, "_warm_up", keep_all)
    whole = begun(items)
    assert all(np.array_equal(shown(whole, tick), rows) for tick, rows in zip(ticks, found, strict=True))
