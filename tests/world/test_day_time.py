"""The calendar and the choice of a day's kind (light 6.1)."""

from __future__ import annotations

import pytest

from engine.world.day_time import DAY_TICKS, date_of, day_fraction, day_group_index, ticks_at


def test_tick_zero_is_seven_sixteenths_into_the_first_day_of_year_ten():
    assert day_fraction(0.0) == 0.4375
    assert date_of(0.0) == (10, 0)
    assert day_fraction(DAY_TICKS / 16) == pytest.approx(0.5)


def test_days_years_and_midnight():
    assert day_fraction(DAY_TICKS * 9 / 16) == 0.0
    assert date_of(DAY_TICKS * 9 / 16) == (10, 1)
    assert date_of(DAY_TICKS * 9 / 16 - 0.01) == (10, 0)
    assert date_of(DAY_TICKS * 360) == (11, 0)


@pytest.mark.parametrize(("day", "hour"), [(0, 0.0), (0, 12.0), (3, 18.5), (400, 6.25)])
def test_an_hour_of_a_day_leads_back_to_it(day, hour):
    ticks = ticks_at(day, hour)
    assert day_fraction(ticks + 1e-6) == pytest.approx(hour / 24.0, abs=1e-6)
    assert date_of(ticks + 1e-6) == (10 + day // 360, day % 360)


@pytest.mark.parametrize(("year", "day", "index"), [(10, 0, 16), (10, 83, 5), (116, 83, 18), (127, 359, 4)])
def test_W1_the_day_group_of_a_date(year, day, index):
    assert day_group_index(20, year, day) == index


def test_day_groups_follow_the_hash():
    # (0x6A42FDB2 · (10 · 360 + d) + 0x8ABE1652) mod 2³², by hand for d = 0 and 1
    assert 0x6A42FDB2 * 3600 % 2**32 == 1309644576
    first = (1309644576 + 0x8ABE1652) % 2**32
    assert first == 0xD8CDAD72
    assert day_group_index(20, 10, 0) == int(20 * first / 2**32) == 16
    second = (first + 0x6A42FDB2) % 2**32
    assert day_group_index(20, 10, 1) == int(20 * second / 2**32) == 5
    assert day_group_index(0, 10, 0) == 0
    assert {day_group_index(20, 10, d) for d in range(360)} == set(range(20))
