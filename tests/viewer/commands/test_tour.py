"""The tour walks where it says it does and paints every pixel."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from viewer.main import main
from viewer.picture.tour import Guide
from viewer.tables.tour_script import Jump, Use


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("tour")
    (out / "transcript.txt").write_text(
        "teleported\n\n== 01-the-cottage.png: of a tour before\n", encoding="utf-8"
    )
    words = ["tour", "--demo", "--out", str(out), "--size", "240x136", "--record", str(out / "walk.jsonl")]
    assert main(words) == 0
    return out


@pytest.mark.gl
def test_the_pictures_are_numbered_and_named_in_the_transcript(folder: Path) -> None:
    names = sorted(path.name for path in folder.glob("*.png"))
    assert [int(name[:2]) for name in names] == list(range(1, len(names) + 1))
    transcript = (folder / "transcript.txt").read_text(encoding="utf-8")
    assert all(f"== {name}: " in transcript for name in names)
    assert transcript.count(", 0 pixels unpainted") == len(names)


@pytest.mark.gl
def test_only_the_closed_door_holds_the_walker_up(folder: Path) -> None:
    lines = (folder / "transcript.txt").read_text(encoding="utf-8").splitlines()
    held = [line for line in lines if line.startswith("held up")]
    assert len(held) == 1
    assert "cottage vestibule" in held[0]
    met = next(line for line in lines if line.startswith("met since") and "entity" in line)
    assert "0x7A9B4015" in met


@pytest.mark.gl
def test_the_walk_goes_through_cellar_loft_and_dungeon(folder: Path) -> None:
    transcript = (folder / "transcript.txt").read_text(encoding="utf-8")
    walked = [line for line in transcript.splitlines() if line.startswith("walked to")]
    assert any(line.endswith("cells 0171 0175 0174") for line in walked)
    assert any(line.endswith("cells 0171 0176 0177") for line in walked)
    assert "current cell 0x01070101, sealed frame" in transcript
    assert "opening, state 0x1000C" in transcript
    assert "door 0x7A9B4015: closed, state 0x10008\n" in transcript.split("the door has closed by itself")[1]


@pytest.mark.gl
def test_its_recording_replays_to_the_bit(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(folder / "walk.jsonl"), "--demo", "--compare", "capture", "--json"]) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    assert len(results) > 1000
    for result in results:
        recorded = result["figures"]["recorded"]
        assert {key: result["figures"][key] for key in recorded} == recorded
    assert len({result["figures"]["cell"] for result in results}) >= 9


def test_a_transcript_that_no_tour_wrote_is_not_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "transcript.txt"
    mine.write_text("what the court heard\n", encoding="utf-8")
    assert main(["tour", "--demo", "--out", str(tmp_path), "--size", "16x16"]) == 2
    says = f"holtwalk: {mine}: is there, no transcript of a tour, and stays; name another folder\n"
    assert capsys.readouterr().err == says
    assert mine.read_text(encoding="utf-8") == "what the court heard\n"
    assert list(tmp_path.iterdir()) == [mine]


@pytest.mark.gl
def test_a_transcript_that_came_meanwhile_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "transcript.txt"

    def run(guide: Guide) -> Iterator[Path]:
        guide.lines.append("of the tour")
        mine.write_text("my notes\n", encoding="utf-8")
        yield mine

    monkeypatch.setattr(Guide, "run", run)
    assert main(["tour", "--demo", "--out", str(tmp_path), "--size", "16x16"]) == 2
    assert "is there, no transcript of a tour, and stays" in capsys.readouterr().err
    assert mine.read_text(encoding="utf-8") == "my notes\n"


@pytest.mark.gl
def test_a_tour_whose_picture_another_one_took_the_place_of_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two at once into one folder each told of all of its pictures."""
    picture = tmp_path / "01-street.png"

    def run(_: Guide) -> Iterator[Path]:
        picture.write_bytes(b"this tour's")
        yield picture
        (tmp_path / "other").write_bytes(b"the other's")
        (tmp_path / "other").replace(picture)

    monkeypatch.setattr(Guide, "run", run)
    assert main(["tour", "--demo", "--out", str(tmp_path), "--size", "16x16"]) == 2
    said = capsys.readouterr()
    assert (
        said.err == f"holtwalk: {picture}: another has taken its place; give each tour a folder of its own\n"
    )
    assert "pictures and" not in said.out
    assert list(tmp_path.iterdir()) == [picture]


@pytest.mark.gl
@pytest.mark.parametrize(
    "step_and_reason",
    [
        (Use(0x79999999, 0.0), "there is no entity 0x79999999 in this world"),
        (Jump("nowhere"), "0xA9B40199 [1.0 1.0 1.0] 1 0 0 0: there is no cell 0xA9B40199 in this world"),
    ],
    ids=["use", "jump"],
)
def test_a_world_in_which_a_step_can_not_be_taken_is_refused(
    step_and_reason: tuple[Use | Jump, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """So where the user's own scene has moved a door, or places.json names a cell that is not there."""
    step, reason = step_and_reason
    monkeypatch.setattr("viewer.commands.tour.demo_places", lambda _: {"nowhere": "0xA9B40199 [1 1 1]"})
    monkeypatch.setattr("viewer.picture.tour.STEPS", (step,))
    assert main(["tour", "--demo", "--out", str(tmp_path), "--size", "16x16"]) == 2
    assert capsys.readouterr().err == f"holtwalk: tour: {reason}: it does not fit this tour\n"
