"""Which statics may be met at a place: what comes near it, what moves, what is vast."""

from __future__ import annotations

import pytest

from engine.physics.objects.near_place import TOUCHED, NearPlace
from engine.world.cells import PlacedObject
from engine.world.frame import Frame, Position
from engine.world.loading.world import World
from tests.world.world_records import BLOCK, MemorySource, box_model, setup

POST, MILL, MISSING = 0x01000001, 0x02000002, 0x01000003
EAST = BLOCK + 0x01000000
REACH = 5.0


@pytest.fixture
def near():
    source = MemorySource(
        models=[box_model(POST, (-3.0, 0.0, 0.0), (0.0, 0.0, 4.0))],
        setups=[setup(MILL, [POST], animation=0x03000001)],
    )
    return NearPlace(World(source), Position(BLOCK | 1, Frame((180.0, 20.0, 50.0))))


def static(x, y, *, model=POST, cell=BLOCK | 1, scale=1.0):
    frame = Frame((x, y, -300.0))
    return PlacedObject(object_id=7, model_id=model, cell_id=cell, frame=frame, scale=scale)


@pytest.mark.parametrize("scale", [1.0, 2.0, -2.0, 0.1])
def test_what_may_come_near_at_any_height_is_met_and_what_is_farther_is_not(near, scale):
    far = REACH * abs(scale) + TOUCHED
    assert near.may_meet(static(180.0 - far + 0.01, 20.0, scale=scale))
    assert not near.may_meet(static(180.0 - far - 0.01, 20.0, scale=scale))
    assert not near.may_meet(static(180.0 - 0.8 * far, 20.0 + 0.8 * far, scale=scale))


def test_a_place_of_another_landblock_is_where_it_lies_on_the_map(near):
    far = REACH + TOUCHED - 12.0
    assert near.may_meet(static(far - 0.01, 20.0, cell=EAST | 1))
    assert not near.may_meet(static(far + 0.01, 20.0, cell=EAST | 1))
    assert not near.may_meet(static(180.0, 20.0, cell=EAST | 1))


def test_what_moves_what_is_missing_and_what_is_vast_is_there_wherever_it_stands(near):
    assert near.may_meet(static(0.0, 190.0, model=MILL))
    assert near.may_meet(static(0.0, 190.0, model=MISSING))
    assert near.may_meet(static(0.0, 190.0, scale=300.0))
    assert near.may_meet(static(-9000.0, 190.0, scale=300.0))
    assert not near.may_meet(static(-9000.0, 190.0, scale=100.0))
