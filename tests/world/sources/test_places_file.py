"""The places of the demo world by their names: what can't be one is refused in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.files.format_version import PLACES, stamp
from engine.world.sources.json_node import JsonError
from engine.world.sources.places_file import read_places
from tests.places import DEMO
from viewer.user_error import UserError
from viewer.verify.verification import demo_places

HALL = "0xA9B40171 [155.4 12.6 94] 1 0 0 0"


def written(folder: Path, document: object) -> Path:
    (folder / "places.json").write_text(json.dumps(document), encoding="utf-8")
    return folder


def test_the_stamp_is_no_place(tmp_path: Path) -> None:
    folder = written(tmp_path, {**stamp(PLACES), "hall": HALL, "yard": HALL})
    assert read_places(folder) == {"hall": HALL, "yard": HALL}
    assert stamp(PLACES).items() <= json.loads((DEMO / "places.json").read_text(encoding="utf-8")).items()


@pytest.mark.parametrize("place", ["somewhere", 5, None, [1.0, 2.0, 3.0], "10.0N, 20.0E", "0xA9B40171"])
def test_a_name_without_a_cell_and_position_is_refused_with_its_place(place: object, tmp_path: Path) -> None:
    folder = written(tmp_path, {"hall": HALL, "yard": place})
    with pytest.raises(JsonError, match=r"places\.json: .*yard") as caught:
        read_places(folder)
    assert "\n" not in str(caught.value)
    with pytest.raises(UserError, match="yard"):
        demo_places(folder)
