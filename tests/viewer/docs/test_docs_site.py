"""Every command, option, key, mode, panel, scenario and page that README and docs name is there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.places import ROOT
from tests.viewer.docs.pages import DOCS, IDS, PAGES, code, is_usage, program_line, prose
from viewer.commands.bench import FIGURES
from viewer.overlay.panel_table import PANELS
from viewer.tables.arguments import parse
from viewer.tables.keys import ACTIONS
from viewer.tables.modes import BY_NAME, key_name
from viewer.tables.options import COMMANDS
from viewer.tables.shared_options import options_of
from viewer.verify.verification import NAMES

ALL_OPTIONS = {option.name for command in COMMANDS for option in options_of(command)}
OTHER_OPTIONS = {"--help", "--version", "--clean", "--no-skips", "--force-reinstall", "--to", "--all-extras"}


def lines_of_the_program(path: Path) -> list[str]:
    return [line for found in code(path) if (line := program_line(found))]


@pytest.mark.parametrize("path", PAGES, ids=IDS)
def test_the_commands_of_a_page_are_the_programs(path: Path) -> None:
    """Their names, and of each its own options; places of values may be held by words such as FILE."""
    names = {command.name: command for command in COMMANDS}
    for line in lines_of_the_program(path):
        if is_usage(line):
            continue  # made from the table
        words = shlex.split(line.replace("\\", "/"))[1:]
        if not words or words[0].startswith("-") or re.match(r"0x|\d", words[0]):
            name = "walk"
        else:
            name = next((" ".join(words[:n]) for n in (2, 1) if " ".join(words[:n]) in names), words[0])
        if name in ("dat", "help"):
            continue
        assert name in names, f"{path.name}: {line}"
        own = {option.name for option in options_of(names[name])} | {"--help", "--version"}
        given = {word.split("=")[0] for word in words if word.startswith("--")}
        assert given <= own, f"{path.name}: {line}: {given - own}"


@pytest.mark.parametrize("path", PAGES, ids=IDS)
def test_the_options_that_a_page_names_alone_are_some_commands(path: Path) -> None:
    for span in code(path):
        if re.match(r"--[a-z]", span):
            assert span.split()[0].split("=")[0] in ALL_OPTIONS | OTHER_OPTIONS, f"{path.name}: {span}"


@pytest.mark.parametrize("path", PAGES, ids=IDS)
def test_the_keys_that_a_page_names_do_what_it_says(path: Path) -> None:
    keys = {action.name: key_name(action.key) for action in ACTIONS}
    for action, key in re.findall(r'<kbd title="([^"]*)">([^<]*)</kbd>', path.read_text(encoding="utf-8")):
        assert keys.get(action) == key, f"{path.name}: {key} for {action}"
    assert "<kbd>" not in path.read_text(encoding="utf-8"), "say what the key is to do: title="


@pytest.mark.parametrize("path", PAGES, ids=IDS)
def test_the_modes_panels_and_scenarios_that_a_page_names_are_there(path: Path) -> None:
    text = " ".join(path.read_text(encoding="utf-8").split())
    for words in re.findall(r"\bmodes? ((?:`[a-z-]+`(?:, | and )?)+)", text):
        for mode in re.findall(r"`([a-z-]+)`", words):
            assert mode in BY_NAME, f"{path.name}: mode {mode}"
    for panel in re.findall(r"\b(?:the panel|panel:?) ([A-Z][a-z]+)", text):
        assert panel in {panel.title for panel in PANELS}, f"{path.name}: panel {panel}"
    for name in re.findall(r"--only ([a-z][a-z0-9-]+)", text):
        assert name in {*NAMES, *FIGURES}, f"{path.name}: --only {name}"


def test_what_is_checked_is_on_the_pages() -> None:
    """The patterns above still find something to look at."""
    lines = [line for path in PAGES for line in lines_of_the_program(path)]
    assert len(lines) > 60
    assert {command.name for command in COMMANDS} <= {
        " ".join(line.split()[1:n]) for line in lines for n in (2, 3)
    }
    texts = [path.read_text(encoding="utf-8") for path in PAGES]
    assert sum(text.count('<kbd title="') for text in texts) > 6
    assert sum(text.count("--only ") for text in texts) > 10


def test_the_examples_of_the_help_can_be_parsed_as_they_stand_in_the_docs() -> None:
    text = (DOCS / "commands.md").read_text(encoding="utf-8")
    for command in COMMANDS:
        assert f"```\n{command.example}\n```" in text
        assert parse(shlex.split(command.example.split(" > ")[0])[1:])[0] is command


@pytest.mark.parametrize("path", sorted(DOCS.rglob("*.md")), ids=lambda path: path.stem)
def test_lists_and_tables_are_such_on_the_site_too(path: Path) -> None:
    """Its builder wants an empty line before a list or table, and four blanks before a list within one."""
    item, fenced, above = re.compile(r" *(?:\*|-|\d+\.) "), False, ""
    paragraph_is_list = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        fenced ^= line.strip().startswith("```")
        if not above.strip():
            paragraph_is_list = bool(item.match(line))
        if not fenced and item.match(line):
            assert paragraph_is_list, f"{path.name}, line {number}: no empty line before a list"
            assert (len(line) - len(line.lstrip())) % 4 == 0, f"{path.name}, line {number}: four blanks"
        if not fenced and line.startswith("|"):
            begins = above.startswith(("|", "<!--"))
            assert begins or not above.strip(), f"{path.name}, line {number}: no empty line before a table"
        above = line


def test_the_first_page_on_the_window_tells_what_every_panel_answers() -> None:
    text = (DOCS / "walking.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| ([A-Z][a-z]+) \| \S", text[text.index("| panel | answers |") :], re.MULTILINE)
    assert sorted(listed) == sorted(panel.title for panel in PANELS)


def test_every_page_of_the_docs_stands_in_the_sites_navigation() -> None:
    listed = re.findall(r": ([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))


@pytest.mark.parametrize("path", PAGES, ids=IDS)
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#: ]+)(?:#[^)]*)?\)", prose(path)):
        assert (path.parent / target).exists(), f"{path.name}: {target}"
