"""README, docs and shell help say what the tables say."""

from __future__ import annotations

import runpy
from importlib.util import find_spec
from pathlib import Path

import pytest
from PIL import Image

from tests.places import ROOT
from viewer.tables.options import COMMANDS

DOCUMENTS: dict[Path, str] = runpy.run_path(str(ROOT / "scripts" / "write_docs.py"))["documents"]()


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_the_document_is_in_sync_with_the_tables(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == DOCUMENTS[path]


def test_every_command_has_its_module() -> None:
    assert [command.name for command in COMMANDS if not find_spec(f"viewer.commands.{command.module}")] == []


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
