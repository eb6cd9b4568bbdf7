"""The split view, the locked root and the cells that are gone through: the list, beside the picture."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from engine.visibility.region_shapes import portal_shapes, pyramid_shapes
from engine.visibility.view_modes import cell_in
from tests.viewer.debug_walks import FORWARD, INN, MAIN_ROOM, SIZE, STREET, picture, seen, walking
from viewer.main import main
from viewer.picture.split_view import GAP, pane_size, panes
from viewer.renderer.render_options import RenderOptions
from viewer.tables.modes import with_modes


@pytest.mark.gl
def test_a_picture_with_its_root_locked_says_so(tmp_path):
    pictures = {}
    for name, words in (("own", ()), ("locked", ("--lock-root", MAIN_ROOM, "--eye", "155.4,12.6,95.5"))):
        path = tmp_path / f"{name}.png"
        assert (
            main(["render", "--demo", "--at", MAIN_ROOM, "--size", "640x360", *words, "--out", str(path)])
            == 0
        )
        pictures[name] = np.asarray(Image.open(path).convert("RGB"), int)
    top = slice(8, 24), slice(200, 440)
    bright = {name: int((picture[top].min(axis=2) > 230).sum()) for name, picture in pictures.items()}
    assert bright["locked"] > bright["own"] + 200


# -- no. 3 and 18, the frozen list and the split view


def test_the_halves_are_equal_and_leave_a_gap():
    left, right = panes((1281, 720))
    assert left.size == right.size == pane_size((1281, 720), split=True) == (639, 720)
    assert right.left - left.size[0] >= GAP
    assert right.left + right.size[0] == 1281
    assert pane_size((1281, 720), split=False) == (1281, 720)


@pytest.mark.parametrize("place", [MAIN_ROOM, STREET, INN, "dungeon entrance"])
def test_from_behind_and_above_the_list_is_the_bodys(place):
    walk = walking(place, door=place == MAIN_ROOM)
    picture = seen(walk)
    behind, _ = walk.seen_from_behind()
    assert (behind.root, behind.path, behind.frozen) == (picture.root, picture.path, picture)
    assert [row.cell for row in behind.cells] == [row.cell for row in picture.cells]
    assert behind.view.eye[2] > picture.view.eye[2] + 2.0
    back = sum(
        (a - b) * f for a, b, f in zip(behind.view.eye, picture.view.eye, picture.view.forward, strict=True)
    )
    assert back < -1.0
    # The eye that saw the list is in the picture.
    x, y, w = behind.view.project(picture.view.eye)
    assert w > 1.0
    assert max(abs(x / w), abs(y / w)) < 0.9
    assert pyramid_shapes(behind).lines == pyramid_shapes(picture).lines
    assert len(portal_shapes(behind).lines) == len(portal_shapes(picture).lines)


def test_outdoors_a_detached_eye_keeps_the_look_ins_of_the_body():
    walk = walking("0xA9B40031 [152 19.5 94] 0.94 0 0 -0.342")
    picture = seen(walk)
    assert picture.look_ins
    openings = {(x.building.index, x.portal.index) for x in picture.look_ins}
    walk.toggle_flight()
    walk.turn(130.0, 0.0)
    walk.advance(1.5, FORWARD)
    drawn = walk.look_out(SIZE, 0.0)
    assert [row.cell for row in drawn.cells] == [row.cell for row in picture.cells]
    kept = {(x.building.index, x.portal.index) for x in drawn.look_ins}
    assert kept <= openings
    whole = {
        c for x in picture.look_ins if (x.building.index, x.portal.index) not in kept for c in x.flood.order
    }
    assert set(drawn.loose) == whole


@pytest.mark.gl
@pytest.mark.parametrize(
    ("place", "look"), [(MAIN_ROOM, "0,0"), (STREET, "-20,3"), ("0x01070101 [47 60 -6]", "90,0")]
)
def test_the_split_view_shows_the_picture_and_beside_it_the_frozen_list(place, look, tmp_path):
    path = tmp_path / "a.png"
    common = ("--at", place, "--look", look)
    split = picture(path, *common, "--mode", "split")
    half = pane_size(SIZE, split=True)[0]
    alone = picture(path, *common, "--size", f"{half}x180")
    assert split.shape == (180, 320, 3)
    assert (split[:, :half] == alone).all()
    assert not split[:, half : 320 - half].any()
    right = split[:, 320 - half :]
    assert np.abs(right - alone).max(axis=-1).mean() > 10
    # The frustum that was frozen is drawn in white; it stands below the middle. Its lines are a pixel wide:
    # with one sample they have their own colour, with several a mixture with what lies behind.
    plain = picture(path, *common, "--mode", "split", "--samples", "1")[:, 320 - half :]
    white = (plain > 215).all(axis=-1)
    assert white[60:].sum() > 10
    assert (picture(path, *common, "--mode", "split") == split).all()


@pytest.mark.gl
def test_split_follows_the_cells_that_are_chosen(tmp_path):
    path = tmp_path / "a.png"
    all_cells = picture(path, "--at", INN, "--mode", "split,cell-ids")
    one = picture(path, "--at", INN, "--mode", "split,cell-ids,first=1")
    assert (all_cells[:, 165:] != one[:, 165:]).any()


# -- keys


def test_keys_go_through_the_visible_cells_and_a_cell_out_of_sight_is_let_go():
    walk = walking(MAIN_ROOM, door=True)
    order = list(dict.fromkeys(row.cell for row in seen(walk).cells))
    shown = []
    for _ in order:
        walk.switch_mode("solo")
        shown.append(walk.modes)
    assert shown == [(f"solo={cell:08X}",) for cell in order]
    walk.switch_mode("solo")
    assert walk.modes == ()
    walk.switch_mode("solo", -1)
    assert walk.modes == (f"solo={order[-1]:08X}",)
    walk.turn(180.0, 0.0)
    walk.camera.settle()
    picture = walk.look_out(SIZE, 0.0)
    chosen = walk.choose(picture, with_modes(RenderOptions(), walk.modes))
    assert walk.modes == ()
    assert f"0x{order[-1]:08X}" in walk.notice
    assert [row.cell for row in chosen.cells] == [row.cell for row in picture.cells]


@pytest.mark.parametrize(("root", "words"), [(0x103, ["0103", "0171"]), (0x00010103, ["00010171"])])
def test_keys_name_cells_of_the_landblock_zero_as_modes_take_them(monkeypatch, root, words):
    walk = walking(MAIN_ROOM, door=True)
    there = [0x103, 0x171] if root == 0x103 else [0x103, 0x00010171]
    picture = seen(walk)
    walk.seen = picture._replace(root=root)
    chosen = SimpleNamespace(cells=[SimpleNamespace(cell=cell) for cell in there])
    monkeypatch.setattr("viewer.window.walking.outlook.choose_cells", lambda *_, **__: chosen)
    for word in words:
        walk.switch_mode("region")
        assert walk.modes == (f"region={word}",)
        assert cell_in(root, with_modes(RenderOptions(), walk.modes).regions_of) in there
    walk.switch_mode("region")
    assert walk.modes == ()


def test_keys_replay_the_traversal_cell_by_cell():
    walk = walking(MAIN_ROOM, door=True)
    for k in range(1, len(seen(walk).cells)):
        walk.switch_mode("first")
        assert walk.modes == (f"first={k}",)
        picture = walk.choose(seen(walk), with_modes(RenderOptions(), walk.modes))
        assert [row.cell for row in picture.cells] == [row.cell for row in seen(walk).cells[:k]]
    walk.switch_mode("first")
    assert walk.modes == ()
    walk.switch_mode("portals")
    assert walk.modes == ("portals",)


@pytest.mark.parametrize(
    ("place", "root"), [(INN, "0x01070101 [46.6 56 -6]"), ("0x01070103 [70 58.5 -6]", INN)]
)
def test_a_locked_root_that_is_not_loaded_around_the_eye_is_one_line(tmp_path, capsys, place, root):
    words = ["render", "--demo", "--at", place, "--lock-root", root, "--out", str(tmp_path / "a.png")]
    assert main([*words, "--size", "64x36"]) == 2
    said = capsys.readouterr().err.strip()
    assert said.startswith("holtwalk: --lock-root: what 0x")
    assert "\n" not in said
