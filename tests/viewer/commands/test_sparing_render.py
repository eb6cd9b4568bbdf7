"""A picture is the same to the byte, and so is all that is said, where little is loaded for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.world.loading.world import World
from viewer.commands import render
from viewer.commands.groundwork.worlds import open_world
from viewer.main import main

INN, STREET = "0xA9B40171 [155.4 13.4 94]", "0xA9B40031 [160 12 94]"
LINE = ["render", "--demo", "--size", "160x90", "--json"]


def drawn(
    folder: Path, words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[bytes, str, set[int]]:
    """The picture, what was said, and the landblocks that were loaded."""
    loaded: set[int] = set()

    def opened(*words: Any, **named: Any) -> World:
        world = open_world(*words, **named)
        world.on_load.append(lambda block: loaded.add(block.id))
        return world

    with monkeypatch.context() as patch:
        patch.setattr(render, "open_world", opened)
        out = folder / "p.png"
        assert main([*LINE, *words, "--out", str(out)]) == 0
    captured = capsys.readouterr()
    return out.read_bytes(), captured.out + captured.err, loaded


@pytest.mark.gl
@pytest.mark.parametrize(
    "words",
    [
        ["--at", INN, "--look", "0,0"],
        ["--at", INN, "--look", "180,-60"],
        ["--at", STREET, "--look", "200,5", "--view", "third"],
    ],
    ids=["through a door", "at the floor", "from the street"],
)
def test_a_picture_takes_the_landblocks_that_it_shows_and_is_the_same_as_with_all(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    *some, few = drawn(tmp_path, words, monkeypatch, capsys)
    monkeypatch.setattr(render, "_is_plain", lambda _: False)
    *whole, many = drawn(tmp_path, words, monkeypatch, capsys)
    assert some == whole
    assert few < many
    assert len(few) <= len(many) - 2


@pytest.mark.gl
@pytest.mark.parametrize(
    "words",
    [["--mode", "shadows"], ["--eye", "150,10,96"], ["--select", "0170"], ["--exact", "--view", "third"]],
    ids=["shadows", "another eye", "a cell", "a camera that may come up far from a buried body"],
)
def test_what_tells_of_the_world_around_has_all_of_it_loaded(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, _, loaded = drawn(tmp_path, ["--at", INN, *words], monkeypatch, capsys)
    assert len(loaded) >= 9
