"""A case is run as its script is alone: the same places refused, the same said of the world."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from viewer.main import main


@pytest.fixture(autouse=True)
def no_dats_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOLTWALK_DATS", raising=False)


def case(folder: Path, start: str, *lines: object) -> None:
    """A case whose script stands still for a tick."""
    folder.mkdir(parents=True)
    script = {"start": start, "steps": [{"ticks": 1, "walk": [0, 0, 0]}]}
    (folder / "sim.json").write_text(json.dumps(script))
    (folder / "expected.jsonl").write_text("\n".join(map(json.dumps, lines)))


def test_a_case_refuses_and_tells_places_as_its_script_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    placed = {"tick": -1, "cell": "0x01070100", "position": [0, 0, 0], "loose": True}
    stands = {"tick": 0, "cell": "0x01070100", "position": [38, 60, -5.995]}
    case(tmp_path / "a", "0x01070100 [38 60 -5.3]", placed, stands)
    stands = {"tick": 0, "cell": "0x01070103", "position": [70, 60, -5.995]}
    case(tmp_path / "b", "0x01070100 [70 60 -6]", placed, stands)
    words = ["sim", "--cases", str(tmp_path), "--demo", "--jobs", "1"]
    assert main([*words, "--json"]) == 1
    out, err = capsys.readouterr()
    first, second = json.loads(out)["results"]
    assert first["ok"] and first["figures"]["loose"] == 1
    assert "m off cell 0x01070100" in second["detail"]
    assert second["detail"].endswith("; --anywhere goes there all the same")
    (told,) = err.splitlines()
    assert told.startswith("holtwalk: a: 0x01070100 [38.0 60.0 -5.3] 1 0 0 0: moved 0.69 m")
    assert main([*words, "--anywhere"]) == 0
    assert "\nholtwalk: b: 0x01070100 [70.0 60.0 -6.0] 1 0 0 0: in cell" in capsys.readouterr().err


def test_what_is_wrong_with_the_world_of_cases_is_told_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "scene.json").write_text(
        '{"objects": [{"setup": "0x020019FF", "entity": "0x7A9B4015", "at": "0x01070199 [38 60 -6]"}]}'
    )
    for name in ("a", "b"):
        case(tmp_path / name, "0x01070100 [38 60 -6]")
    words = [
        "sim",
        "--cases",
        str(tmp_path),
        "--demo",
        "--scene",
        str(tmp_path / "scene.json"),
        "--jobs",
        "1",
    ]
    assert main([*words, "--verbose"]) == 1
    (told,) = capsys.readouterr().err.splitlines()
    assert told.startswith("holtwalk: a: ") and told.endswith("no cell 0x01070199; left out")


def test_a_cases_own_scene_that_is_a_link_to_nowhere_is_not_passed_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case(tmp_path / "a", "0x01070100 [38 60 -6]")
    (tmp_path / "a" / "scene.json").symlink_to(tmp_path / "gone.json")
    assert main(["sim", "--cases", str(tmp_path), "--demo", "--jobs", "1", "--json"]) == 1
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert "scene.json: there is no such file" in result["detail"]
