"""Scripts, their queue, and what hooks do to an owner (particles 1.4, 2, 10.1, 10.8)."""

import math

import pytest

from engine.dat.pieces.hooks import AnimationHook
from engine.dat.records.physics_script_table import PhysicsScriptTable, PlayType, ScriptChoice
from engine.dat.values import IDENTITY_FRAME
from engine.particles.script_queue import MOST_PAUSES, Pauses, ScriptQueue
from engine.world.frame import Frame
from tests.particles.bench_parts import NOWHERE, Rolls, Shelf, owner, standard
from tests.particles.built_scripts import EMITTER, WHOLE, call, create, mark, script

OTHER = standard(id=0x32000002, birthrate=0.1)


def destroy(key):
    return AnimationHook(0x0E, 0, (key,))


def stop(key):
    return AnimationHook(0x0F, 0, (key,))


def fired(queue, times, shelf=None):
    """(time, hook's first value) of all hooks, with calls carried out."""
    out = []
    for now in times:

        def run(hook, now=now):
            out.append((round(now, 4), hook.values[0]))
            if hook.type == 0x13:
                queue.add(shelf[hook.values[0]], now)

        queue.update(now, run)
    return out


def every(step, until, start=0.0):
    return [round(start + step * k, 9) for k in range(int((until - start) / step + 1.5))]


def test_K1_hooks_fire_in_the_first_update_after_their_time():
    queue = ScriptQueue()
    queue.add(script(1, (0.0, mark(0)), (0.5, mark(1)), (1.0, mark(2))), 10.0)
    assert fired(queue, every(0.2, 12.0, 10.0)) == [(10.0, 0), (10.6, 1), (11.0, 2)]
    assert len(queue) == 0


def test_K2_a_script_begins_where_the_last_one_ends():
    queue = ScriptQueue()
    queue.add(script(1, (0.0, mark(0)), (1.0, mark(1))), 0.0)
    queue.add(script(2, (0.25, mark(2))), 0.0)
    assert fired(queue, every(0.1, 2.0)) == [(0.0, 0), (1.0, 1), (1.3, 2)]


def test_K3_two_scripts_that_call_each_other_do_not_drift():
    one, two = (
        script(0x33000000 + n, (0.0, mark(n)), (2.8, call(0x33000000 + other)))
        for n, other in ((1, 2), (2, 1))
    )
    queue = ScriptQueue()
    queue.add(one, 0.0)
    found = fired(queue, [k / 30 for k in range(400)], {one.id: one, two.id: two})
    starts = [now for now, value in found if value in (1, 2)]
    assert starts == pytest.approx([0.0, 2.8, 5.6, 8.4, 11.2], abs=1 / 30 + 1e-6)
    assert max(now - due for now, due in zip(starts, (0.0, 2.8, 5.6, 8.4, 11.2), strict=True)) < 1 / 30 + 1e-6


def test_K4_all_that_is_due_fires_at_once_in_order():
    queue = ScriptQueue()
    queue.add(script(1, *((t, mark(n)) for n, t in enumerate((0.0, 0.1, 0.2, 5.0)))), 0.0)
    assert fired(queue, [3.0, 4.0, 5.0]) == [(3.0, 0), (3.0, 1), (3.0, 2), (5.0, 3)]


def test_K5_the_worked_script_comes_and_goes():
    worked = script(0x33000AAA, (0.0, create(key=7)), (2.5, stop(7)), (4.0, call(0x33000AAA)))
    it = owner(Shelf(EMITTER, worked))
    it.play(worked.id, 0.0)
    runs, stops = [], []
    known = None
    for k in range(1, 330):
        it.tick(k / 30, lambda _: True)
        now = it.emitters.get(7)
        if now is not None and now is not known:
            runs.append(k / 30)
        if now is not None and now.stopped and (not stops or stops[-1][1] is not now):
            stops.append((k / 30, now))
        known = now or known
    assert runs == pytest.approx([1 / 30, 4.0, 8.0], abs=0.04)
    assert [time for time, _ in stops] == pytest.approx([2.5, 6.5, 10.5], abs=0.04)


def test_K6_one_emitter_for_ever_and_a_sound_that_comes_again():
    portal = script(0x33000001, (0.0, create()), (0.0, create(0x32000077)), (2.7, call(0x33000002)))
    loop = script(0x33000002, (2.7, call(0x33000002)))
    it = owner(Shelf(EMITTER, portal, loop))
    it.play(portal.id, 0.0)
    for k in range(1, 600):
        it.tick(k / 30, lambda _: True)
    assert list(it.emitters) == [1]
    assert it.emitters[1].total > 10
    assert len(it.queue) == 1


def test_K7_a_call_with_a_pause_comes_after_a_part_of_it():
    called = script(0x33000002, (0.0, create()))
    caller = script(0x33000001, (0.0, call(called.id, 30.0)))
    it = owner(Shelf(EMITTER, called, caller), rolls=Rolls(0.4))
    it.play(caller.id, 0.0)
    for now, emitters in ((0.1, 0), (12.0, 0), (12.1, 0), (12.2, 1)):
        it.tick(now, lambda _: True)
        assert len(it.emitters) == emitters, now


def test_K8_no_table_or_no_cell_no_script():
    table = PhysicsScriptTable(0x34000001, (PlayType(0x53, (ScriptChoice(1.0, 0x33000001),)),))
    shelf = Shelf(EMITTER, table, script(0x33000001, (0.0, create())))
    for cell_id, table_id, queued in ((1, table.id, 1), (0, table.id, 0), (1, 0, 0), (1, 0x34000002, 0)):
        it = owner(shelf, cell_id, script_table=table_id)
        it.play_type(0x53, 0.5, 0.0)
        assert len(it.queue) == queued
    it = owner(shelf, script_table=table.id)
    it.play_type(0x53, 1.5, 0.0)
    it.run_hook(AnimationHook(0x11, 0, ()), 0.0)
    assert len(it.queue) == 0
    it.default_play = (0x53, 0.0)
    it.run_hook(AnimationHook(0x11, 0, ()), 0.0)
    assert len(it.queue) == 1


@pytest.mark.parametrize(
    ("case", "record", "part", "made"),
    [
        ("R7", standard(hw_gfxobj=0), WHOLE, False), ("R8-beyond", EMITTER, 1, False),
        ("R8-part", EMITTER, 0, True), ("R8-whole", EMITTER, WHOLE, True),
    ],
)  # fmt: skip
def test_what_can_be_created(case, record, part, made):
    it = owner(Shelf(record), parts=(Frame((1.0, 2.0, 3.0)),))
    it.run_hook(create(record.id, part=part), 0.0)
    assert (len(it.emitters) == 1) is made
    it.run_hook(create(0x32009999), 0.0)
    assert (len(it.emitters) == 1) is made


def test_R9_names_count_from_one_and_a_name_in_use_is_taken_over():
    it = owner(Shelf(EMITTER, OTHER))
    for key in (0, 0, 7):
        it.run_hook(create(key=key), 0.0)
    assert list(it.emitters) == [1, 2, 7]
    it.run_hook(create(OTHER.id, key=7), 0.6)
    assert sorted(it.emitters) == [1, 2, 7]
    assert (it.emitters[7].record, it.emitters[7].last_emit) == (OTHER, 0.6)


def test_R10_what_is_stopped_and_destroyed_goes_by_its_name():
    it = owner(Shelf(standard(initial_particles=3)))
    for _ in "ab":
        it.run_hook(create(), 0.0)
    assert len(it._pool) == 6
    it.run_hook(destroy(1), 0.0)
    assert (list(it.emitters), len(it._pool)) == ([2], 3)
    for hook in (destroy(9), stop(9), destroy(0), stop(0)):
        it.run_hook(hook, 0.0)
    assert not it.emitters[2].stopped
    it.run_hook(stop(2), 0.0)
    assert it.emitters[2].stopped
    it.close()
    assert len(it._pool) == 0


def test_R11_a_blocking_create_lets_what_lives_live():
    it = owner(Shelf(EMITTER, OTHER))
    it.run_hook(create(key=7, blocking=True), 0.0)
    it.run_hook(create(OTHER.id, key=7, blocking=True), 1.0)
    assert it.emitters[7].record is EMITTER
    it.run_hook(destroy(7), 2.0)
    it.run_hook(create(OTHER.id, key=7, blocking=True), 2.0)
    assert it.emitters[7].record is OTHER


def test_a_failed_create_still_takes_the_place_of_the_old_one():
    it = owner(Shelf(EMITTER, standard(id=0x32000009, hw_gfxobj=0)))
    it.run_hook(create(key=7), 0.0)
    it.run_hook(create(0x32000009, key=7), 0.0)
    assert not it.emitters


def test_a_script_that_never_ends_is_dropped_and_said():
    endless = script(0x33000001, (0.0, call(0x33000001)))
    it = owner(Shelf(endless))
    it.play(endless.id, 0.0)
    it.tick(0.1, lambda _: True)
    assert it.looped
    assert len(it.queue) == 0


def test_scripts_that_wait_for_their_pause_are_so_many_at_most():
    doubling = script(0x33000001, *[(0.0, call(0x33000001, 0.1))] * 2)
    it = owner(Shelf(doubling))
    it.play(doubling.id, 0.0)
    for tick in range(1, 120):
        it.tick(tick / 30, lambda _: True)
        assert len(it._pauses) <= MOST_PAUSES
    assert len(it._pauses) == MOST_PAUSES


def test_nothing_waits_once_a_script_never_ended():
    endless = script(0x33000001, (0.0, call(0x33000001, 9.0)), (0.0, call(0x33000001)))
    it = owner(Shelf(endless))
    it.play(endless.id, 0.0)
    it.tick(0.1, lambda _: True)
    assert it.looped
    assert len(it._pauses) == 0


@pytest.mark.parametrize("pause", [math.inf, 1e308])
def test_a_script_whose_pause_never_ends_does_not_wait(pause):
    pauses = Pauses()
    pauses.add(1, pause * 10.0)
    pauses.add(2, pause * 0.0)
    assert len(pauses) == (0 if pause == math.inf else 1)


def test_an_empty_script_takes_no_place_in_the_queue():
    queue = ScriptQueue()
    queue.add(script(1), 0.0)
    assert len(queue) == 0


def test_scripts_come_in_the_order_of_their_calls_where_many_pauses_have_ended():
    pauses = Pauses()
    for number, when in enumerate((3.0, 1.0, 2.0, 9.0)):
        pauses.add(number, when)
    assert pauses.due == 1.0
    assert pauses.take(3.0) == [0, 1, 2]
    assert pauses.take(3.0) == []


def test_hooks_of_other_kinds_do_nothing():
    it = owner(Shelf())
    for kind, values in ((0x01, (5,)), (0x15, (1, 1.0, 1.0, 1.0)), (0x04, ()), (0x19, (1,))):
        it.run_hook(AnimationHook(kind, 0, values), 0.0)
    assert not it.emitters


def test_an_emitter_hangs_on_its_part():
    record = standard(initial_particles=1)
    it = owner(Shelf(record), frame=Frame((10.0, 0.0, 0.0)), parts=(Frame((0.0, 0.0, 2.0)),))
    it.run_hook(create(part=0, offset=IDENTITY_FRAME._replace(origin=(0.0, 0.5, 0.0))), 0.0)
    assert it.emitters[1].origin == (10.0, 0.5, 2.0)
    it.place(it.cell_id, Frame((10.0, 0.0, 0.0)), (Frame((0.0, 0.0, 3.0)),))
    it.tick(0.1, lambda _: True)
    assert it.emitters[1].origin == (10.0, 0.5, 3.0)
    assert NOWHERE.origin == (0.0, 0.0, 0.0)


def test_statics_run_scripts_before_particles_and_others_after():
    for static, living in ((True, 2), (False, 1)):
        born_at_once = standard(initial_particles=1, birthrate=-1.0)
        it = owner(Shelf(born_at_once, script(0x33000001, (0.0, create()))))
        it.play(0x33000001, 0.0)
        it.tick(0.1, lambda _: True, static=static)
        assert it.emitters[1].living == living
