"""What is told and drawn of a picked pixel: which polygons are meant, and only where it is seen."""

from __future__ import annotations

from typing import cast

import pytest

from tests.viewer.answers import OUTDOORS, picked
from viewer.picture.picture_to_draw import PictureToDraw
from viewer.renderer.render_options import RenderOptions
from viewer.renderer.renderer import Renderer
from viewer.window.walking.walk import Walk


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
    walk.questions.pick.picked = picked(drawn_with)
    labels = [
        text
        for shapes in walk.questions.shapes(walk.look_out((320, 180), 0.0))
        for _, text, _ in shapes.labels
    ]
    assert labels == drawn


def test_what_was_picked_is_drawn_no_longer_after_going_elsewhere_and_told_of_still(walk: Walk) -> None:
    walk.questions.pick.picked = picked()
    assert walk.teleport(f"0x{OUTDOORS:08X} [150.0 20.0 94.0]") == ""
    assert walk.questions.shapes(walk.look_out((320, 180), 0.0)) == []
    assert walk.report().asked.pick is not None


class Undrawn:
    """Stands for a renderer that paints nothing."""

    def resize(self, width: int, height: int) -> None:
        pass

    def pixel_history(self, *asked: object) -> tuple[()]:
        return ()


def look_closer(walk: Walk, pixel: tuple[int, int]) -> None:
    """Point at a pixel of what one sees, and get the answer."""
    walk.questions.inspect(pixel)
    seen = PictureToDraw(walk.look_out((320, 180), 0.0), walk.objects(), RenderOptions())
    walk.questions.look_closer(seen, cast("Renderer", Undrawn()))


def test_a_record_that_was_followed_goes_with_the_answer_it_was_followed_from(walk: Walk) -> None:
    look_closer(walk, (160, 90))
    first = walk.report().asked
    assert first.pick is not None and first.pick.facet is not None
    walk.questions.follow(first.pick.facet.surface)
    followed = walk.report().asked
    assert followed.followed is not None and followed.followed.id == first.pick.facet.surface
    assert (followed.pick_number, followed.followed_number) == (1, 1)
    walk.turn(0.0, 60.0)
    look_closer(walk, (160, 10))
    sky = walk.report().asked
    assert sky.pick is not None and sky.pick.facet is None
    assert sky.followed is None
    assert (sky.pick_number, sky.followed_number) == (2, 1)


def test_every_click_on_an_id_is_one_and_closing_a_record_is_none(walk: Walk) -> None:
    for record, number in ((0x08000112, 1), (0x08000112, 2), (0, 2), (0x08000112, 3)):
        walk.questions.follow(record)
        assert walk.report().asked.followed_number == number
