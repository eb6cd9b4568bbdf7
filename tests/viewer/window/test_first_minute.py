"""The first minute: where it begins, what the card says, and how one's own dats are chosen and remembered."""

from __future__ import annotations

import json
import math
import os
import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.physics.enums import TICKS_PER_SECOND
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.simulation import Simulation
from engine.world.ids import block_of
from engine.world.loading.world import World
from engine.world.location import format_location, parse_location
from engine.world.sources.dump_inventory import inventory
from engine.world.sources.dumps import DumpsSource
from engine.world.sources.open_source import open_source
from engine.world.terrain import terrain_height
from scripts.fuzzing.samples import box_dumps
from tests.needed import only_where
from tests.places import DEMO
from tests.viewer.window.bare_window import bare_app
from viewer.commands import walk as walk_command
from viewer.overlay.card import FirstCard
from viewer.tables.key_names import Key
from viewer.tables.keys import FIRST_STEPS, default_keys, first_steps
from viewer.window.app import App
from viewer.window.dats_dialog import DatsDialog, dats_trouble, dialog_trouble
from viewer.window.first_place import front_of_house, told_of_world
from viewer.window.user_files.user_settings import Settings
from viewer.window.walking.walk import Walk


def dumps(folder: Path, *, without: tuple[str, ...] = (), **scene: object) -> World:
    """The room of the samples, with an exit to the south."""
    for name, document in box_dumps().items():
        if name not in without:
            assert isinstance(document, dict)
            (folder / name).write_text(json.dumps({**document, **(scene if name == "scene.json" else {})}))
    return World(open_source(dumps=folder))


def test_with_dumps_a_walk_begins_on_the_ground_before_the_house_and_faces_it(tmp_path: Path) -> None:
    opening = {"cell": "0xA9B40170", "portal": 0}
    shell = {"gfxobj": "0x01000010", "at": "0xA9B40031 [155 15 94]", "portals": [opening]}
    world = dumps(tmp_path, buildings=[shell])
    place = parse_location(front_of_house(world))
    x, y, z = place.frame.origin
    assert place.cell_id & 0xFFFF < 0x100  # outdoors
    block = world.blocks[block_of(place.cell_id)]
    assert z == terrain_height(block, x, y) == 94.0
    assert math.dist((x, y), (155.0, 12.0)) > 2.0  # the exit, in the room's southern wall
    ahead = place.frame.to_global_vec((0.0, 1.0, 0.0))
    to_exit = (155.0 - x, 12.0 - y)
    along = (ahead[0] * to_exit[0] + ahead[1] * to_exit[1]) / math.hypot(*to_exit)
    assert along > 0.999
    assert y < 15.0 and y < 12.0


def test_in_the_demo_the_key_that_walks_leads_from_the_start_to_the_closed_door_which_holds() -> None:
    simulation = Simulation(World(open_source(demo=DEMO)))
    simulation.teleport(simulation.world.locate(simulation.world.source.home()))
    walk = Walk(simulation)
    for _ in range(3 * TICKS_PER_SECOND):
        walk._tick(MovementInput(forward=1))
    assert walk.blocked.startswith("held by door 0x7A9B4015, part ")


def test_without_a_building_that_shows_its_inside_it_begins_in_the_first_room_facing_the_next(
    tmp_path: Path,
) -> None:
    """From outdoors nothing of it would be seen."""
    cell = "0xA9B40170.json"
    document = box_dumps()[cell]
    assert isinstance(document, dict)
    dumps(tmp_path)
    document["Portals"] = [*document["Portals"], {"OtherCellId": 0x171, "PolygonId": 5, "Flags": 0}]
    (tmp_path / cell).write_text(json.dumps(document))
    place = parse_location(front_of_house(World(open_source(dumps=tmp_path))))
    assert place.cell_id == 0xA9B40170
    ahead = place.frame.to_global_vec((0.0, 1.0, 0.0))
    assert ahead[0] > 0.999  # the opening is in its eastern wall


def test_nothing_is_said_where_landcells_meet_before_a_house_but_where_one_asks_for_the_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    simulation = Simulation(World(open_source(demo=DEMO)))
    seam = format_location(simulation.world.locate("0xA9B40025 [96.0 96.0 94.0]"))
    monkeypatch.setattr(walk_command, "front_of_house", lambda _: seam)
    for asked, said in ((None, ""), (seam, "the place lies there")):
        args = Namespace(where=None, at=asked, anywhere=False)
        arrival = walk_command._start(args, simulation, Settings(None, {}))
        assert arrival.got.cell_id != arrival.asked.cell_id == 0xA9B40025
        assert said in arrival.words
        assert capsys.readouterr().err == (f"holtwalk: {arrival.words}\n" if said else "")


def test_a_room_without_a_way_out_is_where_a_walk_begins(tmp_path: Path) -> None:
    cell = "0xA9B40170.json"
    document = box_dumps()[cell]
    assert isinstance(document, dict)
    dumps(tmp_path)
    (tmp_path / cell).write_text(json.dumps({**document, "Portals": []}))
    world = World(open_source(dumps=tmp_path))
    assert front_of_house(world) == world.source.home()
    assert parse_location(world.source.home()).cell_id == 0xA9B40170


def test_a_scene_that_says_where_a_walk_begins_and_other_worlds_are_left_alone(tmp_path: Path) -> None:
    world = dumps(tmp_path, home="0xA9B40170 [155.0 15.0 94.0]")
    assert front_of_house(world) == ""
    assert front_of_house(World(open_source(demo=DEMO))) == ""


def test_the_card_says_what_was_found_and_what_is_missing(tmp_path: Path) -> None:
    cell = "0xA9B40170.json"
    document = box_dumps()[cell]
    assert isinstance(document, dict)
    dumps(tmp_path, without=("0x01000010.gfxobj.json",))
    document["Portals"] = [*document["Portals"], {"OtherCellId": 0x16F, "PolygonId": 3, "Flags": 0}]
    (tmp_path / cell).write_text(json.dumps(document))
    source = open_source(dumps=tmp_path)
    assert isinstance(source, DumpsSource)
    found = inventory(source)
    assert (found.cells, found.missing_cells) == ((0xA9B40170,), (0xA9B4016F,))
    assert (found.models, found.missing_models) == ((), (0x02000010,))
    assert told_of_world(World(source)) == (
        "found: 1 cell and 0 models that stand in them",
        "missing: 1 cell (0xA9B4016F) that portals or lists name; 1 model (0x02000010) that objects name",
    )


def test_the_card_of_the_demo_and_of_dats(tmp_path: Path) -> None:
    assert told_of_world(World(open_source(demo=DEMO)))[0].startswith("This is the demo world.")
    found, missing = told_of_world(World(open_source(dats=DEMO)))
    assert found == "found: client_portal.dat, client_cell_1.dat"
    assert missing.startswith("missing: client_highres.dat (finer textures); doors, which no dat holds")


def test_the_card_has_five_rows_and_goes_by_enter_or_escape_alone() -> None:
    keys = default_keys()
    assert len(first_steps(keys)) == len(FIRST_STEPS) == 5
    assert first_steps(keys)[0][0] == "W A S D"
    assert len(first_steps({**keys, "inspect": ""})) == 4
    card = FirstCard(first_steps(keys), lambda: ("told",))
    card.open()
    assert card.told == ("told",)
    assert not card.press(Key("W", "W", "KEY_25")) and card.is_open
    assert card.press(Key("ESCAPE", "ESCAPE", "KEY_9")) and not card.is_open


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    with bare_app(tmp_path, monkeypatch) as made:
        yield made


@pytest.mark.gl
def test_a_folder_that_is_dropped_is_remembered_where_it_holds_dats(app: App, tmp_path: Path) -> None:
    said: list[str] = []
    app.deeds._parts.message.say = said.append  # type: ignore[method-assign]
    drop = app.window.files_dropped_event_func
    (tmp_path / "empty").mkdir()
    drop(10, 10, [str(tmp_path / "empty")])
    assert said == [f"{tmp_path / 'empty'}: no portal file in this folder (client_portal.dat)"]
    assert app.walk.settings["dats"] is None
    drop(10, 10, [str(DEMO / "client_portal.dat")])
    assert said[-1] == f"{DEMO} can't be remembered: there is no folder for settings.toml"
    app.walk.settings = Settings(tmp_path)
    drop(10, 10, [str(DEMO / "client_portal.dat")])
    assert app.walk.settings["dats"] == str(DEMO)
    assert said[-1] == f"{DEMO} is opened from the next start on"


@pytest.mark.gl
def test_another_file_that_is_dropped_is_told_by_its_name(app: App, tmp_path: Path) -> None:
    """A capture was told of as a folder without a portal file."""
    capture, there = tmp_path / "a.jsonl", str(tmp_path / "gone")
    capture.write_text("{}")
    drop = app.window.files_dropped_event_func
    drop(10, 10, [str(capture)])
    assert app.message.shown.startswith(f"{capture} is no file of dats: ")
    assert "the folder of dats, or a bug folder" in app.message.shown
    drop(10, 10, [there])
    assert app.message.shown.startswith(f"{there} is no file of dats: ")
    app._frame(1 / 60)


@pytest.mark.gl
@only_where(so=sys.platform == "linux", why="names are any bytes there")
def test_a_folder_whose_name_is_no_utf_8_is_not_remembered_as_another(app: App, tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.symlink_to(DEMO)
    app.window.files_dropped_event_func(10, 10, [str(folder)])
    told = "caf\\udce9 can't be remembered: its name is no UTF-8, and settings.toml is; name it with --dats"
    assert app.message.shown.endswith(told)
    assert app.walk.settings["dats"] is None
    app._frame(1 / 60)
    assert app.message.shown.endswith(told)  # and nothing that failed to draw it


@pytest.mark.gl
def test_the_card_is_shown_once_and_again_when_it_is_asked_for(app: App) -> None:
    assert app.walk.settings["first_steps"] is True
    app.deeds.show_card()
    app._frame(1 / 60)
    app._frame(1 / 60)
    assert "card away" in app.walk.widgets
    assert app.walk.settings["first_steps"] is False
    app.boxes.press(Key("ENTER", "ENTER", "KEY_36"))
    app._frame(1 / 60)
    assert "card away" not in app.walk.widgets
    app.deeds.do("first_steps")
    assert app.boxes.card.is_open


class Answered:
    """A dialog that is answered at the second look."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.looks = 0
        self.is_killed = False

    def ready(self, timeout: int = 0) -> bool:
        self.looks += 1
        return self.looks > 1

    def result(self) -> str:
        return self.folder

    def kill(self) -> bool:
        self.is_killed = True
        return True


@pytest.mark.parametrize("answer", ["/some/where", ""])
def test_a_folder_is_chosen_in_the_desktops_dialog_beside_the_frames(answer: str) -> None:
    chosen: list[Path] = []
    said: list[str] = []
    dialog = DatsDialog(chosen.append, said.append, lambda _: Answered(answer), lambda: "")
    dialog.ask("/home")
    dialog.ask("/home")
    assert said == ["the dialog for the folder is open already"]
    dialog.look()
    assert chosen == []
    dialog.look()
    dialog.look()
    assert chosen == ([Path(answer)] if answer else [])


def test_a_folder_whose_name_is_no_utf8_is_told_where_the_dialog_can_not_hand_it_over() -> None:
    class Odd(Answered):
        def result(self) -> str:
            return b"/odd/d\xff\n".decode()

    begun: list[str] = []
    said: list[str] = []
    dialog = DatsDialog(
        lambda _: pytest.fail("not chosen"),
        said.append,
        lambda start: begun.append(start) or Odd(""),
        lambda: "",
    )
    dialog.ask("/home/a\udcff")
    assert begun == [""]  # it can't begin there either
    dialog.look()
    dialog.look()
    assert len(said) == 1 and said[0].startswith("/odd/d\udcff: its name is no UTF-8")


def test_a_dialog_that_is_open_as_the_window_closes_goes_with_it() -> None:
    asked: list[Answered] = []

    def opened(start: str) -> Answered:
        asked.append(Answered(start))
        return asked[-1]

    dialog = DatsDialog(lambda _: None, lambda _: None, opened, lambda: "")
    dialog.close()
    dialog.ask("/home")
    dialog.close()
    dialog.close()
    assert [one.is_killed for one in asked] == [True]


def test_where_no_dialog_can_be_shown_one_line_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viewer.window.dats_dialog.shutil.which", lambda _: None)
    monkeypatch.setattr("viewer.window.dats_dialog.sys.platform", "linux")
    said: list[str] = []
    DatsDialog(lambda _: None, said.append).ask("")
    assert said == [dialog_trouble()]
    assert said[0].startswith("no program for dialogs is here (zenity or kdialog): drop the folder")
    assert dats_trouble(DEMO) == ""
