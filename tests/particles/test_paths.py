"""Where particles are and how they are turned, type by type (particles 5, 10.3, 10.4)."""

import math

import pytest

from engine.world.frame import Frame, quat_about_z, quat_multiply
from tests.particles.bench_parts import HALF, NOWHERE, Rolls, age, seen, standard, started

OWNER = Frame((10.0, 20.0, 30.0), (HALF, 0.0, 0.0, HALF))
VECTORS = {"a": (1.0, 2.0, 3.0), "b": (0.5, 0.25, -2.0), "c": (2.0, 3.0, 4.0)}
ONE = {"initial_particles": 1, "total_particles": 1, "lifespan": 8.0}
P4 = (0.8514, 0.1027, -0.5135, 0.0299)
P9 = (0.8514, 0.5135, 0.1027, 0.0299)
EAST = Frame((0.0, 0.0, 0.0), quat_about_z(math.pi / 2))


def close(*values):
    return pytest.approx(values, abs=1e-3)


def place(emitter, now):
    return tuple(seen(emitter, now).origins[0])


def turn(emitter, now):
    quat = seen(emitter, now).turns[0]
    return tuple(quat if quat[0] >= -1e-9 else -quat)


# Type, places at 0, 0.5 and 2 seconds, orientation at 2.
TYPES = [
    ("P1", 1, (9, 20, 30), (9, 20, 30), (9, 20, 30), OWNER.quat),
    ("P2", 2, (9, 20, 30), (8, 20.5, 31.5), (5, 22, 36), OWNER.quat),
    ("P3", 3, (9, 20, 30), (8.0625, 20.5313, 31.25), (6, 22.5, 32), OWNER.quat),
    ("P4", 4, (9, 20, 30), (8.0625, 20.5313, 31.25), (6, 22.5, 32), P4),
    ("P5", 5, (11, 20, 34), (9.9378, 20.8740, 33.6612), (6.0806, 23.4383, 33.3854), OWNER.quat),
    ("P6", 6, (9, 20, 30), (9.625, 20.0625, 31.0), (13, 21, 28), OWNER.quat),
    ("P7", 7, (6, 20, 30), (6.3698, 20.0625, 29.5), (10.8323, 21, 22), OWNER.quat),
    ("P8", 8, (9, 20, 30), (7.9688, 20.5625, 31.25), (4.5, 23, 32), OWNER.quat),
    ("P9", 9, (9, 20, 30), (7.9688, 20.5625, 31.25), (4.5, 23, 32), P9),
    ("P10", 10, (9, 20, 30), (9.5625, 21.0313, 31.25), (12, 24.5, 32), OWNER.quat),
    ("P11", 11, (9, 20, 30), (9.5625, 21.0313, 31.25), (12, 24.5, 32), P4),
    ("P12", 12, (9, 20, 30), (9.5, 21, 31.5), (11, 24, 36), OWNER.quat),
    ("P1-unknown", 0, (9, 20, 30), (9, 20, 30), (9, 20, 30), OWNER.quat),
    ("P1-none", 13, (9, 20, 30), (9, 20, 30), (9, 20, 30), OWNER.quat),
]


@pytest.mark.parametrize(
    ("case", "kind", "first", "half", "second", "turned"), TYPES, ids=[t[0] for t in TYPES]
)
def test_every_type_flies_as_it_should(*, case, kind, first, half, second, turned):
    emitter = started(standard(particle_type=kind, **VECTORS, **ONE), OWNER, (0.0, 1.0, 0.0))
    for now, expected in ((0.0, first), (0.5, half), (2.0, second)):
        assert place(emitter, now) == close(*expected)
    assert turn(emitter, 2.0) == close(*turned)


def explode(rolls, **vectors):
    # Two draws come last: the angles.
    return started(standard(particle_type=6, **ONE, **vectors), rolls=Rolls(*[0.5] * 11, *rolls))


def test_P13_explode_flies_along_its_angles():
    emitter = explode((0.75, 0.625), **VECTORS)
    for now, expected in ((0.5, (0.125, 0.3625, 1.4)), (1, (0.5, 0.85, 1.8)), (2, (2, 2.2, -0.4))):
        assert place(emitter, now) == close(*expected)


def test_P14_explode_without_an_upward_speed():
    emitter = started(
        standard(particle_type=6, **{**VECTORS, "a": (1.0, 2.0, 0.0)}, **ONE), OWNER, (0.0, 1.0, 0.0)
    )
    assert place(emitter, 0.5) == close(9.625, 20.0625, 29.5)
    assert place(emitter, 2.0) == close(13, 21, 22)


def test_P15_speed_in_the_owners_axes_and_pull_in_the_worlds():
    emitter = started(standard(particle_type=3, a=(0.0, 1.0, 4.0), b=(0.0, 0.0, -4.0), **ONE), EAST)
    for now, expected in ((0.5, (-0.5, 0, 1.5)), (1, (-1, 0, 2)), (2, (-2, 0, 0)), (2.5, (-2.5, 0, -2.5))):
        assert place(emitter, now) == close(*expected)


@pytest.mark.parametrize(
    ("case", "kind", "expected"),
    [
        ("P16-2", 2, (0, -4, 1)), ("P16-12", 12, (0, 1, 4)), ("P16-3", 3, (0, -4, -1)),
        ("P16-8", 8, (0, -2, 1)), ("P16-10", 10, (0, 1, 2)),
    ],
)  # fmt: skip
def test_whose_axes_they_are(case, kind, expected):
    lying = Frame((0.0, 0.0, 0.0), (HALF, HALF, 0.0, 0.0))
    emitter = started(standard(particle_type=kind, a=(0.0, 1.0, 4.0), b=(0.0, 0.0, -4.0), **ONE), lying)
    assert place(emitter, 1.0) == close(*expected)


@pytest.mark.parametrize(
    ("case", "kind", "expected"),
    [("P17-4", 4, (0.5, 0.5, 0.5, 0.5)), ("P17-9", 9, (0.5, -0.5, 0.5, 0.5))],
)
def test_the_axis_of_a_spin(case, kind, expected):
    emitter = started(standard(particle_type=kind, c=(math.pi / 2, 0.0, 0.0), **ONE), EAST)
    assert turn(emitter, 1.0) == close(*expected)


@pytest.mark.parametrize("kind", [4, 9, 11])
@pytest.mark.parametrize(
    ("case", "base", "first", "second"),
    [
        ("P18", NOWHERE, (0.9239, 0, 0, 0.3827), (0.7071, 0, 0, 0.7071)),
        ("P19", EAST, (0.3827, 0, 0, 0.9239), (0, 0, 0, 1)),
    ],
)
def test_spinning_about_z(*, case, base, first, second, kind):
    emitter = started(standard(particle_type=kind, c=(0.0, 0.0, math.pi / 4), **ONE), base)
    assert turn(emitter, 1.0) == close(*first)
    assert turn(emitter, 2.0) == close(*second)


def test_P20_a_spin_too_slow_to_see_is_none():
    emitter = started(standard(particle_type=4, c=(0.0, 0.0, 0.0001), **ONE), EAST)
    assert turn(emitter, 1.9) == pytest.approx(EAST.quat, abs=1e-12)


def test_P21_swarm_goes_round():
    record = standard(
        particle_type=5, b=(0.2, 0.2, 0.2), c=(300.0,) * 3, **{**ONE, "lifespan": 900.0, "total_particles": 0}
    )
    emitter = started(record)
    for now, expected in (
        (0, (300, 0, 300)), (10, (-124.84, 272.79, -124.84)), (100, (122.42, 273.88, 122.42)),
    ):  # fmt: skip
        assert place(emitter, now) == pytest.approx(expected, abs=0.01)


def test_P22_and_P29_implode():
    emitter = started(
        standard(
            particle_type=7, a=(math.pi / 4, 0.0, 0.0), b=(0.0, 0.0, -1.0), c=(1.0, 1.0, 2.0), **ONE
        ),
        hook=(1.0, 0.0, 1.0),
    )  # fmt: skip
    for now, expected in ((0, (2, 0, 4)), (1, (1.7071, 0, 2.4142)), (2, (1, 0, -2)), (4, (0, 0, -16))):
        assert place(emitter, now) == close(*expected)
    emitter = started(
        standard(particle_type=7, a=(1.0, 0.0, 0.0), c=(1.0, 1.0, 1.0), **ONE), hook=(0.0, 1.0, 0.0)
    )
    for now, y in ((1, 1.5403), (2, 0.5839), (3, 0.0100)):
        assert place(emitter, now) == close(0, y, 0)


def test_P23_an_emitter_on_a_part():
    part = NOWHERE.combine(Frame((1.0, 2.0, 3.0)))
    assert place(started(standard(**ONE), part, (0.0, 0.5, 0.0)), 0.0) == close(1, 2.5, 3)


JUMPED = Frame((5.0, 0.0, 0.0), quat_about_z(math.pi / 2))


@pytest.mark.parametrize(
    ("case", "changes", "expected"),
    [
        ("P24", {}, {1: (0, 1, 0), 2: (0, 1, 0)}),
        ("P25", {"parent_local": 1}, {1: (0, 1, 0), 2: (5, 1, 0)}),
        (
            "P26", {"particle_type": 2, "a": (1.0, 0.0, 0.0)},
            {1: (1, 1, 0), 2: (2, 1, 0), 3: (3, 1, 0)},
        ),
        (
            "P27", {"particle_type": 2, "a": (1.0, 0.0, 0.0), "parent_local": 1},
            {1: (1, 1, 0), 2: (7, 1, 0), 3: (8, 1, 0)},
        ),
    ],
)  # fmt: skip
def test_an_owner_that_jumps(case, changes, expected):
    emitter = started(standard(**ONE, **changes), hook=(0.0, 1.0, 0.0))
    for now, wanted in expected.items():
        emitter.update(float(now), JUMPED if now >= 2 else NOWHERE, drawn=True)
        assert place(emitter, float(now)) == close(*wanted)


def test_P28_the_orientation_turns_with_the_owner():
    emitter = started(
        standard(particle_type=11, c=(0.0, 0.0, math.pi / 4), parent_local=1, **ONE), hook=(0.0, 1.0, 0.0)
    )
    emitter.update(1.0, NOWHERE, drawn=True)
    assert turn(emitter, 1.0) == close(0.9239, 0, 0, 0.3827)
    emitter.update(2.0, JUMPED, drawn=True)
    assert place(emitter, 2.0) == close(5, 1, 0)
    assert turn(emitter, 2.0) == close(0, 0, 0, 1)


def alpha(trans):
    return int((1.0 - trans) * 255.0)


@pytest.mark.parametrize(
    ("case", "changes", "rows"),
    [
        (
            "S1", {"lifespan": 4.0, "start_scale": 0.5, "final_scale": 2.0, "final_trans": 1.0},
            {
                0: (0.5, 0, 255), 1: (0.875, 0.25, 191), 2: (1.25, 0.5, 127), 3: (1.625, 0.75, 63),
                3.5: (1.8125, 0.875, 31), 3.9: (1.9625, 0.975, 6),
            },
        ),
        (
            "S2", {"lifespan": 4.0, "start_scale": 3.0, "start_trans": 0.9, "final_trans": 0.1},
            {
                0: (3, 0.9, 25), 1: (2.5, 0.7, 76), 2: (2, 0.5, 127), 3: (1.5, 0.3, 178),
                3.5: (1.25, 0.2, 204), 3.9: (1.05, 0.12, 224),
            },
        ),
        ("S3", {"final_scale": 3.0, "start_trans": 0.25, "final_trans": 0.75}, {2: (1.5, 0.375, 159)}),
        ("S5", {"lifespan": 4.0, "start_trans": 1.0}, {0: (1, 1, 0), 1: (1, 0.75, 63), 2: (1, 0.5, 127)}),
        ("S6", {"lifespan": 0.0, "final_scale": 2.0, "final_trans": 0.5}, {0: (2, 0.5, 127)}),
    ],
)  # fmt: skip
def test_scale_and_translucency(case, changes, rows):
    emitter = started(standard(**{**ONE, **changes}))
    for now, (scale, trans, byte) in rows.items():
        found = seen(emitter, float(now))
        assert (found.scales[0], found.trans[0]) == close(scale, trans)
        assert alpha(float(found.trans[0])) == byte


def test_S4_one_particle_of_the_worked_record():
    emitter = started(
        standard(
            particle_type=3, lifespan=1.5, a=(0.0, 0.0, 2.0), b=(0.0, 0.0, -1.0), start_scale=0.5,
            final_scale=1.5, start_trans=0.2, final_trans=1.0, parent_local=1, initial_particles=1,
        )
    )  # fmt: skip
    for now, z, scale, trans in (
        (0, 0, 0.5, 0.2), (0.5, 0.875, 0.8333, 0.4667), (1, 1.5, 1.1667, 0.7333), (1.4, 1.82, 1.4333, 0.9467),
    ):  # fmt: skip
        found = seen(emitter, now)
        assert (found.origins[0][2], found.scales[0], found.trans[0]) == close(z, scale, trans)
    emitter.update(1.5, NOWHERE, drawn=True)
    assert 1.5 not in [age(emitter, row, 1.5) for row in emitter.rows()]


def test_an_orientation_is_of_length_one():
    emitter = started(standard(particle_type=9, **VECTORS, **ONE), OWNER)
    for k in range(8):
        assert math.hypot(*turn(emitter, float(k))) == pytest.approx(1.0)
    assert quat_multiply(OWNER.quat, (1.0, 0.0, 0.0, 0.0)) == pytest.approx(turn(emitter, 0.0))
