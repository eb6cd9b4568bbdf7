"""The commands on the demo world and on the reference's dumps and dats: documents, exit codes, errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.physics.simulation.simulation import Simulation
from engine.replay.scenarios.stage import open_door
from engine.world.loading.world import World
from engine.world.sources.open_source import demo_source
from tests.places import DEMO, SHARED
from tests.viewer.programs import Program
from tests.world.sources.dump_worlds import two_rooms
from viewer.commands.cell import cell_document, cell_text
from viewer.main import main
from viewer.places import put
from viewer.tables.arguments import parse

COTTAGE = SHARED / "examples" / "cottage"
DATS = SHARED / "examples" / "dats"
VESTIBULE = "0xA9B40170 [155.4 15.2 94.0]"
STREET = "0xA9B40031 [155.4 19.0 94.0] 0 0 0 1"


@pytest.fixture(autouse=True)
def no_dats_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOLTWALK_DATS", raising=False)


def test_cell_prints_the_document_of_its_decision(program: Program) -> None:
    document = program.json("cell", "--demo", "--at", VESTIBULE)
    assert list(document) == [
        "cell", "kind", "seen_outside", "environment", "portals", "stab_list", "candidates", "static_lookup",
        "placement", "asked", "moved_by", "reason",
    ]  # fmt: skip
    assert document["cell"] == document["static_lookup"] == "0xA9B40170"
    assert document["kind"] == "EnvCell"
    assert document["seen_outside"] is True
    assert {"index", "other", "other_portal", "flags", "side", "polygon"} <= set(document["portals"][0])
    assert [p["other"] for p in document["portals"]].count("0xFFFF") == 1
    assert {"cell", "added_by", "contains", "in_stab_list", "picked"} <= set(document["candidates"][0])
    assert [c["cell"] for c in document["candidates"] if c["picked"]] == ["0xA9B40170"]


def test_cell_tells_of_a_prune_where_one_can_run_and_nowhere_else(program: Program) -> None:
    border = "0xA9B40031 [167.9 12 94]"
    document = program.json("cell", "--demo", "--at", border)
    assert document["kind"] == "LandCell"
    assert [c["in_stab_list"] for c in document["candidates"]] == [True, False]
    assert not any(c["pruned"] for c in document["candidates"])
    text = program.run("cell", "--demo", "--at", border)
    assert "prune" not in text
    assert "stab list: none outdoors" in text
    simulation = Simulation(World(demo_source(DEMO)))
    put(simulation, "0xA9B40031 [155.4 18.2 94.0]")
    open_door(simulation, 0x7A9B4015)
    put(simulation, "0xA9B40170 [155.4 15.8 94]")  # the street is in no cell's stab list
    document = cell_document(simulation.world, simulation.body)
    pruned = [c["cell"] for c in document["candidates"] if c["pruned"]]  # type: ignore[attr-defined]
    assert pruned == ["0xA9B40031"]
    assert pruned == [c["cell"] for c in document["candidates"] if not c["in_stab_list"]]  # type: ignore[attr-defined]
    assert cell_text(document).count("not in the stab list (a prune would drop it)") == 1


DISPLACED = "0xA9B40170 [155.4 15.9 94]"
STRAY = "0xA9B40170 [10 10 94]"


def test_a_place_that_is_not_got_is_told_in_one_line_and_in_every_document(
    program: Program, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "sim.json"
    steps = [{"ticks": 2, "move": [0, 0, 0]}, {"teleport": VESTIBULE}, {"ticks": 1, "move": [0, 0, 0]}]
    script.write_text(json.dumps({"start": DISPLACED, "steps": steps}), encoding="utf-8")
    picture = ["--size", "32x32", "--out", str(tmp_path / "p.png")]
    told = []
    for words in (
        ["cell", "--at", DISPLACED], ["pvs", "--at", DISPLACED], ["render", "--at", DISPLACED, *picture],
        ["sim", str(script)],
    ):  # fmt: skip
        assert main([*words, "--demo", "--json"]) == 0
        out, err = capsys.readouterr()
        assert err.count("\n") == 1
        assert "moved 0.44 m: door 0x7A9B4015 stands there; in cell 0xA9B40170" in err
        told.append([json.loads(line) for line in out.splitlines()])
    cell, pvs, render, sim = told
    for document in (cell[0], pvs[0], render[0], sim[0]):
        assert document["asked"] == "0xA9B40170 [155.4 15.9 94.0] 1 0 0 0"
        assert document["moved_by"] == pytest.approx(0.4445, abs=1e-3)
        assert document["reason"] == "door 0x7A9B4015 stands there"
    assert "asked" not in sim[1]
    assert sim[2]["asked"].startswith(VESTIBULE.split(maxsplit=1)[0])
    assert sim[2]["reason"] is None


def test_a_stray_place_is_refused_in_one_line_unless_anywhere_will_do(
    program: Program, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = ["--size", "32x32", "--out", str(tmp_path / "p.png")]
    start, later = tmp_path / "start.json", tmp_path / "later.json"
    move = {"ticks": 1, "move": [0, 0, 0]}
    start.write_text(json.dumps({"start": STRAY, "steps": [move]}), encoding="utf-8")
    later.write_text(json.dumps({"start": VESTIBULE, "steps": [{"teleport": STRAY}, move]}), encoding="utf-8")
    for words in (
        ["cell", "--at", STRAY], ["pvs", "--at", STRAY], ["render", "--at", STRAY, *picture],
        ["sim", str(start)], ["sim", str(later)],
    ):  # fmt: skip
        line = program.complaint(*words, "--demo")
        assert "144.5 m off cell 0xA9B40170, in 0xA9B40001; --anywhere goes there all the same" in line
        assert main([*words, "--demo", "--anywhere"]) == 0
        assert "in cell 0xA9B40001, not 0xA9B40170" in capsys.readouterr().err
    assert "144.5 m off" in program.complaint("walk", "--demo", "--at", STRAY)


def test_a_bare_id_is_a_place(program: Program) -> None:
    document = program.json("cell", "--demo", "--at", "0xA9B40170")
    assert (document["cell"], document["asked"]) == ("0xA9B40170", "0xA9B40170 [155.4 15.55 94.0] 1 0 0 0")
    for word in ("0xA9B40170", "A9B40170", "0xA9B4"):
        command, args = parse([word])
        assert (command.name, args.where) == ("walk", word)


def test_cell_outdoors_is_the_landcell(program: Program) -> None:
    document = program.json("cell", "--demo", "--at", "0xA9B40000 [155.4 19.0 94.0]")
    assert (document["cell"], document["kind"], document["environment"]) == ("0xA9B40031", "LandCell", None)


def test_pvs_prints_cells_in_draw_order_with_their_chains(program: Program) -> None:
    document = program.json("pvs", "--demo", "--at", "0xA9B40157 [154.1 31.1 94.0]")
    assert {"body_cell", "root", "carried", "eye", "outside_visible", "outside_regions"} <= set(document)
    assert document["root"] == document["body_cell"] == "0xA9B40157"
    assert document["carried"] == []
    cells = document["cells"]
    assert [cell["order"] for cell in cells] == list(range(len(cells)))
    assert cells[0]["cell"] == "0xA9B40157"
    assert (cells[0]["distance"], cells[0]["via"], cells[0]["area"]) == (0.0, [], 1.0)
    assert all(0.0 < cell["area"] <= 1.0 and cell["regions"] for cell in cells)
    assert all(cell["via"] for cell in cells[1:])


def test_pvs_compares_with_a_traversal_that_the_stab_list_does_not_bound(program: Program) -> None:
    place = ("pvs", "--demo", "--at", "0xA9B40157 [154.1 31.1 94.0]")
    assert program.json(*place, "--compare")["beyond_stab_list"] == []
    assert program.json(*place, "--compare", "--mode", "root")["beyond_stab_list"] == []
    assert "beyond_stab_list" not in program.json(*place)


def test_pvs_from_outdoors_lists_the_look_ins(program: Program) -> None:
    document = program.json("pvs", "--demo", "--at", STREET)
    assert document["outside_visible"] is True
    corners = {tuple(corner) for corner in document["outside_regions"][0]}
    assert corners == {(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)}
    assert all(set(cell["flood"]) == {"building", "portal"} for cell in document["cells"])


def test_pvs_looks_where_it_is_told(program: Program) -> None:
    ahead = program.json("pvs", "--demo", "--at", VESTIBULE, "--look", "0,0")
    behind = program.json("pvs", "--demo", "--at", VESTIBULE, "--look", "180,-10")
    assert ahead["outside_visible"] and not behind["outside_visible"]
    moved = program.json("pvs", "--demo", "--at", VESTIBULE, "--eye", "155.4,14.0,95.5")
    assert moved["root"] == "0xA9B40171"
    assert moved["carried"] == [["0xA9B40170", 1]]
    strict = program.json("pvs", "--demo", "--at", VESTIBULE, "--eye", "155.4,14.0,95.5", "--root", "strict")
    assert strict["root"] == "0xA9B40170"


@pytest.mark.shared
def test_what_is_seen_from_a_place_without_room_for_a_body(capsys: pytest.CaptureFixture[str]) -> None:
    """A pose of the view cases stands between two jambs that are nearer to each other than a body is wide."""
    folder = SHARED / "cases_view" / "two-doors"
    pose = next(p for p in json.loads((folder / "poses.json").read_text()) if p["name"] == "in-the-doorway")
    eye, look = (",".join(map(str, pose[key])) for key in ("eye", "look"))
    words = ["pvs", "--dumps", str(folder / "dumps"), "--at", pose["at"], "--eye", eye, "--look", look]
    assert main([*words, "--fov", str(pose["fov"]), "--size", "320x180", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["root"] == pose["root"]
    assert err.endswith("no room for the body there (collided); seen from there all the same\n")


@pytest.mark.shared
def test_the_real_cottage_answers_cell_and_pvs(program: Program) -> None:
    document = program.json("cell", "--dumps", str(COTTAGE), "--at", "0xA9B40171 [155.0 12.0 94.0]")
    assert document["cell"] == "0xA9B40171"
    assert "0xA9B4016F" in document["stab_list"]
    seen = program.json("pvs", "--dumps", str(COTTAGE), "--at", "0xA9B40170 [155.0 15.2 94.0]")
    assert seen["root"] == "0xA9B40170"


@pytest.mark.shared
def test_sim_agrees_with_a_recorded_run_and_says_so_when_it_does_not(program: Program) -> None:
    case = SHARED / "cases" / "door-closed-centre"
    common = ("sim", str(case / "sim.json"), "--dumps", str(case / "dumps"))
    good = program.run(*common, "--expect", str(case / "expected.jsonl"))
    assert "recorded ticks agree" in good.splitlines()[-1]
    other = SHARED / "cases" / "door-free-off50" / "expected.jsonl"
    program.run(*common, "--expect", str(other), code=1)


@pytest.mark.shared
def test_sim_prints_one_json_line_a_tick_with_its_trace(program: Program) -> None:
    case = SHARED / "cases" / "cellar-lip-up"
    words = ("sim", str(case / "sim.json"), "--dumps", str(case / "dumps"), "--json", "--trace")
    lines = [json.loads(line) for line in program.run(*words).splitlines()]
    assert [line["tick"] for line in lines] == list(range(len(lines)))
    assert {"cell", "position", "ok", "on_ground", "collided", "normal", "hits", "contact_plane", "cells",
            "changed"} <= set(lines[0])  # fmt: skip
    assert lines[0]["trace"][0]["picks"][0]["candidates"]


def test_dat_ls_and_check_on_the_demo(program: Program) -> None:
    lines = program.run("dat", "ls", "--demo", "--type", "EnvCell", "--json").splitlines()
    assert "0xA9B40170" in {json.loads(line)["id"] for line in lines}
    assert program.json("dat", "check", "--demo")["ok"] is True


@pytest.mark.gl
@pytest.mark.parametrize("extra", [(), ("--overlay",), ("--view", "third"), ("--lock-root", VESTIBULE)])
def test_render_draws_a_picture_of_that_size(
    program: Program, tmp_path: Path, extra: tuple[str, ...]
) -> None:
    from PIL import Image

    out = tmp_path / "picture.png"
    program.run("render", "--demo", "--at", STREET, "--size", "160x90", "--out", str(out), *extra)
    with Image.open(out) as picture:
        assert picture.size == (160, 90)
        colours = picture.convert("RGB").getcolors(maxcolors=160 * 90)
    assert colours is not None
    assert len(colours) > 100


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("cell", "--demo", "--at", "banana"), "bad location 'banana'"),
        (("cell", "--demo", "--at", "0xA9B40FFF [1 2 3]"), "0xA9B40FFF"),
        (("cell", "--demo", "--at", "0x12340100 [1 2 3]"), "0x12340100"),
        (("cell", "--dats", "/no/such/folder", "--at", VESTIBULE), "/no/such/folder"),
        (("cell", "--dumps", "/no/such/folder", "--at", VESTIBULE), "/no/such/folder"),
        (("cell", "--demo", "--scene", "no.json", "--at", VESTIBULE), "no.json"),
        (("cell", "--demo", "--dumps", "d", "--at", VESTIBULE), "exclude each other"),
        (("sim", "--demo", "no.json"), "no.json"),
        (("render", "--demo", "--at", VESTIBULE, "--out", "picture"), "--out"),
        (("render", "--demo", "--at", VESTIBULE, "--out", "a.png", "--lock-look", "0,0"), "--lock-root"),
        (
            ("tour", "--demo", "--out", "no-tour", "--day-group", "4"),
            "no kind of day 4: the region has kinds 0 to 3",
        ),
        (("walk", "--demo", "--day-group", "99"), "no kind of day 99"),
        (("dat", "show", "--demo"), "name an object"),
        (("dat", "show", "--demo", "0x0100FFFF"), "0x0100FFFF"),
        (("dat", "ls", "--demo", "--type", "Banana"), "Banana"),
        (("verify", "--demo", "--only", "banana"), "banana"),
        (("walk", "--demo", "--at", VESTIBULE, "banana"), "banana"),
    ],
)
def test_bad_input_is_one_line_that_names_it(program: Program, words: tuple[str, ...], says: str) -> None:
    assert says in program.complaint(*words)


@pytest.mark.gl
def test_a_cell_that_could_not_be_loaded_is_refused_with_the_damage(program: Program, tmp_path: Path) -> None:
    (tmp_path / "0xA9B40170.json").write_text("{")
    line = program.complaint("cell", "--at", VESTIBULE, "--dumps", str(tmp_path))
    assert "cell 0xA9B40170 could not be loaded: " in line
    assert "0xA9B40170.json, object 0xA9B40170: line 1 column 2: not JSON" in line


def test_a_cut_off_file_is_named_where_a_cell_is_not_found(program: Program, tmp_path: Path) -> None:
    for path in DEMO.glob("*.dat"):
        whole = path.read_bytes()
        (tmp_path / path.name).write_bytes(whole[: len(whole) // 2] if "cell" in path.name else whole)
    line = program.complaint("cell", "--at", VESTIBULE, "--dats", str(tmp_path))
    assert "client_cell_1.dat, offset 0x" in line


@pytest.mark.gl
def test_a_kind_of_day_that_the_region_has_not_is_named(program: Program, tmp_path: Path) -> None:
    out = tmp_path / "a.png"
    words = ("render", "--demo", "--at", VESTIBULE, "--size", "64x64", "--out", str(out), "--day-group")
    assert "no kind of day 99: the region has kinds 0 to 3" in program.complaint(*words, "99")
    assert not out.exists()
    assert program.run(*words, "2") == ""
    assert out.exists()


@pytest.mark.gl
def test_the_tours_record_is_opened_before_anything_is_drawn(program: Program, tmp_path: Path) -> None:
    record = tmp_path / "nowhere" / "walk.jsonl"
    words = ("tour", "--demo", "--out", str(tmp_path / "tour"), "--size", "64x64", "--record", str(record))
    assert str(record) in program.complaint(*words)
    assert list((tmp_path / "tour").iterdir()) == []


def test_a_picture_that_cannot_be_written_is_named_before_it_is_drawn(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("viewer.commands.render.open_view")
    words = ("render", "--demo", "--at", VESTIBULE, "--size", "64x64", "--out", "/no/such/folder/x.png")
    assert "/no/such/folder/x.png" in program.complaint(*words)


@pytest.mark.shared
def test_dats_come_from_the_environment_unless_the_demo_is_named(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLTWALK_DATS", str(DATS))
    assert "portal.dat" in program.run("dat", "ls")
    assert "client_portal.dat" in program.run("dat", "ls", "--demo")


def test_no_environment_is_told_of_dumps_which_name_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is made up for them has ids that nothing else has."""
    two_rooms(tmp_path)
    assert main(["cell", "--dumps", str(tmp_path), "--at", "0xA9B40100 [60 60 94]", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["environment"] is None


@pytest.mark.gl
def test_no_surface_is_told_of_dumps_which_name_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    two_rooms(tmp_path)
    words = ["--dumps", str(tmp_path), "--at", "0xA9B40100 [60 60 94]", "--json", "--no-history"]
    assert main(["pick", *words]) == 0
    shown = json.loads(capsys.readouterr().out)["facet"]
    assert [shown[name] for name in ("surface", "texture", "image", "node")] == [None] * 4
