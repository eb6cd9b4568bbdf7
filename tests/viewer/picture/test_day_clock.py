"""The clock of the day: rates, kinds of day by date, and what of it reaches the renderer."""

from __future__ import annotations

import pytest

from engine.world.day_time import day_group_index
from viewer.picture.day_clock import DayClock
from viewer.renderer.render_options import RenderOptions


def test_the_sun_stands_still_until_told_otherwise():
    clock = DayClock(18.5)
    clock.advance(100.0)
    assert clock.hour == pytest.approx(18.5)
    assert clock.lit(RenderOptions()).seconds == 100.0


def test_rates_in_turn():
    clock = DayClock(12.0)
    assert clock.change_rate() == "12:00, the day passes as in the game, in two hours"
    clock.advance(7620.0 / 24.0)
    assert clock.hour == pytest.approx(13.0)
    assert clock.change_rate() == "13:00, the day passes in two minutes"
    clock.advance(60.0)
    assert clock.hour == pytest.approx(1.0)
    assert clock.change_rate() == "01:00, the sun stands still"


def test_the_date_chooses_the_kind_of_day_and_midnight_the_next():
    clock = DayClock(23.0, groups=20)
    assert clock.group == day_group_index(20, 10, 0) == 16
    clock.change_rate()
    clock.advance(7620.0 / 12.0)
    assert clock.group == day_group_index(20, 10, 1) == 5
    assert DayClock(23.0, groups=20, group=7).group == 7
    assert DayClock(0.0, groups=0).group == 0


def test_the_renderers_options_take_the_moment():
    clock = DayClock(6.0, groups=20)
    options = clock.lit(RenderOptions(sentinel=True))
    assert options.day_fraction == pytest.approx(0.25)
    assert options.day_group == 16
    assert options.sentinel
