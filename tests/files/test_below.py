"""What lies below a folder: each thing once, wherever its folders are."""

import os

from engine.files.below import files_below
from tests.needed import posix

pytestmark = posix("links to folders")


def test_linked_folders_are_gone_into_once_and_links_that_lead_round_end(tmp_path):
    inner, other = tmp_path / "top" / "inner", tmp_path / "other"
    for folder in (inner, other):
        folder.mkdir(parents=True)
        (folder / "f").touch()
    (tmp_path / "top" / "linked").symlink_to(other)
    (tmp_path / "top" / "twice").symlink_to(other)
    (inner / "round").symlink_to(tmp_path / "top")
    (inner / "nothing").symlink_to(tmp_path / "gone")
    found = sorted(str(path.relative_to(tmp_path / "top")) for path in files_below(tmp_path / "top"))
    assert found == ["inner/f", "inner/nothing", "linked/f"]


def test_who_wants_to_know_hears_of_a_folder_that_is_not_there(tmp_path):
    heard: list[OSError] = []
    assert list(files_below(tmp_path / "gone", heard.append)) == []
    assert [error.filename for error in heard] == [os.fspath(tmp_path / "gone")]


def test_folders_lie_in_one_another_as_deep_as_a_path_can_name(tmp_path):
    deep = tmp_path
    for _ in range(1200):
        deep = deep / "d"
        deep.mkdir()
    (deep / "a.sql").touch()
    try:
        assert list(files_below(tmp_path)) == [deep / "a.sql"]
    finally:  # what clears up after tests would call itself for each
        (deep / "a.sql").unlink()
        while deep != tmp_path:
            deep.rmdir()
            deep = deep.parent
