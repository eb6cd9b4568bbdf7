"""Entities that the picture does not reach are not drawn, and no picture shows the difference."""

from __future__ import annotations

import numpy as np
import pytest

from engine.physics.simulation.simulation import Simulation
from engine.replay.scenarios.stage import put
from engine.replay.town import TownSource
from engine.world.loading.world import World
from engine.world.sources.opening import open_source
from tests.places import DEMO
from viewer.renderer.passes.painter import Painter
from viewer.verify.picture_stage import Onlooker

pytestmark = pytest.mark.gl
VILLAGE, DOOR = 0xA9B40000, 0x020019FF


def test_what_is_left_out_of_a_turn_around_would_not_have_been_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    town = TownSource(open_source(demo=DEMO), VILLAGE, 100, DOOR)
    simulation = Simulation(World(town))
    put(simulation, VILLAGE | 1 + 8 * 4 + 1, (99.0, 32.0, town.height), 0.0)
    shows = Painter._shows
    saved = 0
    with Onlooker(simulation, (160, 90)) as onlooker:
        for heading in range(0, 360, 24):
            frame, objects = onlooker.view(float(heading))
            pictures, draws = [], []
            for rule in (shows, lambda painter, thing: True):
                monkeypatch.setattr(Painter, "_shows", rule)
                draws.append(onlooker.renderer.draw(frame, objects).draws)
                pictures.append(onlooker.renderer.read_rgba().copy())
            assert np.array_equal(*pictures)
            assert draws[0] <= draws[1]
            saved += draws[1] - draws[0]
    assert saved > 15 * 100  # a hundred things of several parts stand all around
