"""What blocks the body is outlined in the picture, also after the key was let go, until it moves on."""

from __future__ import annotations

import pytest

from engine.physics.simulation.movement import MovementInput
from tests.viewer.demo_places import standing
from viewer.asking.blocked_shapes import MET, OWNER, blocked_shapes, met_polygon
from viewer.window.walking.walk import STANDING, Walk

DOOR = 0x7A9B4015
FORWARD, BACK = MovementInput(forward=1), MovementInput(forward=-1)


def pushed(place: str) -> Walk:
    walk = Walk(standing(place))
    for _ in range(40):
        walk.advance(1.0 / 30.0, FORWARD)
    return walk


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        ("0xA9B40031 [155.4 18.2 94.0] 0 0 0 1", "entity"),
        ("0xA9B40031 [153.0 18.2 94.0] 0 0 0 1", "building"),
        ("0xA9B40171 [153.6 13.0 94.0] 1 0 0 0", "cell"),
    ],
)
def test_the_polygon_that_was_met_and_its_owner_are_drawn_until_the_body_moves_on(
    place: str, kind: str
) -> None:
    walk = pushed(place)
    for controls in (FORWARD, STANDING):  # the key is let go
        walk.advance(1.0 / 30.0, controls)
        blocked = walk.watch.now
        assert blocked is not None and blocked.hit is not None
        assert blocked.hit.kind.value == kind
        found = met_polygon(walk.simulation, blocked.hit)
        assert found is not None
        _, corners = found
        feet = walk.simulation.position.frame.origin
        ahead = [abs(p[1] - feet[1]) for p in corners]
        assert min(ahead) < 0.8  # it stands before the body
        assert min(p[2] for p in corners) < feet[2] + 1.0 and max(p[2] for p in corners) > feet[2] + 0.5
        shapes = blocked_shapes(walk.simulation, blocked, walk.simulation.position.cell_id)
        assert shapes is not None
        red = {p for a, b, color in shapes.lines if color == MET for p in (a, b)}
        assert red == set(corners)
        assert kind == "building" or any(color == OWNER for _, _, color in shapes.lines)
    for _ in range(15):
        walk.advance(1.0 / 30.0, BACK)
    assert walk.watch.now is None
