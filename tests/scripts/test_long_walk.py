"""A long walk over the demo world finds no fault, and would find one."""

from __future__ import annotations

import json
import math

import pytest

from engine.physics.enums import OK
from engine.physics.simulation import simulation
from engine.physics.transition import env_collisions
from scripts.long_walk import LongWalk, main


def test_a_long_walk_over_the_whole_demo_with_doors_being_toggled() -> None:
    report = LongWalk().run(7000)
    assert report.ticks == 7000
    assert report.faults == {}, report.examples
    assert report.largest_drift == 0.0
    assert len(report.env_cells) >= 15
    assert report.counts["door_uses"] >= 30
    assert report.counts["cell_changes"] >= 40
    assert report.counts["ticks_standing"] >= 300


def test_a_fall_through_the_ground_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    walk = LongWalk()
    monkeypatch.setattr(env_collisions, "validate_walkable", lambda *_: OK)
    walk.simulation.teleport(walk.world.locate("0xA9B40021 [118 22 94] 1 0 0 0"))
    assert walk.run(60).faults["below the ground"] > 0


def test_a_drift_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    walk = LongWalk()
    monkeypatch.setattr(simulation, "update_physics", lambda *_: ((0.001, 0.0, 0.0), (0.0, 0.0, 0.0)))
    assert walk.run(1500).faults["drift while standing"] > 0


def digest(changed_bit: bool = False) -> object:
    walk = LongWalk(2)
    walk.run(20)
    if changed_bit:
        x, y, z = walk.simulation.body.velocity
        walk.simulation.body.velocity = (x, y, math.nextafter(z, 1.0))
    return walk.run(20).to_json()["digest"]


def test_the_same_walk_has_the_same_digest_and_another_bit_another_one() -> None:
    assert digest() == digest()
    assert digest() != digest(changed_bit=True)


def test_the_report_is_one_line_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["50", "3"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert line["ticks"] == 50
    assert line["faults"] == {}
