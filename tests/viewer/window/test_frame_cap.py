"""The setting max_fps: no more frames a second than that, and those that come late are not made up for."""

from __future__ import annotations

from itertools import pairwise

import pytest

from viewer.window.frame_cap import FrameCap


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def frames(costs: list[float], most: float) -> list[float]:
    """When frames of these costs end."""
    clock = Clock()
    cap = FrameCap(clock, clock.sleep)
    ends = []
    for cost in costs:
        clock.now += cost
        cap.wait(most)
        ends.append(clock.now - 100.0)
    return ends


def test_quick_frames_come_at_the_rate_that_is_set() -> None:
    ends = frames([0.001] * 6, 50.0)
    assert [b - a for a, b in pairwise(ends)] == pytest.approx([0.02] * 5)


def test_without_a_limit_nothing_is_waited_for() -> None:
    assert frames([0.001] * 3, 0.0) == pytest.approx([0.001, 0.002, 0.003])


def test_a_late_frame_is_not_made_up_for() -> None:
    ends = frames([0.001, 0.5, 0.001, 0.001], 50.0)
    assert ends[2] - ends[1] == pytest.approx(0.02)
    assert ends[3] - ends[2] == pytest.approx(0.02)
