"""Polygons that many planes cut: those that are passed over would have cut nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

import pytest

from engine.dat.values import Vec3
from engine.world.debug_shapes import plane_polygon
from engine.world.plane_cuts import Cutting, Plane, PlaneChain, TooMuchCuttingError
from tests.world.many_planes import prism, sphere

ENDLESS = 10**9


def odd(count: int) -> list[Plane]:
    """A sphere's among which are some that are no planes, or far from everything."""
    out = sphere(count, 7)
    out[10] = (math.nan, 0.0, 1.0, 3.0)
    out[count // 2] = (0.0, 0.0, 0.0, -1.0)
    out[count - 20] = (1e300, 1e300, 0.0, 1e308)
    out[count - 10] = (0.0, 0.0, 1e-9, math.inf)
    return out


def square(plane: Plane) -> list[Vec3]:
    return plane_polygon(plane, ())


def simply(plane: Plane, others: Sequence[Plane]) -> list[Vec3]:
    return plane_polygon(plane, others)


@pytest.mark.parametrize("planes", [sphere(170), prism(50), odd(150), sphere(170)[:66]])
def test_faces_are_to_the_bit_those_that_cutting_by_each_plane_gives(planes: list[Plane]) -> None:
    chain, cutting = PlaneChain(planes), Cutting(ENDLESS)
    faces = [chain.cut(square(plane), cutting, but=k) for k, plane in enumerate(planes)]
    assert repr(faces) == repr([simply(p, planes[:k] + planes[k + 1 :]) for k, p in enumerate(planes)])


def test_a_chain_may_end_anew_at_any_place() -> None:
    planes, others = sphere(200), sphere(200, 4)
    chain, cutting = PlaneChain(planes[:6]), Cutting(ENDLESS)
    now, random = planes[:6], Random(9)
    for plane in others:
        place = random.choice((len(now), len(now), len(now), len(now), random.randint(60, 160), len(now)))
        place = min(place, len(now))
        chain.put(place, plane)
        now = [*now[:place], plane]
        if len(now) % 5 == 0:
            assert chain.cut(square(planes[-1]), cutting) == simply(planes[-1], now)
    assert len(now) > 64


def test_too_much_cutting_is_refused() -> None:
    planes = prism(40)
    chain = PlaneChain(planes)
    with pytest.raises(TooMuchCuttingError):
        chain.cut(square(planes[-1]), Cutting(500), but=len(planes) - 1)
