"""A picture of the docs is there whole, or as it was before; what keeps it from being drawn is one line."""

import runpy
from pathlib import Path

import pytest

from scripts.environment import SetupError
from tests.places import ROOT


@pytest.mark.parametrize(("code", "raised"), [(130, KeyboardInterrupt), (2, SetupError)])
def test_a_picture_that_is_not_drawn_leaves_the_older_one(code, raised, tmp_path, monkeypatch):
    made = runpy.run_path(str(ROOT / "scripts" / "make_pictures.py"))
    picture = made["PICTURES"][0]
    older = tmp_path / f"{picture.name}.png"
    older.write_bytes(b"older")

    def interrupted(words):
        out = Path(words[words.index("--out") + 1])
        assert out != older
        out.write_bytes(b"half")
        return code

    monkeypatch.setitem(made["draw"].__globals__, "FOLDER", tmp_path)
    monkeypatch.setitem(made["draw"].__globals__, "holtwalk", interrupted)
    with pytest.raises(raised):
        made["draw"](picture)
    assert older.read_bytes() == b"older"
    assert [path.name for path in tmp_path.iterdir()] == [older.name]
