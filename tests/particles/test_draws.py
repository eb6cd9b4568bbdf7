"""What is left to chance (particles 4, 10.5)."""

import math

import pytest

from engine.particles.birth import born_of, throw
from engine.particles.path import path_of
from engine.world.frame import Frame, quat_about_z
from tests.particles.bench_parts import Rolls, standard
from tests.particles.ran2 import Draws

GOLDENS = {
    1: (0.2853809, 0.25335819, 0.09346853, 0.60849689, 0.90342026),
    12345: (0.02719932, 0.05895278, 0.23916787, 0.02434943, 0.11498961),
}
Q = standard(
    lifespan_rand=1.0, min_offset=1.0, max_offset=3.0, a=(1.0, 2.0, 3.0), min_a=0.5, max_a=2.0,
    b=(1.0, 1.0, 1.0), min_b=0.0, max_b=2.0, c=(0.0, 0.0, 1.0), min_c=-1.0, max_c=1.0, final_scale=2.0,
    scale_rand=0.5, start_trans=0.2, final_trans=0.6, trans_rand=0.3,
)  # fmt: skip


def draw(record, chance):
    return born_of(record, throw(record, chance))


def close(*values):
    return pytest.approx(values, abs=1e-3)


def drawn(record, chance):
    born = draw(record, chance)
    numbers = (born.lifespan, born.final_trans, born.start_trans, born.final_scale, born.start_scale)
    return numbers, born


@pytest.mark.parametrize("seed", GOLDENS)
def test_D1_the_generator(seed):
    draws = Draws(seed)
    assert [draws.next() for _ in range(5)] == pytest.approx(GOLDENS[seed], abs=1e-7)


def test_a_seed_of_nothing_is_one_and_numbers_stay_below_one():
    assert Draws(0).next() == Draws(1).next()
    draws = Draws(7)
    numbers = [draws.next() for _ in range(20_000)]
    assert min(numbers) > 0.0
    assert max(numbers) < 1.0
    assert sum(numbers) / len(numbers) == pytest.approx(0.5, abs=0.01)


def test_D2_the_order_of_the_draws():
    rolls = Rolls(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.15, 0.25, 0.35)
    numbers, born = drawn(Q, rolls)
    assert numbers == close(3.2, 0.42, 0.08, 1.9, 1.0)
    assert born.c == close(0, 0, 0.2)
    assert born.b == close(1.4, 1.4, 1.4)
    assert born.a == close(1.7, 3.4, 5.1)
    assert born.offset == close(-0.9881, -1.3833, 0)


def test_D3_the_values_of_another_order_fly_the_same():
    """Drawn as offset x, y, z, length, A, B, C, lifespan: 0.1 … 0.8, here each in its own place."""
    record = Q._replace(min_offset=0.0)
    born = draw(record, Rolls(0.8, 0.5, 0.5, 0.5, 0.5, 0.7, 0.6, 0.5, 0.3, 0.2, 0.1, 0.4))
    assert born.a == close(1.25, 2.5, 3.75)
    assert born.lifespan == pytest.approx(4.6)
    path = path_of(2, Frame((0.0, 0.0, 0.0)), (0.0, 0.0, 0.0), born)
    assert tuple(o + v for o, v in zip(path.offset, path.speed, strict=True)) == close(0.29, 1.78, 3.75)


def test_D4_and_D5_two_births_of_one_seed():
    draws = Draws(1)
    numbers, born = drawn(Q, draws)
    assert numbers == close(3.5708, 0.4520, 0, 2.1085, 1.4034)
    assert (born.c[2], born.b[0]) == close(-0.6083, 0.9259)
    assert born.a == close(1.9085, 3.8171, 5.7256)
    assert born.offset == close(0.4525, -1.1275, 0)
    numbers, born = drawn(Q, draws)
    assert numbers == close(3.7993, 0.6902, 0, 1.5770, 0.5690)
    assert (born.c[2], born.b[0]) == close(0.7039, 1.2747)
    assert born.a == close(1.3596, 2.7193, 4.0789)
    assert born.offset == close(-0.5308, 1.6098, 0)


@pytest.mark.parametrize(
    ("case", "direction", "expected"),
    [
        ("D6-up", (0.0, 0.0, 1.0), (1.4142, 1.4142, 0)),
        ("D6-long", (0.0, 0.0, 2.0), (0.6030, 0.6030, -1.8091)),
        ("D6-none", (0.0, 0.0, 0.0), (1.1547, 1.1547, 1.1547)),
    ],
)
def test_the_disc_goes_by_the_direction_as_stored(case, direction, expected):
    record = standard(offset_dir=direction, min_offset=1.0, max_offset=3.0)
    assert draw(record, Rolls(*[0.5] * 8, 0.75, 0.75, 0.75, 0.5)).offset == close(*expected)


@pytest.mark.parametrize(
    ("case", "x", "y", "z", "length", "expected"),
    [
        ("D7-x", 1.0, 0.5, 0.5, 0.5, (1, 0, 0)),
        ("D7-xy", 0.75, 0.25, 0.9, 1.0, (1.4142, -1.4142, 0)),
        ("D7-along", 0.5, 0.5, 1.0, 0.5, (0, 0, 0)),
    ],
)
def test_offsets(*, case, x, y, z, length, expected):
    record = standard(min_offset=0.0, max_offset=2.0)
    assert draw(record, Rolls(*[0.5] * 8, z, y, x, length)).offset == close(*expected)


def test_D8_an_offset_turns_with_the_owner():
    born = draw(standard(max_offset=2.0), Rolls(*[0.5] * 8, 0.5, 0.5, 1.0, 0.5))
    turned = Frame((0.0, 0.0, 0.0), quat_about_z(math.pi / 2))
    assert path_of(1, turned, (0.0, 0.0, 0.0), born).offset == close(0, 1, 0)


def test_D9_what_is_drawn_is_kept_within_bounds():
    record = standard(
        lifespan_rand=9.0, scale_rand=5.0, trans_rand=2.0, final_scale=2.0, start_trans=0.2, final_trans=0.6
    )
    numbers, _ = drawn(record, Rolls(*[0.0] * 20))
    assert numbers == close(0, 0, 0, 0.1, 0.1)
    numbers, _ = drawn(record, Rolls(*[1.0] * 20))
    assert numbers == close(13, 1, 1, 7, 6)


@pytest.mark.parametrize(
    ("case", "changes", "offset", "taken"),
    [
        ("D10", {}, (0.5, 0.5, 1.0), 12),
        ("D10-along", {}, (1.0, 0.5, 0.5), 11),
        ("D10-explode", {"particle_type": 6}, (0.5, 0.5, 1.0), 14),
    ],
)
def test_how_many_numbers_a_birth_takes(case, changes, offset, taken):
    rolls = Rolls(*[0.5] * 8, *offset)
    draw(standard(**changes), rolls)
    assert rolls.taken == taken
