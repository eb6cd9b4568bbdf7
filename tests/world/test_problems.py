"""What is wrong with a world is kept to a bound, and counted beyond it."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.replay.audit.auditing import audit_block
from engine.replay.audit.finding import DAMAGED
from engine.world.loading.world import World
from engine.world.source import Problems
from engine.world.sources.open_source import demo_source
from engine.world.sources.spawns import HOUSE_DOOR, read_spawns
from tests.places import DEMO
from viewer.commands.groundwork.problem_log import ProblemLog
from viewer.main import main

ROWS = "INSERT INTO weenie (class_id, type) VALUES " + "(),\n" * 40 + "(412, 19);"
PLACED = (
    "INSERT INTO landblock_instance (guid, weenie_class_id, obj_cell_id, origin_x, origin_y, origin_z,"
    f" angles_w, angles_x, angles_y, angles_z) VALUES (9, {HOUSE_DOOR}, 0xA9B40001, 10, 10, 94, 1, 0, 0, 0);"
)
KEPT = 10


def only_counted(count: int) -> str:
    return f"{count} more problems, of which only the number is kept"


def test_what_finds_no_room_is_counted_each_line_once() -> None:
    problems = Problems(room=12)
    for line in ("first", "second", "third", "first", "third", "4"):
        problems.report(line)
    assert problems.lines == ["first", "second"]
    assert problems.since() == ["first", "second", only_counted(2)]
    mark = problems.mark()
    assert problems.since(mark) == []
    problems.report("fifth")
    assert problems.since(mark) == [only_counted(1)]
    assert (problems.count_since(mark), problems.count_since()) == (1, 5)


@pytest.fixture
def damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A spawn list of which more rows make no sense than are kept, and how a row's line begins."""
    spawns = tmp_path / "bad.sql"
    spawns.write_text(f"{ROWS}\n{PLACED}\n", encoding="utf-8")
    line = f"{spawns}, line 1: weenie: 1 values for 2 columns; left out"
    monkeypatch.setattr("engine.world.sources.spawns.ROOM", (len(line) + 1) * KEPT)
    return str(spawns)


def test_the_rows_of_a_spawn_list_that_make_no_sense_are_kept_to_a_bound(damaged: str) -> None:
    found = read_spawns(Path(damaged))
    assert len(found.problems) == KEPT
    assert (found.noted.unkept, list(found.weenies)) == (40 - KEPT, [412])


@pytest.mark.parametrize("verbose", [False, True])
def test_a_command_tells_how_many_there_are(
    damaged: str, capsys: pytest.CaptureFixture[str], *, verbose: bool
) -> None:
    words = ["cell", "--demo", "--at", "0xA9B40170 [155.4 15.2 94.0]", "--spawns", damaged]
    assert main(words + ["--verbose"] * verbose) == 0
    said = capsys.readouterr().err.replace("holtwalk: ", "").splitlines()
    reason = "weenie: 1 values for 2 columns; left out"
    if verbose:
        lines = [f"{damaged}, line {number}: {reason}" for number in range(1, KEPT + 1)]
        assert said == [*lines, only_counted(40 - KEPT)]
    else:
        assert said == [f"{damaged}, line 1: {reason} (and 39 more, see --verbose)"]


def test_an_audit_and_a_window_tell_of_what_they_could_not_keep(capsys: pytest.CaptureFixture[str]) -> None:
    world = World(demo_source(DEMO))
    world.problems = Problems(room=0)
    world.on_load.append(lambda _: world.problems.report("lost"))
    log = ProblemLog(world)
    with log.until_end():
        tally = audit_block(world, 0xA9B40000)
    assert tally.examples[DAMAGED] == [only_counted(1)]
    assert capsys.readouterr().err == f"holtwalk: {only_counted(1)}\n"


def test_a_cell_that_is_not_there_is_not_said_to_be_damaged_by_a_list_of_objects() -> None:
    problems = Problems()
    for line in (
        "a.sql, line 4: landblock_instance: 3 values for 10 columns; left out",
        "a.sql, line 9: weenie_properties_int: 3 values for 10 columns; left out",
        "spawn list: 3 objects whose class has no weenie rows are left out (class 1)",
        "scene.json: objects[0]: model 0x01000001 at scale 1e9 reaches over 1000000 m; left out",
    ):
        problems.report(line)
    assert problems.about(0xA9B40100) is None
    problems.report("client_cell_1.dat: a node of its tree lies beyond its end")
    assert problems.about(0xA9B40100) == "client_cell_1.dat: a node of its tree lies beyond its end"
