"""All owners together: what is shown at a time, and what it costs (particles 6, 7.6, 10.6)."""

import sys

import numpy as np
import pytest

from engine.dat.records.gfx_obj_degrade_info import DegradeLevel
from engine.particles.effects import Effects, Standing
from engine.particles.generations import GENERATION, QUANTUM, TickAt
from engine.particles.looks import Look
from engine.world.frame import Frame
from tests.particles.bench_parts import NOWHERE, Shelf, age, standard, started
from tests.particles.built_scripts import call, create, mark, script

ROOM, FIELD = 0xA9B40105, 0xA9B40001
EYE = (0xA9 * 192.0 + 10.0, 0xB4 * 192.0 + 10.0, 0.0)
PLAY = script(0x33000001, (0.0, create()))
CARD = (DegradeLevel(gfxobj=0x01000001, mode=2, min=0.0, ideal=40.0, max=60.0),)
FAST = standard(birthrate=0.1, lifespan=2.0, max_particles=50, max_offset=1.0, particle_type=2, a=(0, 0, 1.0))


def standing(cell_id=ROOM, x=10.0, script_id=PLAY.id, **more):
    return Standing(cell_id, Frame((x, 10.0, 0.0)), script=script_id, **more)


def world(record, *things, more=(), looks=None, seed=1):
    effects = Effects(Shelf(record, PLAY, *more, looks=looks), seed)
    for number, thing in enumerate(things):
        effects.add(number, thing)
    return effects


def at(effects, tick, eye=EYE, part=0.0, *, needed=True):
    effects.advance(tick)
    return effects.shown((tick + part) * QUANTUM, eye, lambda *_: needed)


def same(one, two):
    return all(
        np.array_equal(np.sort(getattr(one, name), axis=0), np.sort(getattr(two, name), axis=0))
        for name in ("places", "alphas", "far", "cells")
    )


@pytest.mark.parametrize("tick", [0, 7, GENERATION - 1, GENERATION, GENERATION + 1, 5 * GENERATION + 100])
def test_a_moment_is_the_same_however_one_came_to_it(tick):
    """From nothing, tick by tick, by leaps, and with others about."""
    at_once = at(world(FAST, standing()), tick)
    assert len(at_once) > 10
    walked = world(FAST, standing())
    start = max(0, tick - GENERATION - 50)
    at(walked, start)
    for k in range(start, tick + 1):
        walked.advance(k)
    assert same(at(walked, tick), at_once)
    leaping = world(FAST, standing())
    for k in range(0, tick, 97):
        at(leaping, k)
    assert same(at(leaping, tick), at_once)
    among = at(world(FAST, standing(), standing(FIELD, 30.0)), tick)
    mine = among.cells == ROOM
    assert np.array_equal(np.sort(among.places[mine], axis=0), np.sort(at_once.places, axis=0))
    assert not same(at(world(FAST, standing(), seed=2), tick), at_once)


def test_generations_leave_no_seam():
    """As many live at every time, and those that were seen go on until they die."""
    effects = world(FAST, standing())
    counts = [len(at(effects, k)) for k in range(GENERATION - 40, 2 * GENERATION + 40)]
    steady = round(2.0 / (4 * QUANTUM))
    assert min(counts) >= steady - 3
    assert max(counts) <= steady + 5
    before = at(effects, 3 * GENERATION - 1)
    after = at(effects, 3 * GENERATION)
    held = {round(float(x), 4) for x in before.places[:, 0]} & {
        round(float(x), 4) for x in after.places[:, 0]
    }
    assert len(held) >= len(before) - 2


@pytest.mark.parametrize("first", [100, 2 * GENERATION - 4])
def test_a_moment_is_the_same_when_one_has_come_back_to_it_tick_by_tick(first):
    """Whatever was born or died between: something of both is in eight ticks."""
    effects = world(FAST, standing())
    at(effects, first)
    for tick in range(first + 8, first, -1):
        assert same(at(effects, tick), at(world(FAST, standing()), tick))


def test_a_time_is_at_a_tick_or_between_two():
    for tick in (0, 1, 100, 2_592_000):
        assert TickAt.of(tick * QUANTUM) == (tick, False)
        assert TickAt.of((tick + 0.01) * QUANTUM) == (tick, True)


def test_a_picture_goes_back_behind_the_last_tick():
    effects = world(FAST, standing())
    shown = at(effects, 100)
    effects.advance(99, between=True)
    assert len(effects.shown(99.5 * QUANTUM, EYE, lambda *_: True)) >= len(shown) - 1
    assert not effects.owners[0].is_behind


def test_what_is_not_needed_waits_for_its_turn():
    effects = world(FAST, standing())
    assert len(at(effects, 10, needed=False)) == 0
    assert effects.owners[0].is_behind
    effects.advance(14, more=1.0)
    assert not effects.owners[0].is_behind
    assert len(effects.shown(14 * QUANTUM, EYE, lambda *_: False)) > 5


def test_G5_the_edge_of_what_counts():
    look = {0x01000001: Look.of(0x01000001, CARD)}
    for x, seen in ((70.0, True), (70.01, False)):
        effects = world(standard(birthrate=0.1), standing(x=x), looks=look)
        assert (len(at(effects, 60)) > 0) is seen


def test_G7_a_room_out_of_sight_goes_on():
    effects = world(FAST, standing(ROOM))
    at(effects, 10)
    before = effects.owners[0].owners[0].emitters[1].total
    for k in range(11, 60):
        effects.advance(k)
    assert effects.owners[0].owners[0].emitters[1].total > before + 5


def test_G8_unseen_an_emitter_waits_or_ages():
    waiting = started(standard(birthrate=0.5, lifespan=3.0, initial_particles=1))
    ageing = started(standard(birthrate=0.5, lifespan=3.0, initial_particles=1, total_seconds=60.0))
    for emitter in (waiting, ageing):
        for k in range(1, 5):
            emitter.update(0.5 * k, NOWHERE, drawn=False)
    assert (age(waiting, 0, 2.0), waiting.total) == (0.0, 1)
    assert (age(ageing, 0, 2.0), ageing.total, ageing.living) == (2.0, 3, 1)


def test_an_object_in_no_cell_counts_as_unseen():
    effects = world(standard(birthrate=0.1, lifespan=100.0), standing(0))
    assert len(at(effects, 60)) == 0


def test_what_goes_takes_its_particles_along():
    effects = world(FAST, standing(), standing(FIELD))
    at(effects, 30)
    effects.remove(0)
    assert set(at(effects, 30).cells.tolist()) == {FIELD}
    effects.remove(1)
    effects.remove(1)
    assert len(effects.pool) == len(at(effects, 31)) == 0


def test_particles_are_with_the_cell_of_their_owner_wherever_they_fly():
    effects = world(standard(birthrate=0.1, particle_type=2, a=(50.0, 0, 0), parent_local=1), standing())
    assert set(at(effects, 30).cells.tolist()) == {ROOM}
    effects.place(0, FIELD, Frame((10.0, 10.0, 0.0)), ())
    assert set(at(effects, 33).cells.tolist()) == {FIELD}


def test_places_are_relative_to_the_eye_across_blocks():
    effects = world(standard(birthrate=0.1), standing(0xAAB40101, x=2.0))
    shown = at(effects, 40, (EYE[0] + 100.0, *EYE[1:]))
    assert len(shown) > 3
    assert {tuple(place) for place in shown.places.tolist()} == {(192.0 + 2.0 - 110.0, 0.0, 0.0)}
    assert {tuple(middle) for middle in shown.middles.tolist()} == {(84.0, 0.0, 0.0)}


def test_invisible_particles_and_levels_without_a_model_are_left_out():
    plain = standard(birthrate=0.1, lifespan=3.0)
    count = len(at(world(plain, standing()), 30))
    fading = at(world(plain._replace(start_trans=1.0, final_trans=1.0), standing()), 30)
    assert (count > 5, len(fading)) == (True, 0)
    half = at(world(plain._replace(start_trans=0.5, final_trans=0.5), standing()), 30)
    assert set(half.alphas.tolist()) == {float(np.float32(127 / 255))}
    far = (
        DegradeLevel(gfxobj=0x01000001, mode=2, min=0, ideal=10, max=90),
        DegradeLevel(gfxobj=0, mode=1, min=0, ideal=90, max=99),
        DegradeLevel(gfxobj=0, mode=1, min=0, ideal=0, max=0),
    )
    effects = world(plain, standing(x=75.0), looks={0x01000001: Look.of(0x01000001, far)})
    assert len(at(effects, 30)) == 0
    near = (EYE[0] + 60.0, *EYE[1:])
    assert set(at(effects, 30, near).models.tolist()) == {0x01000001}


def test_between_ticks_particles_go_on_but_strobes_do_not():
    moving = {"particle_type": 2, "a": (3.0, 0.0, 0.0), "birthrate": 0.0}
    for lifespan, moves in ((2.0, True), (0.05, False)):
        effects = world(standard(lifespan=lifespan, **moving), standing())
        one, two = (at(effects, 30, part=part).places[:, 0].max() for part in (0.1, 0.6))
        assert bool(two > one) is moves


def test_a_script_without_an_end_is_told():
    endless = script(0x33000002, (0.0, mark(1)), (0.0, call(0x33000002)))
    effects = world(FAST, more=(endless,))
    effects.add("it", standing(script_id=endless.id))
    at(effects, 5)
    assert effects.looped == ["it"]


def calls_of_a_frame(emitters, particles):
    """Calls of functions, numpy's and Python's own too, in a frame of spinning cards; how many are shown."""
    record = standard(
        birthrate=0.05, max_particles=particles + 1, lifespan=0.05 * particles, lifespan_rand=0.2,
        particle_type=4, max_offset=0.5, a=(0, 0, 1.0), c=(0, 0, 1.0), final_trans=1.0,
    )  # fmt: skip
    looks = {0x01000001: Look.of(0x01000001, CARD)}
    effects = world(record, *(standing(x=float(n % 40)) for n in range(emitters)), looks=looks)
    at(effects, 100)
    calls, frames = 0, 48

    def count(_, event, __):
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        for k in range(frames):  # 60 a second
            tick = 100 + k // 2
            effects.advance(tick)
            shown = effects.shown((tick + k % 2 / 2) * QUANTUM, EYE, lambda *_: False)
    finally:
        sys.setprofile(None)
    return calls / frames, len(shown)


def test_only_births_cost_calls_however_many_particles_there_are():
    """What a thousand of them take is measured by the bench."""
    few, some = calls_of_a_frame(50, 4)
    many, most = calls_of_a_frame(50, 40)
    assert most > 1000 and most > 8 * some
    assert many < 1.05 * few
    assert calls_of_a_frame(100, 4)[0] < 2.1 * few
