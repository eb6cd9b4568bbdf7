"""The benchmark's figures: ratios to the loop, verdicts by the nominal core. No time is asserted."""

from __future__ import annotations

import pytest

from engine.replay.bench import NOMINAL_LOOP_MS, Target, result


def test_figure_is_scaled_to_the_nominal_core() -> None:
    line = result(Target("x", 100.0, "us"), 150.0, 2.0 * NOMINAL_LOOP_MS, "")
    assert line.figures["scaled_us"] == 75.0
    assert line.figures["ratio_to_loop"] == pytest.approx(0.15 / (2.0 * NOMINAL_LOOP_MS), abs=1e-5)
    assert line.ok is True


def test_figure_over_its_target_is_not_ok() -> None:
    assert result(Target("x", 100.0, "ms"), 101.0, NOMINAL_LOOP_MS, "").ok is False


def test_milliseconds_and_microseconds_give_the_same_ratio() -> None:
    a = result(Target("x", 1.0, "ms"), 2.0, 4.0, "")
    b = result(Target("x", 1.0, "us"), 2000.0, 4.0, "")
    assert a.figures["ratio_to_loop"] == b.figures["ratio_to_loop"]
