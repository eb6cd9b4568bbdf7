"""The command line's words: where commands, locations and values begin and end."""

from __future__ import annotations

import pytest

from viewer.arguments import overview, parse
from viewer.errors import UserError
from viewer.options import COMMANDS


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["0xA9B40170", "[155.0", "15.2", "94.0]"],
        ["42.1N", "33.6E"],
        ["--dumps", "d"],
        ["--view", "third"],
    ],
)
def test_without_a_command_name_it_is_the_walk(words: list[str]) -> None:
    assert parse(words)[0].name == "walk"


def test_a_location_in_several_words_is_one_argument() -> None:
    _, args = parse(["0xA9B40170", "[155.0", "-15.2", "94.0]", "-0.7", "0", "0", "-0.7", "--view", "third"])
    assert args.where == "0xA9B40170 [155.0 -15.2 94.0] -0.7 0 0 -0.7"
    assert args.view == "third"


def test_a_location_given_by_name_ends_at_the_next_option() -> None:
    _, args = parse(["pvs", "--at", "0xA9B40170", "[1", "2", "-3]", "--json"])
    assert args.at == "0xA9B40170 [1 2 -3]"
    assert args.json


def test_values_may_begin_with_a_minus() -> None:
    _, args = parse(["pvs", "--at", "0xA9B40170 [1 2 3]", "--look", "-30,-10", "--eye", "-1,2,3"])
    assert args.look == (-30.0, -10.0)
    assert args.eye == (-1.0, 2.0, 3.0)


def test_world_options_may_stand_before_the_command() -> None:
    command, args = parse(["--dumps", "folder", "--verbose", "cell", "--at", "0xA9B40170 [1 2 3]"])
    assert command.name == "cell"
    assert (args.dumps, args.verbose) == ("folder", True)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["frobnicate"], "no command 'frobnicate'"),
        (["pvs"], "--at"),
        (["pvs", "--at"], "--at"),
        (["pvs", "--at", "x", "--eye", "1,2"], "'1,2' is not X,Y,Z"),
        (["render", "--at", "x", "--out", "y", "--size", "9"], "'9' is not WxH"),
        (["render", "--at", "x", "--out", "y", "--view", "fourth"], "--view"),
        (["render", "--at", "x", "--out", "y", "--mode", "depth,labels"], "there is no mode 'labels'"),
        (["render", "--at", "x", "--out", "y", "--mode", "depth,holes"], "'depth' and 'holes' don't go"),
        (["render", "--at", "x", "--out", "y", "--mode", "first=x"], "'x' is no number of cells"),
        (["render", "--at", "x", "--out", "y", "--mode", "solo"], "is written solo=CELL"),
        (["render", "--at", "x", "--out", "y", "--mode", "solo=zz"], "'zz' is no cell"),
        (["replay"], "CAPTURE.jsonl"),
        (["sim", "a.json", "b.json"], "b.json"),
        (["cell", "--at", "x", "--bogus"], "--bogus"),
    ],
)
def test_bad_usage_is_one_line_that_names_the_argument(words: list[str], says: str) -> None:
    with pytest.raises(UserError) as caught:
        parse(words)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_overview_names_every_command() -> None:
    text = overview()
    assert all(command.name in text for command in COMMANDS)
