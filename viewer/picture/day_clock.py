"""The time of day of a walk or a picture: an hour to begin with, and how fast it passes."""

from __future__ import annotations

import math

from engine.dat.errors import DatError
from engine.world.day_time import DAY_TICKS, NOON, date_of, day_fraction, day_group_index, ticks_at
from engine.world.loading.world import World
from viewer.renderer.render_options import RenderOptions
from viewer.user_error import UserError

# Ticks a second, and what to say about it: a tick is a second of the game's day of 7620.
RATES = (
    (0.0, "the sun stands still"),
    (1.0, "the day passes as in the game, in two hours"),
    (DAY_TICKS / 120.0, "the day passes in two minutes"),
)


class DayClock:
    """Counts the ticks of the game's calendar from an hour (0 to 24) of a day (0 is the first) on.

    ``groups`` is how many kinds of day the region has; the date chooses one unless ``group`` does.
    ``clouds`` are the seconds that the clouds have drifted for.
    """

    def __init__(
        self,
        hour: float = NOON,
        *,
        groups: int = 1,
        group: int | None = None,
        day: int = 0,
        clouds: float = 0.0,
    ) -> None:
        self.ticks = ticks_at(day, hour)
        self._groups = groups
        self._group = group
        self._rate = 0
        self.clouds = clouds

    @classmethod
    def of_world(
        cls, world: World, hour: float = NOON, group: int | None = None, clouds: float = 0.0
    ) -> DayClock:
        """A clock for a world's region; one kind of day where it has none that can be read.

        UserError for a kind of day that the region doesn't have.
        """
        try:
            sky = world.source.region().sky
        except DatError:
            return cls(hour, groups=1, group=group, clouds=clouds)  # reported where it is drawn
        groups = max(1, len(sky.groups)) if sky is not None else 1
        if group is not None and group >= groups:
            known = f"kinds 0 to {groups - 1}" if groups > 1 else "kind 0 alone"
            raise UserError(f"--day-group: there is no kind of day {group}: the region has {known}")
        return cls(hour, groups=groups, group=group, clouds=clouds)

    @property
    def hour(self) -> float:
        """The hour of the day, 0 to 24."""
        return 24.0 * day_fraction(self.ticks)

    @property
    def group(self) -> int:
        """The kind of day, by its number in the region."""
        if self._group is not None:
            return self._group
        return day_group_index(self._groups, *date_of(self.ticks))

    def advance(self, seconds: float) -> None:
        """Let time pass; clouds move even where the sun stands still."""
        rate = RATES[self._rate][0]
        self.ticks += rate * seconds
        self.clouds += max(1.0, rate) * seconds

    def put(self, hour: float, clouds: float, group: int | None) -> None:
        """Be at an hour of this day, with clouds that have drifted so far.

        The kind of day is that one where the region has it, else as before.
        """
        days = math.floor((self.ticks - ticks_at(0, 0.0)) / DAY_TICKS)
        self.ticks = ticks_at(days, hour)
        self.clouds = clouds
        if group is not None and 0 <= group < self._groups:
            self._group = group

    def change_rate(self) -> str:
        """Go over to the next rate; a line that says which, and the hour."""
        self._rate = (self._rate + 1) % len(RATES)
        minutes = math.floor(60.0 * self.hour + 1e-6)
        return f"{minutes // 60:02d}:{minutes % 60:02d}, {RATES[self._rate][1]}"

    def lit(self, options: RenderOptions) -> RenderOptions:
        """Options with this moment's sky."""
        return options._replace(
            day_fraction=day_fraction(self.ticks),
            day_group=self.group,
            seconds=options.seconds + self.clouds,
        )
