"""What a place of the demo world is called says nothing about where its transcript is written."""

from __future__ import annotations

import pytest

from engine.world.sources.places_file import read_places
from scripts.write_golden import FOLDER, file_name
from tests.places import DEMO


@pytest.mark.parametrize("name", ["../../../README2", "/home/notes", "a\0b", "\ud800", "", ".", "inn"])
def test_a_transcript_is_written_into_its_folder(name: str) -> None:
    path = FOLDER / f"{file_name(name)}.txt"
    assert path.resolve().parent == FOLDER.resolve()
    str(path).encode("ascii")


def test_the_demos_places_have_files_of_their_names() -> None:
    for name in read_places(DEMO):
        assert (FOLDER / f"{file_name(name)}.txt").is_file(), name
