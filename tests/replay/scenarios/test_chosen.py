"""What a scenario goes to: never more than it has time for, spread over all, and said so."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine.replay.scenarios import stage as stages
from engine.replay.scenarios.chosen import evenly
from engine.replay.scenarios.membership import blocked_keeps_cell
from engine.replay.scenarios.stage import Stage
from engine.world.loading.world import World
from engine.world.sources.open_source import open_source
from tests.places import DEMO
from viewer.verify.verification import make_stage


@pytest.mark.parametrize("count", [0, 1, 9, 10, 11, 19, 20, 21, 99, 100, 101, 12345])
def test_at_most_ten_of_any_number_spread_over_all_of_them(count: int) -> None:
    chosen = evenly(range(count), 10, "doors")
    things = list(chosen.things)
    assert len(things) <= 10
    assert things == sorted(set(things))
    if count <= 10:
        assert (things, chosen.note) == (list(range(count)), "")
        return
    assert 2 * len(things) >= 10
    gaps = {b - a for a, b in pairwise(things)}
    assert len(gaps) == 1 and things[0] == 0 and things[-1] + gaps.pop() >= count
    assert chosen.note == f"; went to {len(things)} of {count} doors"


def test_a_landblock_of_more_doorways_than_there_is_time_for_is_walked_at_some_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A hundred thousand portals of eight bytes in one landblock would take hours."""
    stage: Stage = make_stage(lambda: World(open_source(demo=DEMO)), DEMO)
    whole = blocked_keeps_cell(stage)
    count = len(stage.doors(stage.simulation()).things)
    assert count > 2 and "went to" not in whole.detail
    monkeypatch.setattr(stages, "DOORWAYS_AT_MOST", 2)
    some = blocked_keeps_cell(stage)
    assert f"; went to 2 of {count} doorways" in some.detail
    assert some.ok
    assert int(str(some.figures["blocked_ticks"])) < int(str(whole.figures["blocked_ticks"]))
