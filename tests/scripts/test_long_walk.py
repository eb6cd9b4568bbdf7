"""A long walk over the demo world finds no fault, and would find one."""

from __future__ import annotations

import json
import math

import pytest

from engine.physics.enums import OK
from engine.physics.simulation import ticking
from engine.physics.transition import env_collisions
from scripts.long_walk import LongWalk, main
from scripts.made_world.far_walk import FarWalk, walk_far
from tests.needed import breaks_a_rule
from viewer.verify.border_walk import BorderWalk


def test_a_long_walk_over_the_whole_demo_with_doors_being_toggled() -> None:
    report = LongWalk().run(7000)
    assert report.ticks == 7000
    assert report.faults == {}, report.examples
    assert report.largest_drift == 0.0
    assert len(report.env_cells) >= 15
    assert report.counts["door_uses"] >= 30
    assert report.counts["cell_changes"] >= 40
    assert report.counts["ticks_standing"] >= 300


@breaks_a_rule
def test_a_fall_through_the_ground_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    walk = LongWalk()
    monkeypatch.setattr(env_collisions, "validate_walkable", lambda *_, **__: OK)
    walk.simulation.teleport(walk.world.locate("0xA9B40021 [118 22 94] 1 0 0 0"))
    assert walk.run(60).faults["below the ground"] > 0


@breaks_a_rule
def test_a_drift_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    walk = LongWalk()
    monkeypatch.setattr(ticking, "update_physics", lambda *_, **__: ((0.001, 0.0, 0.0), (0.0, 0.0, 0.0)))
    assert walk.run(1500).faults["drift while standing"] > 0


def digest(*, changed_bit: bool = False) -> object:
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


@pytest.mark.gl
def test_a_walk_over_borders_of_a_made_world_tells_times_memory_and_handles() -> None:
    far = walk_far(3)
    document = far.to_json()
    assert far.faults() == {}, document
    assert far.walk.borders == 3 and far.walk.loaded >= 5
    assert len(far.memory) == len(far.handles) == 4
    assert json.loads(json.dumps(document))["wall_ms"]["worst"] > 0.0


def test_what_must_not_be_on_a_far_walk_is_seen() -> None:
    walk = BorderWalk(blocks=list(range(61)))
    assert FarWalk(walk, 60, [100.0] * 61, [9] * 61).faults() == {}
    assert FarWalk(walk, 60, [100.0] * 40 + [140.0] * 21, [9] * 61).faults() == {"memory grows": 1}
    assert FarWalk(walk, 60, [100.0] * 61, [9] * 60 + [12]).faults() == {"open files grow": 1}
    assert FarWalk(walk, 61).faults() == {"the walk was blocked": 1}
