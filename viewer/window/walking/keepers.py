"""What of a walk goes back with its simulation: the look and the clock."""

from __future__ import annotations

from engine.visibility.camera import Camera
from viewer.picture.day_clock import DayClock


class LookKeeper:
    """Keeps where a camera looks, and from how far."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera

    def save(self) -> object:
        """The camera's aims and where it is on its way to them."""
        c = self._camera
        return c.third_person, c.target_yaw, c.target_pitch, c.distance, c.yaw, c.pitch, c.offset

    def restore(self, saved: object) -> None:
        """Look there again."""
        assert isinstance(saved, tuple)
        c = self._camera
        c.third_person, c.target_yaw, c.target_pitch, c.distance, c.yaw, c.pitch, c.offset = saved


class ClockKeeper:
    """Keeps a day clock's time; how fast it goes is the user's."""

    def __init__(self, clock: DayClock) -> None:
        self._clock = clock

    def save(self) -> object:
        """The calendar's ticks and how far the clouds have drifted."""
        return self._clock.ticks, self._clock.clouds

    def restore(self, saved: object) -> None:
        """Be that time again."""
        assert isinstance(saved, tuple)
        self._clock.ticks, self._clock.clouds = saved
