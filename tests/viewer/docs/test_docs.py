"""README, docs and shell help say what the tables say."""

from __future__ import annotations

import re
import runpy
from importlib.util import find_spec
from pathlib import Path

import pytest
from PIL import Image

from engine import FORM
from engine.replay.bench import LOAD, OPEN, SWEEP, SWEEP_TAIL, VIEW
from tests.places import ROOT
from viewer.commands.bench import BORDERS, FIRST_FRAME
from viewer.tables.options import COMMANDS
from viewer.verify.bench_frames import FRAME

WRITER = runpy.run_path(str(ROOT / "scripts" / "write_docs.py"))
DOCUMENTS: dict[Path, str] = WRITER["documents"]()


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_the_document_is_in_sync_with_the_tables(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == DOCUMENTS[path]


@pytest.mark.parametrize("lines", [(), (0,), (1,), (1, 0)])
def test_a_page_without_the_remarks_about_its_made_part_is_refused(
    lines: tuple[int, ...], tmp_path: Path
) -> None:
    page = tmp_path / "page.md"
    remarks = ("<!-- table: made by scripts/write_docs.py -->\n", "<!-- end of table -->\n")
    page.write_text("".join(remarks[number] for number in lines), encoding="utf-8")
    missing = r"end of table" if lines[-1:] == (0,) else r"made by"
    with pytest.raises(WRITER["SetupError"], match=rf"^{page}: lacks the line '<!-- .*{missing}"):
        WRITER["with_part"](page, "table", "new\n")
    page.write_text(f"a\n{remarks[0]}old\n{remarks[1]}b\n", encoding="utf-8")
    assert WRITER["with_part"](page, "table", "new\n") == f"a\n{remarks[0]}new\n{remarks[1]}b\n"


def test_every_command_has_its_module() -> None:
    assert [command.name for command in COMMANDS if not find_spec(f"viewer.commands.{command.module}")] == []


def test_what_it_must_cost_is_what_bench_holds_it_to() -> None:
    """The form that runs here; the other's figure stands beside it."""
    page = (ROOT / "docs" / "reference" / "promises.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.*) \| (.*) \|$", page[page.index("## 12 ") :], re.MULTILINE)[2:]
    told = [told for _, told in rows]
    form = FORM.name
    assert f"{SWEEP.limit:g} µs {form}" in told[0]
    assert SWEEP_TAIL.limit == 3 * SWEEP.limit and "three times" in told[0]
    view = VIEW.limit
    assert (f"{view:g} µs {form}" if view < 500 else f"{view / 1000:g} ms {form}") in told[1]
    assert told[2] == f"{FRAME.limit:g} ms"
    assert told[3] == f"{FIRST_FRAME.limit / 1000:g} s"
    assert told[4].startswith(f"{OPEN.limit:g} ms")
    assert told[5].startswith(f"{LOAD.limit:g} ms") and f"over {BORDERS.limit:g} ms" in told[5]


def test_pictures_named_in_the_readme_exist() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    targets = [part.split(")")[0] for part in text.split("](")[1:]]
    missing = [target for target in targets if not target.startswith("http") and not (ROOT / target).exists()]
    assert missing == []


def test_the_animated_walk_is_a_film_and_small() -> None:
    path = ROOT / "docs" / "pictures" / "walk.gif"
    assert path.stat().st_size < 3_000_000
    with Image.open(path) as film:
        assert film.n_frames > 100
        assert film.info["loop"] == 0
    assert "docs/pictures/walk.gif" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_page_of_pictures_is_in_sync_and_its_pictures_are_small() -> None:
    made = runpy.run_path(str(ROOT / "scripts" / "make_pictures.py"))
    assert (ROOT / "docs" / "pictures.md").read_text(encoding="utf-8") == made["page"]()
    files = [made["FOLDER"] / f"{picture.name}.png" for picture in made["PICTURES"]]
    assert sorted(files) == sorted(made["FOLDER"].glob("*.png"))
    assert sum(path.stat().st_size for path in files) < 6_000_000


def test_every_picture_of_the_docs_has_a_script_that_makes_it_anew() -> None:
    made = runpy.run_path(str(ROOT / "scripts" / "make_pictures.py"))
    film = runpy.run_path(str(ROOT / "scripts" / "make_animation.py"))["OUT"]
    folder, window = made["FOLDER"], made["WINDOW_FOLDER"]
    makes = {folder / f"{picture.name}.png" for picture in made["PICTURES"]} | {film}
    makes |= {window / f"{name}.png" for name in made["WINDOW_PICTURES"]}
    assert {path for path in folder.rglob("*") if path.is_file()} == makes
    anywhere = [p for kind in ("png", "gif", "jpg", "svg") for p in (ROOT / "docs").rglob(f"*.{kind}")]
    assert set(anywhere) == makes


def test_the_windows_pictures_are_kept_by_the_tests_that_are_said_to() -> None:
    made = runpy.run_path(str(ROOT / "scripts" / "make_pictures.py"))
    kept = {
        name: path.name
        for path in made["WINDOW_TESTS"].glob("test_*.py")
        for name in re.findall(
            r'(?:keep_for_docs|asker\.picture)\([^)]*"(question-[\w-]+)"', path.read_text(encoding="utf-8")
        )
    }
    assert kept == made["WINDOW_PICTURES"]
    page = (ROOT / "docs" / "questions.md").read_text(encoding="utf-8")
    assert set(re.findall(r"pictures/window/([\w-]+)\.png", page)) == set(kept)
    helper = (made["WINDOW_TESTS"] / "windows.py").read_text(encoding="utf-8")
    assert f'"{made["KEPT_IN"]}"' in helper
