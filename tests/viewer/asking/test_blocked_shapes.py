"""What blocks the body is outlined in the picture, also after the key was let go, until it moves on."""

from __future__ import annotations

import pytest

from engine.physics.simulation.movement import MovementInput
from engine.visibility.view import View
from engine.world.debug_shapes import DebugShapes
from tests.viewer.demo_places import standing
from viewer.asking.blocked_shapes import MET, OWNER, blocked_shapes, covered, met_polygon
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
        far = View.from_angles(
            (feet[0], feet[1] + 30.0, feet[2] + 1.5), 180.0, 0.0, fov_y=60.0, width=1280, height=720
        )
        shapes = blocked_shapes(walk.simulation, blocked, walk.simulation.position.cell_id, far)
        assert shapes is not None
        red = {p for a, b, color in shapes.lines if color == MET for p in (a, b)}
        assert red == set(corners)
        assert kind == "building" or any(color == OWNER for _, _, color in shapes.lines)
    for _ in range(15):
        walk.advance(1.0 / 30.0, BACK)
    assert walk.watch.now is None


WALL = "0xA9B40031 [153.0 18.2 94.0] 0 0 0 1"


def seen_from(walk: Walk, metres: float) -> tuple[DebugShapes, float, View]:
    """What is drawn for an eye so far before the wall, and the share of the picture that it covers."""
    blocked = walk.watch.now
    assert blocked is not None and blocked.hit is not None
    found = met_polygon(walk.simulation, blocked.hit)
    assert found is not None
    x, _, z = walk.simulation.position.frame.origin
    wall = found[1][0][1]
    view = View.from_angles((x, wall + metres, z + 1.5), 180.0, 0.0, fov_y=60.0, width=1280, height=720)
    shapes = blocked_shapes(walk.simulation, blocked, walk.simulation.position.cell_id, view)
    assert shapes is not None
    return shapes, covered(found[1], view), view


def test_the_more_of_the_picture_the_polygon_covers_the_fainter_it_is_filled() -> None:
    walk = pushed(WALL)
    near, all_of_it, _ = seen_from(walk, 0.2)
    assert all_of_it == pytest.approx(1.0)
    far, little, _ = seen_from(walk, 30.0)
    assert little < 0.1
    (faint,) = {color[3] for *_, color in near.triangles}
    (full,) = {color[3] for *_, color in far.triangles}
    assert faint < 0.1 and full > 0.3
    fills = [max(color[3] for *_, color in seen_from(walk, 0.2 + 0.1 * k)[0].triangles) for k in range(60)]
    assert fills == sorted(fills) and len({*fills}) > 4  # it fades
    halves = [
        fill for fill, k in zip(fills, range(60), strict=True) if seen_from(walk, 0.2 + 0.1 * k)[1] < 0.5
    ]
    assert {*halves} == {full}  # beside it there is enough to see


def test_of_a_polygon_whose_edges_are_all_beside_the_picture_the_part_in_view_is_outlined() -> None:
    walk = pushed(WALL)
    shapes, _, view = seen_from(walk, 0.2)
    red = {p for a, b, color in shapes.lines if color == MET for p in (a, b)}
    on_screen = [(x / w, y / w) for x, y, w in map(view.project, red) if w > 0.0]
    inside = [(x, y) for x, y in on_screen if abs(x) <= 1.0 and abs(y) <= 1.0]
    assert len(inside) == 4
    assert all(max(abs(x), abs(y)) > 0.95 for x, y in inside)
    from_afar, _, _ = seen_from(walk, 30.0)
    assert len([1 for *_, color in from_afar.lines if color == MET]) == len(shapes.lines) - 4


@pytest.mark.parametrize("how", ["used", "ethereal"])
def test_a_door_that_lets_bodies_pass_by_now_is_drawn_no_longer_and_the_verdict_says_when_it_was(
    how: str,
) -> None:
    walk = pushed("0xA9B40031 [155.4 18.2 94.0] 0 0 0 1")
    walk.advance(1.0 / 30.0, STANDING)
    met = walk.watch.now
    assert met is not None and met.hit is not None and met.tick > 0
    simulation = walk.simulation
    root = simulation.position.cell_id
    _, _, view = seen_from(walk, 30.0)
    assert blocked_shapes(simulation, met, root, view) is not None
    if how == "used":
        walk.use(DOOR)
    else:
        walk.set_ethereal(DOOR, ethereal=True)
    assert blocked_shapes(simulation, met, root, view) is None  # at once, whether time passes or not
    walk.advance(1.0 / 30.0, STANDING)
    assert walk.blocked.startswith(met.words.split(";")[0])
    assert f", met last in tick {met.tick}" in walk.blocked and "it lets bodies pass now" in walk.blocked
    walk.set_ethereal(DOOR, ethereal=False)
    assert blocked_shapes(simulation, met, root, view) is not None
