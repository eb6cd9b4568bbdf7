"""What commands write: whole, or what was there before is there still; and never over what is read."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.files.write import LineFile
from tests.files.closed_folders import close
from tests.needed import full_device, posix
from tests.places import DEMO
from viewer.commands.groundwork.outputs import check_outputs
from viewer.main import main
from viewer.tables.option import Option
from viewer.tables.options import COMMANDS
from viewer.tables.shared_options import WORLD_OPTIONS, options_of
from viewer.user_error import UserError

VESTIBULE = "0xA9B40170 [155.4 15.2 94.0]"


def script(path: Path, *steps: object) -> str:
    path.write_text(json.dumps({"start": VESTIBULE, "steps": list(steps)}), encoding="utf-8")
    return str(path)


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line of a command that ends with bad input."""
    code = main(list(words))
    err = capsys.readouterr().err
    assert code == 2, err
    assert err.count("\n") == 1
    return err


def test_a_sim_that_fails_before_its_first_tick_leaves_the_older_capture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capture = tmp_path / "f.jsonl"
    capture.write_text("older\n")
    sim = script(tmp_path / "sim.json", {"use": 77}, {"wait": 1})
    refused(capsys, "sim", sim, "--demo", "--record", str(capture))
    assert capture.read_text() == "older\n"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["f.jsonl", "sim.json"]


@posix("locks that others can read through")
@pytest.mark.parametrize("through_link", [False, True])
def test_a_file_that_another_process_writes_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *, through_link: bool
) -> None:
    sim = script(tmp_path / "sim.json", {"wait": 1})
    capture = given = tmp_path / "f.jsonl"
    if through_link:
        given = tmp_path / "link.jsonl"
        given.symlink_to(capture)
    with LineFile(capture) as lines:
        lines.write("theirs")
        line = refused(capsys, "sim", sim, "--demo", "--record", str(given))
        lines.write("theirs too")
    assert line == f"holtwalk: --record: {given} is being written by another holtwalk; nothing was written\n"
    assert capture.read_text() == "theirs\ntheirs too\n"
    assert main(["sim", sim, "--demo", "--record", str(given)]) == 0


@posix("files that are removed while they are open")
def test_a_capture_that_is_removed_while_it_is_written_is_no_success(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sim = script(tmp_path / "sim.json", {"wait": 3})
    folder = tmp_path / "there"
    folder.mkdir()
    write = LineFile.write

    def remove_after(lines: LineFile, line: str) -> None:
        write(lines, line)
        shutil.rmtree(folder, ignore_errors=True)

    monkeypatch.setattr(LineFile, "write", remove_after)
    line = refused(capsys, "sim", sim, "--demo", "--record", str(folder / "f.jsonl"))
    assert line.startswith(
        f"holtwalk: {folder / 'f.jsonl'}: was removed, replaced or changed by another while it was written"
    )


@full_device
def test_a_capture_on_a_full_disk_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sim = script(tmp_path / "sim.json", {"wait": 1})
    line = refused(capsys, "sim", sim, "--demo", "--record", "/dev/full")
    assert line == "holtwalk: /dev/full: No space left on device\n"


@full_device
@pytest.mark.gl
@pytest.mark.parametrize("ending", ["jpg", "png", "webp", "bmp"])
def test_a_picture_on_a_full_disk_is_no_success(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], ending: str
) -> None:
    out = tmp_path / f"f.{ending}"
    out.symlink_to("/dev/full")
    line = refused(
        capsys, "render", "--demo", "--at", VESTIBULE, "--size", "64x64", "--radius", "0", "--out", str(out)
    )
    assert line == f"holtwalk: {out}: No space left on device\n"


@full_device
@pytest.mark.parametrize(
    ("object_id", "ending"), [("0x0d000100", "bin"), ("0x06000100", "png"), ("0x01000a00", "glb")]
)
def test_an_extract_on_a_full_disk_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], object_id: str, ending: str
) -> None:
    out = tmp_path / f"f.{ending}"
    out.symlink_to("/dev/full")
    line = refused(capsys, "dat", "extract", object_id, "--demo", "--out", str(out))
    assert line == f"holtwalk: {out}: No space left on device\n"


# -- an output never destroys an input

GIVES = {  # what the options that are no paths need, to get as far as the comparison
    "render": ("--at", VESTIBULE), "dat extract": ("0x0D000100",), "replay": ("none.jsonl",),
    "open": ("none",),
}  # fmt: skip


@pytest.fixture
def inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """A file for every option that reads one, by the option's name; and the settings."""
    folder = tmp_path / "in"
    (folder / "dats").mkdir(parents=True)
    for name in ("client_portal.dat", "client_cell_1.dat"):
        shutil.copy(DEMO / name, folder / "dats")
    (folder / "spawns" / "deep").mkdir(parents=True)
    (folder / "dumps").mkdir()
    (folder / "bug").mkdir()
    config = tmp_path / "config" / "holtwalk"
    config.mkdir(parents=True)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("HOLTWALK_DATS", raising=False)
    files = {
        "--dats": folder / "dats" / "client_cell_1.dat", "--dumps": folder / "dumps" / "0xA9B40170.json",
        "--scene": folder / "scene.json", "--spawns": folder / "spawns" / "deep" / "s.SQL",
        "script": folder / "sim.json", "--expect": folder / "expected.jsonl", "capture": folder / "c.jsonl",
        "folder": folder / "bug" / "sim.json",
        "settings": config / "keys.toml",
    }  # fmt: skip
    for name, path in files.items():
        if name != "--dats":
            path.write_text("{}")
    return files


def reading(name: str, files: dict[str, Path]) -> list[str]:
    """The words that have an option read its file."""
    folders = {"--dats": 1, "--dumps": 1, "--spawns": 2, "folder": 1}
    path = files[name]
    for _ in range(folders.get(name, 0)):
        path = path.parent
    return (
        []
        if name == "settings"
        else [str(path)]
        if name in ("script", "capture", "folder")
        else [name, str(path)]
    )


def reads_only(option: Option) -> bool:
    return option.reads is not None and not option.writes and option.name != "--cases"


WRITERS = [(command, option) for command in COMMANDS for option in command.options if option.writes]
PAIRS = [
    (command.name, option.name, name)
    for command, option in WRITERS
    for name in (
        *(o.name for o in (*command.options, *WORLD_OPTIONS) if reads_only(o)),
        "settings",
    )
    if (command.name, name) != ("dat extract", "--dumps")
]


@pytest.mark.parametrize("link", ["itself", "symbolic", "hard", "dotted"])
@pytest.mark.parametrize(("command", "output", "name"), PAIRS)
def test_an_output_that_is_an_input_is_refused(
    *, tmp_path: Path, capsys: pytest.CaptureFixture[str], inputs: dict[str, Path],
    command: str, output: str, name: str, link: str,
) -> None:  # fmt: skip
    before = inputs[name].read_bytes()
    out = tmp_path / "out.png"
    if link == "symbolic":
        out.symlink_to(inputs[name])
    elif link == "hard":
        out.hardlink_to(inputs[name])
    else:
        folder = inputs[name].parent
        out = (folder if link == "itself" else folder / ".." / folder.name) / inputs[name].name
    gives = () if name in ("capture", "folder") else GIVES.get(command, ())
    needs = next(o.needs for c, o in WRITERS if (c.name, o.name) == (command, output))
    options = next(c.options for c in COMMANDS if c.name == command)
    takes_value = any(o.name == needs and o.metavar for o in options)
    words = [
        *command.split(),
        *gives,
        *reading(name, inputs),
        *([needs, *([str(tmp_path / "none")] if takes_value else [])] if needs else []),
    ]
    if (command, output) == ("tour", "--out"):
        (tmp_path / "tour").mkdir()
        if link == "hard":
            (tmp_path / "tour" / "transcript.txt").hardlink_to(inputs[name])
        else:
            (tmp_path / "tour" / "transcript.txt").symlink_to(out)
        out = tmp_path / "tour"
    line = refused(capsys, *words, output, str(out))
    assert line.startswith(f"holtwalk: {output}: ")
    assert "which is read; nothing was written" in line
    assert inputs[name].read_bytes() == before


@pytest.mark.parametrize(
    ("command", "option"), sorted((c.name, o.name) for c, o in WRITERS if o.makes is None)
)
def test_a_dat_that_the_command_does_not_read_is_no_output_either(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, option: str
) -> None:
    dat = tmp_path / "client_portal.png"
    dat.write_bytes(bytes(0x140) + b"BT\0\0" + bytes(60))
    before = dat.read_bytes()
    needs = next(o.needs for c, o in WRITERS if (c.name, o.name) == (command, option))
    takes_value = any(o.name == needs and o.metavar for c in COMMANDS if c.name == command for o in c.options)
    words = [needs, *([str(tmp_path / "none")] if takes_value else [])] if needs else []
    line = refused(capsys, *command.split(), *GIVES.get(command, ()), *words, option, str(dat))
    assert line.endswith("is a dat file of the game, and those are only ever read; nothing was written\n")
    assert dat.read_bytes() == before


@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize(
    "words",
    [
        ("walk", "--record", "{0}/f", "--report", "{0}/f"),
        ("walk", "--record", "{0}/f", "--report", "{0}/link"),
        ("tour", "--out", "{0}/t", "--record", "{0}/t/transcript.txt"),
        ("tour", "--out", "{0}/t", "--record", "{0}/t/01-the-cottage.png"),
    ],
)
def test_two_outputs_are_not_one_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], *, there: bool
) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "f")
    if there:
        (tmp_path / "f").write_text("older")
    line = refused(capsys, *(word.format(tmp_path) for word in words))
    assert "writes as well; nothing was written" in line
    assert not (tmp_path / "t").exists()


def test_an_output_is_no_dash(capsys: pytest.CaptureFixture[str]) -> None:
    """Elsewhere that is standard output; a file of such a name is not what anybody wants."""
    for command, option in WRITERS:
        args = argparse.Namespace(**{option.name.removeprefix("--"): "-"})
        with pytest.raises(UserError, match=f"{option.name}: - names no file"):
            check_outputs(command, args)
    assert "/dev/stdout" in refused(capsys, "sim", "any.json", "--demo", "--record", "-")


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_an_output_is_not_where_the_program_prints(tmp_path: Path, stream: str) -> None:
    sim, printed = script(tmp_path / "sim.json", {"wait": 0.1}), tmp_path / "printed"
    with printed.open("w") as file:
        command = [sys.executable, "-m", "viewer", "sim", sim, "--demo", "--record", str(printed)]
        streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, stream: file}
        done = subprocess.run(command, cwd=DEMO.parents[1], check=False, **streams)  # type: ignore[call-overload]
    assert done.returncode == 2


PRINTED_TO = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/dev/fd/{}", "a link"]
JSON_AND_OUTPUT = [
    (option.name, output.name, command)
    for command in COMMANDS
    for option in options_of(command)
    for output in options_of(command)
    if option.name in ("--json", "--jsonl") and output.writes
]


@posix("a path of standard output")
@pytest.mark.parametrize("kind", ["pipe", "socket", "terminal"])
@pytest.mark.parametrize("path", PRINTED_TO)
def test_json_stands_alone_where_it_is_printed(tmp_path: Path, kind: str, path: str) -> None:
    """Whatever standard output is, and by whatever path one names it, for every command."""
    held, other = os.dup(1), -1
    try:
        with kind_of_stream(kind) as (end, _):
            os.dup2(end, 1)
            other = os.dup(1)
            if path == "a link":
                (tmp_path / "link").symlink_to(f"/dev/fd/{other}")
                path = str(tmp_path / "link")
            for json, output, command in JSON_AND_OUTPUT:
                given = {json[2:]: True, output[2:]: path.format(other)}
                args = argparse.Namespace(**{"demo": True, "dats": "", "dumps": ""} | given)
                with pytest.raises(UserError, match=f"goes, and {json} prints JSON alone there; nothing"):
                    check_outputs(command, args)
    finally:
        os.dup2(held, 1)
        os.close(held)
        os.close(other)


@contextmanager
def kind_of_stream(kind: str) -> Iterator[tuple[int, int]]:
    """Both ends of something to print to, the written one first."""
    if kind == "socket":
        ours, theirs = socket.socketpair()
        ends = (ours.detach(), theirs.detach())
    elif kind == "terminal":
        master, ours_of_terminal = os.openpty()
        ends = (ours_of_terminal, master)
    else:
        read, write = os.pipe()
        ends = (write, read)
    try:
        yield ends
    finally:
        for end in ends:
            os.close(end)


@posix("a path of standard output")
def test_json_that_stands_alone_is_said_in_one_line(tmp_path: Path) -> None:
    sim = script(tmp_path / "sim.json", {"wait": 0.1})
    command = [sys.executable, "-m", "viewer", "sim", sim, "--demo", "--json", "--record", "/dev/stdout"]
    done = subprocess.run(command, cwd=DEMO.parents[1], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines() == [
        "holtwalk: --record: /dev/stdout is where standard output goes, and --json prints JSON alone there; "
        "nothing was written"
    ]


def test_devices_take_any_number_of_outputs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    sim = script(tmp_path / "sim.json", {"wait": 0.1})
    assert main(["sim", sim, "--demo", "--record", "/dev/null"]) == 0
    capsys.readouterr()


def test_every_option_that_names_a_path_says_what_is_done_with_it() -> None:
    """The comparison goes by the table: a path of which it says nothing would not be compared."""
    paths = ("DIR", "FILE", "PATH", "F")
    silent = [
        option.name
        for option in (*WORLD_OPTIONS, *(o for command in COMMANDS for o in command.options))
        if (option.metavar in paths or "." in option.metavar)
        and option.reads is None and not option.writes
    ]  # fmt: skip
    assert not silent


def test_a_settings_folder_that_can_not_be_looked_into_ends_no_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", f"/{'x' * 300}")
    (tmp_path / "e.bin").write_bytes(b"older")
    assert main(["dat", "extract", "0x0D000101", "--demo", "--out", str(tmp_path / "e.bin")]) == 0


@pytest.mark.parametrize("name", ["picture.png", "README.txt", "capture.jsonl", "dumps/scene.json"])
def test_a_report_is_not_written_over_what_a_bug_folder_holds(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / name
    kept.parent.mkdir(exist_ok=True)
    kept.write_text("as it was")
    assert main(["open", str(tmp_path), "--report", str(kept)]) == 2
    assert str(kept) in capsys.readouterr().err
    assert kept.read_text() == "as it was"


@pytest.mark.parametrize("given", [("--report", "scene.json"), ("--record", "new.json")])
def test_a_walk_does_not_write_over_the_world_that_the_settings_name(
    given: tuple[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With --dats it was refused, while what Ctrl+D had kept was looked at too late."""
    settings = tmp_path / "holtwalk" / "settings.toml"
    settings.parent.mkdir()
    world = shutil.copytree(DEMO, tmp_path / "world")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    settings.write_text(f"dats = {json.dumps(str(world))}\n", encoding="utf-8")
    before = {path.name: path.read_bytes() for path in world.iterdir()}
    assert "nothing was written" in refused(capsys, "walk", given[0], str(world / given[1]))
    assert {path.name: path.read_bytes() for path in world.iterdir()} == before


def test_where_the_settings_name_a_world_that_no_file_can_be_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "holtwalk").mkdir()
    (tmp_path / "holtwalk" / "settings.toml").write_text('dats = "a\\u0000b"\n', encoding="utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("DISPLAY", "")
    assert main(["walk", "--report", str(tmp_path / "new.jsonl")]) == 2
    assert "settings.toml: dats: " in capsys.readouterr().err


@posix("a folder's rights")
def test_where_the_settings_name_a_world_that_may_not_be_entered_it_is_the_demo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It ended the walk, where one that isn't there is told and passed over."""
    (tmp_path / "holtwalk").mkdir()
    (tmp_path / "holtwalk" / "settings.toml").write_text('dats = "/theirs"\n', encoding="utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("DISPLAY", "")

    close("/theirs", monkeypatch)
    assert main(["walk"]) == 2  # there is no display
    first, *_ = capsys.readouterr().err.splitlines()
    assert first == "holtwalk: settings.toml: dats: /theirs: Permission denied; this is the demo"


@pytest.mark.parametrize("name", ["settings.toml", "layout.ini", "world-435a79bdf0ab9c29.png", "a.jsonl"])
def test_no_output_becomes_a_settings_file(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Records named window.toml and world-….png were written over by the window's place, and its map."""
    folder = tmp_path / "holtwalk"
    folder.mkdir()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert "in the folder of the settings" in refused(
        capsys, "walk", "--demo", "--record", str(folder / name)
    )
    assert list(folder.iterdir()) == []
