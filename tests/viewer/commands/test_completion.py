"""The help groups every command with an example; shells complete what the option table has."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.needed import needs_tool, only_where
from viewer.main import main
from viewer.tables.arguments import overview, parse
from viewer.tables.option import GROUPS
from viewer.tables.options import COMMANDS, SHELLS, by_group
from viewer.tables.shared_options import options_of


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_the_example_of_a_command_is_a_command_line_of_it(command: object) -> None:
    words = shlex.split(command.example.partition(" > ")[0])  # type: ignore[attr-defined]
    assert words[0] == "holtwalk"
    found, _ = parse(words[1:])
    assert found is command


def test_the_help_lists_every_command_once_under_its_group_with_its_example() -> None:
    assert sorted(command.name for _, group in by_group() for command in group) == sorted(
        command.name for command in COMMANDS
    )
    assert {command.group for command in COMMANDS} == set(GROUPS)
    text = overview()
    for command in COMMANDS:
        assert text.count(f"  {command.example}\n") == 1


def script(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["completion", shell]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_names_every_command_and_option(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = script(shell, capsys)
    for command in COMMANDS:
        assert command.name.split()[-1] in text
        for option in options_of(command):
            named = option.is_argument or option.name in text or f"-l {option.name[2:]}" in text
            assert named, (command.name, option.name)


@pytest.mark.parametrize(
    "shell", [pytest.param(shell, marks=needs_tool(shell), id=shell) for shell in ("bash", "zsh", "fish")]
)
def test_the_shell_accepts_its_script(shell: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "script"
    path.write_text(script(shell, capsys), encoding="utf-8")
    done = subprocess.run([shell, "-n", str(path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


CASES = {
    "": "walk tour render pvs cell probe sim replay audit dat bench verify doctor completion",
    "dat ": "ls show diff grep extract check",
    "dat gr": "grep",
    "pvs --res": "--resident",
    "render --view ": "first third",
    "verify --only door-closed-c": "door-closed-centre",
    "dat ls --type Setu": "Setup",
    "render --mode porta": "portals",
    "completion z": "zsh",
}


@only_where(so=sys.platform != "win32", why="bash reads no such paths there")
@needs_tool("bash")
@pytest.mark.parametrize("typed", CASES)
def test_bash_completes(typed: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "script"
    path.write_text(script("bash", capsys), encoding="utf-8")
    words = ["holtwalk", *typed.split(" ")]
    program = (
        f"source {path}; COMP_WORDS=({' '.join(shlex.quote(word) for word in words)}); "
        f"COMP_CWORD={len(words) - 1}; COMPREPLY=(); "
        f"_shtab_holtwalk holtwalk {shlex.quote(words[-1])} {shlex.quote(words[-2])}; "
        'echo "${COMPREPLY[*]}"'
    )
    done = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert set(CASES[typed].split()) <= set(done.stdout.split())
    if typed:
        assert done.stdout.split() == CASES[typed].split()


@needs_tool("fish")
@pytest.mark.parametrize("typed", ["dat gr", "pvs --res", "verify --only door-closed-c"])
def test_fish_completes(typed: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "script.fish"
    path.write_text(script("fish", capsys), encoding="utf-8")
    program = f"source {path}; complete -C 'holtwalk {typed}'"
    done = subprocess.run(["fish", "-c", program], capture_output=True, text=True, check=False)
    assert CASES[typed] in [line.split("\t")[0] for line in done.stdout.splitlines()], done.stderr
