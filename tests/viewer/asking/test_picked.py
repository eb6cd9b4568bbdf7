"""What is told and drawn of a picked pixel: which polygons are meant, and only where it is seen."""

from __future__ import annotations

import pytest

from viewer.report.picked import Facet, PickAnswer, PickKind, Solid
from viewer.window.walking.walk import Walk

OUTDOORS = 0xA9B40031
SQUARE = ((154.0, 16.6, 94.0), (156.0, 16.6, 94.0), (156.0, 16.6, 97.0))


def picked(drawn_with: int = 0) -> PickAnswer:
    """A door's face that the landscape's pass paints, or a cell's."""
    facet = Facet(
        kind=PickKind.ENTITY, cell=OUTDOORS, owner=0x7A9B4015, name="door", setup=0x020019FF, part=2,
        gfxobj=0x010044B6, polygon=1, node=3, back=False, surface=0, texture=0, image=0, how="opaque",
        alpha=1.0, distance=0.45, normal=(0.0, 1.0, 0.0), corners=SQUARE, drawn_with=drawn_with,
    )  # fmt: skip
    solid = Solid(polygon=3, leaf=2, off=0.0, walkable=False, normal=(0.0, 1.0, 0.0), corners=SQUARE)
    return PickAnswer(pixel=(1, 2), root=OUTDOORS, facet=facet, place=(155.0, 16.6, 95.0), solid=solid)


def test_people_read_which_polygon_is_drawn_and_which_is_met_and_programs_what_they_always_did() -> None:
    answer = picked()
    assert answer.headline == "door 0x7A9B4015, part 2 (0x010044B6), drawing polygon 1, 0.45 m away"
    assert answer.words[0] == answer.headline
    assert "physics polygon: 3, leaf 2, not walkable" in answer.words
    assert answer.to_json()["verdict"] == "door 0x7A9B4015, part 2 (0x010044B6), polygon 1, 0.45 m away"


@pytest.mark.parametrize(("drawn_with", "drawn"), [(0, ["door 0x7A9B4015"]), (0xA9B40101, [])])
def test_what_was_picked_is_drawn_only_while_the_picture_shows_where_it_is(
    walk: Walk, drawn_with: int, drawn: list[str]
) -> None:
    walk.questions.picked = picked(drawn_with)
    labels = [
        text
        for shapes in walk.questions.shapes(walk.look_out((320, 180), 0.0))
        for _, text, _ in shapes.labels
    ]
    assert labels == drawn


def test_what_was_picked_is_drawn_no_longer_after_going_elsewhere_and_told_of_still(walk: Walk) -> None:
    walk.questions.picked = picked()
    assert walk.teleport(f"0x{OUTDOORS:08X} [150.0 20.0 94.0]") == ""
    assert walk.questions.shapes(walk.look_out((320, 180), 0.0)) == []
    assert walk.report().asked.pick is not None
