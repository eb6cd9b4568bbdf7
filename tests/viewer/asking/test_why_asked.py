"""Why a cell is seen or not, asked in the walk: live, as `pvs --why` answers, and drawn in the picture."""

from __future__ import annotations

import pytest

from engine.visibility.region_shapes import GREEN, GREY, ORANGE, RED, WHITE, YELLOW, verdict_color
from tests.viewer.demo_places import standing
from viewer.asking.near_cells import MOST
from viewer.report.picture_report import CellId, plain
from viewer.tables.modes import MODES
from viewer.window.walking.walk import Walk

ROOM, VESTIBULE, UPSTAIRS = 0xA9B40171, 0xA9B40170, 0xA9B40172
SIZE = (640, 480)


@pytest.fixture
def walk() -> Walk:
    made = Walk(standing("0xA9B40171 [155.4 12.6 94] 1 0 0 0"))
    made.look_out(SIZE, 0.0)
    return made


def asked(walk: Walk) -> dict[str, object]:
    document = plain(walk.report())
    assert isinstance(document, dict)
    found = document["asked"]["why"]
    assert isinstance(found, dict)
    return found


def test_an_answer_follows_the_eye_while_one_turns(walk: Walk) -> None:
    walk.questions.ask_why(VESTIBULE)
    walk.look_out(SIZE, 0.0)
    assert asked(walk)["visible"] is True
    walk.turn(180.0, 0.0)
    walk.look_out(SIZE, 0.0)
    said = asked(walk)
    assert said["visible"] is False
    assert "the portal lies behind the eye" in str(said["verdict"])


def test_frames_keep_accounts_only_while_somebody_asks(walk: Walk) -> None:
    def has_accounts() -> bool:
        picture = walk.look_out(SIZE, 0.0)
        return picture.flood is not None and picture.flood.log is not None

    assert not has_accounts()
    walk.questions.ask_why(VESTIBULE)
    assert has_accounts()
    walk.questions.ask_why(0)
    assert not has_accounts()
    assert plain(walk.report())["asked"]["why"] is None


def test_nothing_is_answered_twice_about_what_is_seen_alike(
    walk: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    from viewer.asking import why_cell

    answers = []
    real = why_cell.why  # type: ignore[attr-defined]
    monkeypatch.setattr(why_cell, "why", lambda *about: answers.append(1) or real(*about))
    walk.questions.ask_why(VESTIBULE)
    for _ in range(3):
        walk.look_out(SIZE, 0.0)
    assert len(answers) == 1
    walk.turn(1.0, 0.0)
    walk.look_out(SIZE, 0.0)
    assert len(answers) == 2


def test_the_box_takes_low_words_of_the_roots_block_and_says_what_is_no_cell(walk: Walk) -> None:
    questions = walk.questions
    questions.type_why("0x0170", entered=True)
    assert questions.why.cell == VESTIBULE
    for text, words in (
        ("A9B4FEFE", "no cell 0xA9B4FEFE in this world"), ("door", "'door' is no cell"),
        ("0x00000170", "'0x00000170' is no cell"),
    ):  # fmt: skip
        questions.type_why(text, entered=True)
        assert words in questions.report().why_complaint
        assert questions.why.cell == VESTIBULE


HALF_TYPED = "0xA9B40031 [155.0 19 94.005] 0 0 0 -1"


@pytest.mark.parametrize(
    "typed", ["-1", "0 -1", "-FFFF", "FFFFFFFF", "1FFFFFFFFF", "A9B4FFFF", "A9B4FFFE", "0"]
)
def test_no_number_that_is_typed_raises_more_than_its_one_line(walk: Walk, typed: str) -> None:
    questions = walk.questions
    before = questions.why.cell
    questions.type_why(typed, entered=True)
    assert len(questions.report().why_complaint.splitlines()) == 1
    assert questions.why.cell == before
    questions.offers(typed)


def test_the_palette_takes_a_location_as_it_is_typed_sign_by_sign(walk: Walk) -> None:
    stab_list = len(walk.questions.offers(""))
    for length in range(len(HALF_TYPED) + 1):
        assert len(walk.questions.offers(HALF_TYPED[:length])) <= stab_list + 1
    assert len(walk.questions.offers(HALF_TYPED)) == stab_list


def test_verdicts_have_the_colours_that_the_mode_of_portals_names() -> None:
    said = next(mode.help for mode in MODES if mode.name == "portals")
    for name, color, verdicts in (
        ("green", GREEN, ("passed",)),
        ("yellow", YELLOW, ("clipped away",)),
        ("orange", ORANGE, ("missing", "not in the stab list")),
        ("red", RED, ("faces away",)),
    ):
        assert f"{name} {' or '.join(verdicts)}" in said
        assert {verdict_color(verdict) for verdict in verdicts} == {color}


def test_the_opening_that_stops_the_view_has_the_colour_of_its_verdict_the_region_is_white(
    walk: Walk,
) -> None:
    walk.questions.ask_why(UPSTAIRS)
    picture = walk.look_out(SIZE, 0.0)
    (shapes,) = walk.questions.shapes(picture)
    answer = walk.questions.why.answer
    assert answer is not None
    stop = answer.chains[0].stopped_at
    assert stop is not None
    color = verdict_color(stop.verdict)
    assert color not in (GREEN, GREY, WHITE)
    assert {point for a, b, rgba in shapes.lines if rgba[:3] == color for point in (a, b)} == set(
        stop.corners
    )
    assert any(color[:3] == WHITE for _, _, color in shapes.lines)
    walk.questions.ask_why(VESTIBULE)
    picture = walk.look_out(SIZE, 0.0)
    (shapes,) = walk.questions.shapes(picture)
    assert {color[:3] for _, _, color in shapes.lines} == {GREEN, WHITE}


def test_the_palette_asks_about_the_stab_list_and_about_what_is_typed(walk: Walk) -> None:
    offers = dict(walk.questions.offers("why 0164"))
    assert "Why is 0xA9B40172 seen, or not" in offers
    offers["Why is 0xA9B40164 seen, or not"]()
    assert walk.questions.why.cell == 0xA9B40164
    assert walk.questions.shown_panels() == ["Why"]
    assert walk.questions.shown_panels() == []


def near(walk: Walk) -> list[int]:
    return list(walk.report().listing.near)


def test_outdoors_the_cells_near_by_that_are_not_visible_are_offered_nearest_first() -> None:
    made = Walk(standing("0xA9B40031 [155.4 17.0 94.0] 0 0 0 1"))
    made.turn(180.0, 0.0)
    made.look_out(SIZE, 0.0)
    assert made.simulation.body.cell is not None and not made.simulation.body.cell.stab_list
    offered = near(made)
    assert offered[0] == VESTIBULE
    assert {ROOM, UPSTAIRS} <= set(offered)
    assert len(offered) <= MOST
    assert f"Why is {CellId(ROOM)} seen, or not" in {said for said, _ in made.questions.offers("")}
    assert made.seen is not None
    assert not {row.cell for row in made.seen.cells} & set(offered)
    made.turn(180.0, 0.0)
    made.look_out(SIZE, 0.0)
    seen = {row.cell for row in made.seen.cells}
    assert VESTIBULE in seen
    assert not seen & set(near(made))


def test_the_box_is_empty_once_nothing_is_asked_and_names_what_is_asked_after_a_jump(walk: Walk) -> None:
    questions = walk.questions
    questions.ask_why(VESTIBULE)
    questions.ask_why(0)
    assert questions.why.text == ""
    questions.type_why("nonsense", entered=True)
    assert walk.teleport("0xA9B40031 [155.4 17.0 94.0] 0 0 0 1") == ""
    asked_now = questions.report()
    assert (asked_now.why_text, asked_now.why_complaint) == ("", "")
    questions.ask_why(ROOM)
    questions.type_why("01")
    assert walk.teleport("0xA9B40171 [155.4 12.6 94] 1 0 0 0") == ""
    walk.look_out(SIZE, 0.0)
    assert questions.why.text == f"{ROOM:08X}"
    assert asked(walk)["cell"] == str(CellId(ROOM))
