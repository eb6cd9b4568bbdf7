"""Recorded walks through the demo: that they come out again, and that what they pin is what the rules say.

Each folder holds a script (``sim.json``), the ticks that came of it (``expected.jsonl``: ``sim --cases``) and
the same as a capture (``capture.jsonl``: ``replay --compare capture``), both written by the program itself.
The second half of this file reads the recordings and holds them against the demo's own geometry.
"""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from engine.physics.body.body import HUMAN_SPHERES
from engine.physics.simulation.simulation import Simulation
from engine.world.cells import EnvCell
from engine.world.loading.world import World
from engine.world.sources.open_source import demo_source
from tests.places import DEMO
from viewer.main import main
from viewer.places import put

HERE = Path(__file__).parent
CASES = sorted(path.parent.name for path in HERE.glob("*/sim.json"))
DOOR = 0x7A9B4015
CLOSED_DOOR = {  # the part of the door that is in the way
    "door-closed-centre": 1,
    "door-closed-east-half": 1,
    "door-closed-west-half": 2,
    "door-closed-from-inside": 1,
}
STREET, VESTIBULE, MAIN_ROOM = 0xA9B40031, 0xA9B40170, 0xA9B40171
CELLAR, SHAFT = 0xA9B40174, 0xA9B40175
FOOT, RADIUS = HUMAN_SPHERES[0].center[2], HUMAN_SPHERES[0].radius
TOUCH = 0.0002  # as near as a sphere comes to what holds it


def ticks(case: str) -> list[dict[str, Any]]:
    text = (HERE / case / "expected.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def cells(case: str) -> list[int]:
    """The cells of a recording, each run of one once."""
    ids = [int(tick["cell"], 16) for tick in ticks(case)]
    return [cell for i, cell in enumerate(ids) if i == 0 or cell != ids[i - 1]]


@pytest.fixture(scope="module")
def demo() -> Simulation:
    simulation = Simulation(World(demo_source(DEMO)))
    put(simulation, "0xA9B40031 [155.4 18.6 94] 0 0 0 1")
    return simulation


def test_every_walk_is_there() -> None:
    assert sorted([*CLOSED_DOOR, "cellar-up", "threshold"]) == CASES


def test_every_walk_comes_out_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sim", "--cases", str(HERE), "--demo", "--jobs", "1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert {result["name"] for result in document["results"]} == set(CASES)
    for result in document["results"]:
        assert result["ok"]
        assert result["figures"]["same_cell"] == result["figures"]["within_2_mm"] == 1.0


@pytest.mark.parametrize("case", CASES)
def test_every_capture_agrees_in_every_tick(case: str, capsys: pytest.CaptureFixture[str]) -> None:
    capture = HERE / case / "capture.jsonl"
    assert main(["replay", str(capture), "--compare", "capture", "--demo", "--jobs", "1"]) == 0
    assert capsys.readouterr().out


@pytest.mark.parametrize("case", CASES)
def test_what_is_hit_is_still_what_was_hit(case: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Positions may agree for another reason: the owner, the part and the polygon are held as well."""
    assert main(["sim", str(HERE / case / "sim.json"), "--demo", "--json"]) == 0
    now = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    recorded = ticks(case)
    assert [tick["hits"] for tick in now] == [tick["hits"] for tick in recorded]
    assert [tick["cells"] for tick in now] == [tick["cells"] for tick in recorded]


# -- that the recordings are right


@pytest.mark.parametrize(("case", "part"), CLOSED_DOOR.items())
def test_a_closed_door_holds_and_is_named(case: str, part: int, demo: Simulation) -> None:
    """Nothing but this leaf is hit, and the foot sphere ends where it touches the leaf's face."""
    recorded = ticks(case)
    hits = [hit for tick in recorded for hit in tick["hits"]]
    assert {(int(hit["entity"], 16), hit["part"]) for hit in hits} == {(DOOR, part)}
    assert recorded[-1]["moved"] == [0.0, 0.0, 0.0] or not recorded[-1]["ok"]
    faces = leaf_faces(demo, part)
    x, y, _ = recorded[-1]["position"]
    if case == "door-closed-from-inside":
        assert y + RADIUS == pytest.approx(faces[0], abs=TOUCH)
        assert cells(case) == [MAIN_ROOM, VESTIBULE]
    else:
        assert y - RADIUS == pytest.approx(faces[1], abs=TOUCH)
        assert cells(case) == [STREET]
    assert x == pytest.approx(recorded[0]["position"][0], abs=1e-6), "nobody slides along a leaf met head-on"


def leaf_faces(demo: Simulation, part: int) -> tuple[float, float]:
    """The y of a leaf's inner and outer face in the village's frame."""
    door = demo.registry.get(DOOR)
    assert door is not None
    ys = [
        pose.frame.to_global(vertex)[1]
        for shape, pose in zip(door.family, door.poses, strict=True)
        if shape.part_index == part and shape.part is not None
        for polygon in shape.part.physics_polygons.values()
        for vertex in polygon.vertices
    ]
    return min(ys), max(ys)


def plane_between(demo: Simulation, cell_id: int, other: int) -> tuple[float, float, float, float]:
    """The plane of a cell's portal to another cell, or outdoors for the street; block frame."""
    cell = demo.world.get_visible(cell_id)
    assert isinstance(cell, EnvCell)
    (found,) = [
        cell.portal_planes[p.index]
        for p in cell.portals
        if p.other_cell_id == other or (other == STREET and p.is_exit)
    ]
    return found


@pytest.mark.parametrize(
    ("case", "way"),
    [
        ("threshold", [STREET, VESTIBULE, MAIN_ROOM, VESTIBULE, STREET]),
        ("cellar-up", [CELLAR, SHAFT, MAIN_ROOM]),
        ("door-closed-from-inside", [MAIN_ROOM, VESTIBULE]),
    ],
)
def test_cells_change_in_their_order_where_the_foot_passes_the_opening(
    case: str, way: list[int], demo: Simulation
) -> None:
    """And nowhere else: in every tick the foot's centre is on its cell's side of the plane before it."""
    assert cells(case) == way
    recorded = ticks(case)
    changes = [i for i in range(1, len(recorded)) if recorded[i]["cell"] != recorded[i - 1]["cell"]]
    assert len(changes) == len(way) - 1
    for i, (left, entered) in zip(changes, pairwise(way), strict=True):
        owner, other = (entered, left) if left == STREET else (left, entered)
        nx, ny, nz, d = plane_between(demo, owner, other)
        before, after = (
            nx * x + ny * y + nz * (z + FOOT) + d
            for x, y, z in (recorded[i - 1]["position"], recorded[i]["position"])
        )
        assert before * after < 0.0, f"tick {i}: {before:.4f} m before, {after:.4f} m after"


def test_the_door_of_the_threshold_is_open_and_the_way_up_has_no_obstacle() -> None:
    for case in ("threshold", "cellar-up"):
        assert all(tick["ok"] and tick["on_ground"] and not tick["hits"] for tick in ticks(case))
    heights = [tick["position"][2] for tick in ticks("cellar-up")]
    assert heights == sorted(heights)
    assert heights[-1] == pytest.approx(94.005, abs=TOUCH)
