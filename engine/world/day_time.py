"""The calendar: fractions of a day and the kind of day, from ticks or from an hour (light 6.1)."""

from __future__ import annotations

import math

DAY_TICKS = 7620.0
ORIGIN_TICKS = 3333.75  # tick 0 lies 7/16 into a day
DAYS_PER_YEAR = 360
FIRST_YEAR = 10
NOON = 12.0


def day_fraction(ticks: float) -> float:
    """How much of the day has passed, 0 midnight, 0.5 noon; a tick is a second of the game."""
    return ((ticks + ORIGIN_TICKS) / DAY_TICKS) % 1.0


def date_of(ticks: float) -> tuple[int, int]:
    """The year, as the game shows it, and the day of the year from 0 on."""
    days = math.floor((ticks + ORIGIN_TICKS) / DAY_TICKS)
    return FIRST_YEAR + days // DAYS_PER_YEAR, days % DAYS_PER_YEAR


def ticks_at(day: int, hour: float) -> float:
    """The tick of an hour, 0 to 24, of a day counted from the first one on."""
    return (day + hour / 24.0) * DAY_TICKS - ORIGIN_TICKS


def is_between(hours: tuple[float, float] | None, hour: float) -> bool:
    """Whether an hour lies from the first to the second, which may lie beyond midnight; always for None."""
    if hours is None:
        return True
    first, last = hours
    return first <= hour < last if first <= last else not last <= hour < first


def day_group_index(groups: int, year: int, day: int) -> int:
    """Which of a region's day groups a day belongs to; 0 where there are none."""
    number = (0x6A42FDB2 * (year * DAYS_PER_YEAR + day) + 0x8ABE1652) & 0xFFFFFFFF
    return groups * number >> 32
