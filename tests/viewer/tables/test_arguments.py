"""The command line's words: where commands, locations and values begin and end."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.files.closed_folders import close
from viewer.main import main
from viewer.tables.arguments import overview, parse
from viewer.tables.option import Option
from viewer.tables.options import COMMANDS
from viewer.tables.shared_options import options_of
from viewer.user_error import UserError


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


def test_a_value_may_be_called_as_its_argument_is() -> None:
    """Two folders a and b, where the table calls the first argument `a`."""
    _, args = parse(["dat", "diff", "a", "b", "--json"])
    assert (str(args.a), str(args.b)) == ("a", "b")
    _, args = parse(["dat", "diff", "b", "a"])
    assert (str(args.a), str(args.b)) == ("b", "a")


OF_ARGUMENTS = [
    command.name
    for command in COMMANDS
    if command.name != "walk" and any(option.is_argument for option in command.options)
]


@pytest.mark.parametrize("name", OF_ARGUMENTS)
def test_a_command_without_its_arguments_says_so_in_one_line(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(name.split()) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and "internal error" not in told


def test_an_argument_that_is_one_of_several_words_is_refused_where_it_is_none_of_them() -> None:
    with pytest.raises(UserError, match="invalid choice: 'tcsh'"):
        parse(["completion", "tcsh"])


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
        (["render", "--at", "x", "--out", "y", "--size", "0x1"], "'0x1' is not WxH: picture size in pixels, "
         "each side 1 to 8192"),
        (["walk", "--size", "1x1"], "each side 16 to 8192"),
        (["walk", "--size", "64x8193"], "each side 16 to 8192"),
        (["render", "--at", "x", "--out", "y", "--fov", "179.9"], "in degrees, 5 to 170"),
        (["pvs", "--at", "x", "--look", "0,91"], "pitch up, -90 to 90"),
        (["render", "--at", "x", "--out", "y", "--lock-root", "x", "--lock-look", "0,-91"], "-90 to 90"),
        (["render", "--at", "x", "--out", "y", "--lock-look", "0,0"], "nothing without --lock-root"),
        (["render", "--at", "x", "--out", "y", "--lock-eye", "0,0,0"], "nothing without --lock-root"),
        (["render", "--at", "x", "--out", "y", "--clouds", "-1"], "from 0 on"),
        (["render", "--at", "x", "--out", "y", "--objects", "27"], "up to --radius and 26"),
        (["tour", "--day-group", "-1"], "from 0 on"),
        (["audit", "--jobs", "0"], "at least 1"),
        (["audit", "--jobs=--"], "argument --jobs: '--' is no value"),
        (["render", "--at", "x", "--out=--"], "argument --out: '--' is no value"),
        (["pvs", "--at", "x", "--mode", "depth"], "the mode 'depth' chooses no cells"),
        (["pvs", "--at", "x", "--mode", "stab,portals"], "that do are stab, all, root, solo=CELL, first=N"),
        (["render", "--at", "x", "--out", "y", "--view", "fourth"], "--view"),
        (["render", "--at", "x", "--out", "y", "--mode", "depth,labels"], "there is no mode 'labels'"),
        (["render", "--at", "x", "--out", "y", "--mode", "depth,holes"], "'depth' and 'holes' don't go"),
        (["render", "--at", "x", "--out", "y", "--mode", "first=x"], "'x' is no number of cells"),
        (["render", "--at", "x", "--out", "y", "--mode", "first=0"], "'0' is no number of cells, 1 or more"),
        (["render", "--at", "x", "--out", "y", "--mode", "solo"], "is written solo=CELL"),
        (["render", "--at", "x", "--out", "y", "--mode", "solo=zz"], "'zz' is no cell"),
        (["render", "--at", "x", "--out", "y", "--mode", "solo=00000171"], "'00000171' is no cell"),
        (["render", "--at", "x", "--out", "y", "--mode", "region=0xA9B40012"], "'0xA9B40012' is a landcell"),
        (["pvs", "--at", "x", "--why", "0x00000172"], "'0x00000172' is no cell: write 0xA9B40171, or 0171"),
        (["pvs", "--at", "x", "--why", "0"], "'0' is no cell"),
        (["pvs", "--at", "x", "--why", "1_72"], "'1_72' is no cell"),
        (["dat", "show", "0x0100_0001"], "'0x0100_0001' is not ID"),
        (["dat", "show", "+01000001"], "'+01000001' is not ID"),
        (["replay"], "CAPTURE.jsonl"),
        (["sim", "a.json", "b.json"], "b.json"),
        (["cell", "--at", "x", "--bogus"], "--bogus"),
    ],
)  # fmt: skip
def test_bad_usage_is_one_line_that_names_the_argument(words: list[str], says: str) -> None:
    with pytest.raises(UserError) as caught:
        parse(words)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "words",
    [
        ["pvs", "--at", "x", "--look", "720,90", "--fov", "5", "--size", "1x8192", "--mode", "first=1,stab"],
        ["render", "--at", "x", "--out", "y", "--lock-root", "x", "--lock-look", "0,-90", "--fov", "170"],
        ["audit", "--jobs", "1"],
    ],
)
def test_the_limits_themselves_are_taken(words: list[str]) -> None:
    assert parse(words)[0].name == words[0]


WRITERS = (
    ["render", "--at", "x", "--out"],
    ["dat", "extract", "1", "--out"],
    ["sim", "a.json", "--record"],
    ["walk", "--record"],
    ["walk", "--report"],
)


@pytest.mark.parametrize("words", WRITERS)
def test_a_file_that_could_not_be_written_is_refused_before_the_work(
    words: list[str], tmp_path: Path
) -> None:
    missing = tmp_path / "nowhere"
    with pytest.raises(UserError, match=f"{words[-1]}: {missing}/a.png can't be written: {missing} is not"):
        parse([*words, str(missing / "a.png")])
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="file is no folder"):
        parse([*words, str(tmp_path / "file" / "a.png")])
    with pytest.raises(UserError, match="is a folder, not a file"):
        parse([*words, str(tmp_path)])
    parse([*words, str(tmp_path / "a.png")])
    parse([*words, str(tmp_path / "file")])


PATHS = [
    (command.name, option)
    for command in COMMANDS
    for option in options_of(command)
    if option.writes or option.reads is not None
]


@pytest.mark.parametrize(("command", "option"), PATHS, ids=[f"{name} {path.name}" for name, path in PATHS])
def test_a_path_that_is_empty_is_said_to_be_so(command: str, option: Option) -> None:
    """It would be the folder that the program stands in, or as if the option had not been given."""
    before = ["a"] if option.name == "b" else []  # of dat diff's two
    words = [*command.split(), *(before if option.is_argument else [option.name])]
    name = option.metavar if option.is_argument else option.name
    with pytest.raises(UserError, match=re.escape(f"{name}: '' is empty, not {option.metavar}: ")):
        parse([*words, ""])


def test_what_is_protected_is_refused_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.png").touch()
    monkeypatch.setattr("os.access", lambda path, mode: False)  # an administrator may write anywhere
    for name, says in (("a.png", "the file is protected"), ("b.png", f"the folder {tmp_path} is protected")):
        with pytest.raises(UserError, match=says):
            parse(["render", "--at", "x", "--out", str(tmp_path / name)])
    with pytest.raises(UserError, match=f"the folder {tmp_path} is protected"):
        parse(["tour", "--out", str(tmp_path / "new" / "tour")])


def test_a_folder_that_one_may_not_enter_is_not_said_to_be_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another user's home is, where one is put into it by `sudo -u`."""
    close(tmp_path, monkeypatch)
    with pytest.raises(UserError, match=f"the folder {tmp_path} may not be entered"):
        parse(["render", "--at", "x", "--out", str(tmp_path / "p.png")])


def test_a_file_that_may_be_written_is_refused_in_a_folder_that_is_protected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, link = tmp_path / "a.png", tmp_path / "far" / "b.png"
    old.touch()
    link.parent.mkdir()
    link.symlink_to(old)
    monkeypatch.setattr("os.access", lambda path, mode: Path(path) != tmp_path)
    for path in (old, link):
        with pytest.raises(UserError, match=f"the folder {tmp_path} is protected"):
            parse(["render", "--at", "x", "--out", str(path)])
    assert parse(["audit", "--state", str(old)])[1].state == str(old)  # goes on in the file itself


def test_the_tour_makes_its_folder_but_not_within_a_file(tmp_path: Path) -> None:
    assert parse(["tour", "--out", str(tmp_path / "new" / "tour")])[1].out == str(tmp_path / "new" / "tour")
    parse(["tour", "--out", str(tmp_path / "new"), "--record", str(tmp_path / "new" / "walk.jsonl")])
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="file is no folder"):
        parse(["tour", "--out", str(tmp_path / "file" / "tour")])


def test_the_overview_names_every_command() -> None:
    text = overview()
    assert all(command.name in text for command in COMMANDS)


def test_options_without_end_are_refused_at_once() -> None:
    """Each would take the longer, the more there are."""
    with pytest.raises(UserError, match="there are more than 2,000 options"):
        parse(["verify", *["--only", "door-use-opens"] * 2001])
    assert parse(["dat", "grep", *["0x01000001"] * 2001])[0].name == "dat grep"


def test_an_option_that_is_given_twice_says_which_one_counts(capsys: pytest.CaptureFixture[str]) -> None:
    """The landblock that was named first was not audited, and nothing said so."""
    _, args = parse(["audit", "--landblock", "0xA9B4", "--landblock=0xA9B3", "--json", "--json"])
    assert args.landblock == 0xA9B30000
    assert args.repeated == ["--landblock is given 2 times; the last, 0xA9B3, counts"]
    assert parse(["walk", "--size", "64x64", "--size", "80x60"])[1].repeated == []
    assert parse(["sim", "a.json", "--record", "a.jsonl", "--record", "b.jsonl"])[1].repeated
    assert parse(["probe", "0x7A9B4015", "--use", "0x7A9B4015", "--use", "0x7A9B4016"])[1].repeated == []
    assert main(["dat", "ls", "--demo", "--type", "EnvCell", "--type", "Region"]) == 0
    assert capsys.readouterr().err == "holtwalk: --type is given 2 times; the last, Region, counts\n"
