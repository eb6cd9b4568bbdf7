"""A part of a frame that fails is one line, noted once, and what comes after it is done."""

from __future__ import annotations

from viewer.unforeseen import NO_MEMORY
from viewer.window.guard import LONGEST, Guard


def test_a_part_that_fails_is_one_line_and_the_rest_goes_on() -> None:
    shown: list[str] = []
    noted: list[str] = []
    guard = Guard(shown.append, noted.append)

    def fail() -> int:
        raise ValueError("a\nb")

    for _ in range(3):
        assert guard("the picture", fail) is None
        assert guard("the panels", lambda: 7) == 7
    assert shown == ["the picture failed: a b"] * 3
    assert noted == ["the picture failed: a b"]


def test_an_error_without_words_is_told_by_its_kind() -> None:
    shown: list[str] = []
    Guard(shown.append, shown.append)("the tick", lambda: {}["x"].y)
    assert shown[0] == "the tick failed: 'x'"
    Guard(shown.append, shown.append)("the tick", lambda: next(iter(())))
    assert shown[-1] == "the tick failed: StopIteration"

    def fill() -> None:
        raise MemoryError

    Guard(shown.append, shown.append)("the tick", fill)
    assert shown[-1] == f"the tick failed: {NO_MEMORY}"


def test_what_is_wrong_with_a_file_is_told_as_commands_tell_it() -> None:
    shown: list[str] = []

    def fail() -> None:
        raise OSError(2, "it is gone, and there is no other", "the folder")

    Guard(shown.append, shown.append)("movie", fail)
    assert shown[0] == "movie failed: the folder: it is gone, and there is no other"


def test_a_reason_of_any_length_is_cut_and_obeys_nothing() -> None:
    told: list[str] = []
    guard = Guard(told.append, told.append)

    def fail() -> None:
        raise OSError(36, "File name too long", "/\x1b[31m" + "x" * 5000)

    guard("what was dropped", fail)
    assert len(told[0]) < LONGEST + 40
    assert "\x1b" not in told[0]
    assert told[0].endswith("…: File name too long")
