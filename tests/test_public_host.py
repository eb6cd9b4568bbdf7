"""The recipes of the public host name what is there, and the pages beside them say what the code does."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from tests.places import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted(path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config")
OLDEST = PROJECT["project"]["requires-python"].removeprefix(">=")
PYTHONS = re.findall(r"Python :: (3\.\d+)", " ".join(PROJECT["project"]["classifiers"]))


def read(path: Any) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def steps(document: Any) -> Iterator[dict[str, Any]]:
    for job in document["jobs"].values():
        yield from job["steps"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_is_sound_and_asks_for_no_more_than_reading(path: Any) -> None:
    document = read(path)
    assert document["permissions"] == {"contents": "read"}
    assert True in document or "on" in document  # YAML takes the word for a truth value
    for job in document["jobs"].values():
        assert job["runs-on"]
        needed = job.get("needs", [])
        names = {needed} if isinstance(needed, str) else set(needed)
        assert names <= set(document["jobs"])
    for step in steps(document):
        assert ("uses" in step) != ("run" in step)
        if "uses" in step:
            assert re.fullmatch(r"[\w./-]+@v\d[\w.]*", step["uses"]), step["uses"]


FIRST_ON_NODE_24 = {
    "actions/checkout": 5, "actions/setup-python": 6, "actions/upload-artifact": 6,
    "actions/download-artifact": 7, "actions/upload-pages-artifact": 5, "actions/deploy-pages": 5,
}  # fmt: skip


def test_no_action_needs_a_node_that_the_host_has_taken_away() -> None:
    """Those before run on Node 20, which ended in September 2026; the host is asked to tell of newer ones."""
    used = 0
    for path in WORKFLOWS:
        for step in steps(read(path)):
            name, _, version = step.get("uses", "").partition("@v")
            if name.startswith("actions/"):
                assert int(version.split(".")[0]) >= FIRST_ON_NODE_24[name], f"{path.name}: {step['uses']}"
                used += 1
            if name == "actions/checkout":
                assert step["with"]["persist-credentials"] is False, f"{path.name}: its token stays behind"
    assert used > 10
    (update,) = read(ROOT / ".github" / "dependabot.yml")["updates"]
    assert (update["package-ecosystem"], update["directory"]) == ("github-actions", "/")


def test_the_headless_core_on_other_systems_and_compiled_is_all_of_the_engines_tests() -> None:
    text = (ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
    lines = re.findall(r"not gl and not window\" (.*)", text)
    assert len(lines) == 2
    folders = {path.parent.relative_to(ROOT).parts[1] for path in (ROOT / "tests").glob("*/*.py")}
    for line in lines:
        assert {name.removeprefix("tests/") for name in line.split()} == folders - {"viewer", "scripts"}


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_what_a_workflow_runs_is_there(path: Any) -> None:
    text = path.read_text(encoding="utf-8")
    for name in re.findall(
        r"\b(?:scripts|tests|\.ci)/[\w/]*\w(?:\.py)?|requirements[\w-]*\.lock|mkdocs\.yml", text
    ):
        assert (ROOT / name).exists(), name


def test_the_oldest_and_the_newest_python_are_tested_on_every_system() -> None:
    tests = read(ROOT / ".github" / "workflows" / "tests.yml")["jobs"]
    assert (PYTHONS[0], len(PYTHONS)) == (OLDEST, 4)
    for job in tests.values():
        assert job["strategy"]["matrix"]["python"] == [PYTHONS[0], PYTHONS[-1]]
    systems = {tests["linux"]["runs-on"], *tests["others"]["strategy"]["matrix"]["os"]}
    assert systems == {"ubuntu-latest", "windows-latest", "macos-latest"}


def test_compiled_wheels_are_built_for_every_python_that_is_named() -> None:
    wheels = PROJECT["tool"]["cibuildwheel"]
    assert wheels["build"].split() == [f"cp{version.replace('.', '')}-*" for version in PYTHONS]
    assert wheels["environment"] == {"HOLTWALK_COMPILE": "1"}
    assert "FORM.compiled" in wheels["test-command"][0]


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_an_issue_form_has_a_name_and_fields_with_names_of_their_own(path: Any) -> None:
    form = read(path)
    assert form["name"] and form["description"]
    fields = [part for part in form["body"] if part["type"] != "markdown"]
    names = [part["id"] for part in fields]
    assert len(names) == len(set(names)) > 1
    assert all(part["attributes"]["label"] for part in fields)


def test_the_form_for_a_fault_asks_for_the_bug_folder_and_for_the_doctor() -> None:
    fields = {
        part.get("id"): part for part in read(ROOT / ".github/ISSUE_TEMPLATE/wrong-behaviour.yml")["body"]
    }
    assert "bug folder" in fields["folder"]["attributes"]["label"]
    assert fields["folder"]["validations"]["required"] is True
    assert "holtwalk doctor" in fields["doctor"]["attributes"]["label"]


FORBIDDEN = {"socket", "ssl", "http", "urllib", "requests", "pickle", "marshal", "shelve", "sqlite3", "runpy"}
PARSERS = {"urllib.parse"}  # of a forbidden package what only takes words apart
CALLS = {"eval", "exec", "__import__"}
BETWEEN_OWN_PROCESSES = {"engine/world/loading/parcels.py": {"pickle"}, "engine/other_process.py": {"pickle"}}
STARTERS = {"viewer/commands/bench.py", "viewer/doctor/drawing.py", "viewer/window/display/unheard.py"}


def test_what_is_read_is_parsed_and_nothing_is_executed_or_fetched() -> None:
    """As SECURITY.md says: no evaluation, no pickle, no network; processes are started where it says."""
    starters = set()
    for package in ("engine", "viewer"):
        for path in (ROOT / package).rglob("*.py"):
            name = path.relative_to(ROOT).as_posix()
            for node in ast.walk(ast.parse(path.read_bytes())):
                modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                modules += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                tops = {module.split(".")[0] for module in modules if module not in PARSERS}
                forbidden = tops & FORBIDDEN - BETWEEN_OWN_PROCESSES.get(name, set())
                assert not forbidden, f"{name}: {forbidden}"
                if "subprocess" in tops:
                    starters.add(name)
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    assert node.func.id not in CALLS, f"{name}, line {node.lineno}: {node.func.id}"
    assert starters == STARTERS
