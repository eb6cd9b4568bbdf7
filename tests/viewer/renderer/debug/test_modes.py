"""Every drawing mode draws, changes nothing for the next frame, and can be asked for by its name."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from engine.visibility.view_modes import choose_cells
from tests.viewer.debug_walks import FRONT_DOOR, VALUES
from tests.viewer.demo_places import standing
from viewer.commands import render
from viewer.main import main
from viewer.picture.live_effects import LiveEffects
from viewer.picture.shape_gatherer import ShapeGatherer
from viewer.renderer.debug.readback import holes_mask
from viewer.renderer.render_options import RenderOptions
from viewer.tables.modes import BY_NAME, MODES, parse_modes, stepped, toggled, with_modes
from viewer.verify.picture_stage import Onlooker, Shot

MAIN_ROOM = "0xA9B40171 [155.4 12.6 94] 1 0 0 0"
INN = "0xA9B40157 [154.1 31.1 94] 1 0 0 0"
# In that room, at noon; what is drawn beside it and the caption are made by who asks for the frame.
SHOWS_NOTHING_NEW = {
    "unclipped", "box", "stab", "all", "no-sun", "no-fog", "no-shells", "split", "state",
    "beyond-stab", "no-exit-depth", "backs", "no-weather",
}  # fmt: skip


class Room:
    """The main room of the cottage, its door open, seen with the body in the picture."""

    def __init__(self, place: str = MAIN_ROOM) -> None:
        self.simulation = standing(place)
        self.simulation.use(FRONT_DOOR)
        self.simulation.wait(2.0)
        self.onlooker = Onlooker(self.simulation, (160, 90))
        self.gatherer = ShapeGatherer(self.simulation)
        self.effects = LiveEffects(self.simulation)

    def draw(self, *modes: str, yaw: float = 0.0, sentinel: bool = False) -> Shot:
        options = with_modes(RenderOptions(sentinel=sentinel), modes)
        picture, objects = self.onlooker.view(yaw, -8.0, third=True)
        objects.particles = partial(self.effects.shown, self.simulation.time)
        picture = choose_cells(
            self.simulation.world, picture, options.cells, solo=options.solo, first=options.first
        )
        shapes = self.gatherer.gather(picture, options)
        renderer = self.onlooker.renderer
        stats = renderer.draw(picture, objects, options, shapes)
        assert renderer.gl_errors() == []
        return Shot(picture, renderer.read_rgba()[..., :3].copy(), renderer.target.read_stencil(), stats)


@pytest.fixture(scope="module")
def room():
    made = Room()
    yield made
    made.onlooker.renderer.ctx.release()


@pytest.mark.gl
@pytest.mark.parametrize("name", [mode.name for mode in MODES])
def test_a_mode_draws_and_leaves_the_next_frame_alone(room, name):
    plain = room.draw()
    shown = room.draw(VALUES.get(name, name))
    if name not in SHOWS_NOTHING_NEW:
        assert (shown.rgb != plain.rgb).any()
    assert np.array_equal(room.draw().rgb, plain.rgb)


@pytest.mark.gl
def test_the_cells_of_a_picture_are_those_of_its_mode(room):
    assert {c.cell for c in room.draw("root").picture.cells} == {0xA9B40171}
    stab = {c.cell for c in room.draw("stab").picture.cells}
    cell = room.simulation.world.env_cell(0xA9B40171)
    assert stab == {0xA9B40171, *cell.stab_list}
    every = {c for block in room.simulation.world.blocks.values() for c in block.env_cells}
    assert {c.cell for c in room.draw("all").picture.cells} == every
    assert room.draw("all").stats.cells_drawn == len(every)
    assert [c.cell for c in room.draw("first=2").picture.cells] == [
        c.cell for c in room.draw().picture.cells[:2]
    ]
    assert room.draw("first=2").stats.cells_drawn < room.draw().stats.cells_drawn


@pytest.mark.gl
def test_depth_is_lighter_where_something_is_nearer(room):
    picture = room.draw("depth").rgb[..., 0].astype(int)
    assert picture[80, 80] > picture[10, 10]  # the body before the far wall
    assert (picture[85, :40] > 0).all()


@pytest.mark.gl
def test_the_stencil_view_has_a_colour_a_region(room):
    shown = room.draw("stencil")
    own = [c for c in shown.picture.cells if c.flood is None and c.area > 0.001]
    colors = {tuple(int(v) for v in p) for p in np.unique(shown.rgb.reshape(-1, 3), axis=0)}
    assert len(colors) >= len(own) + 1  # the landscape's region is another one


@pytest.mark.gl
def test_overdraw_adds_the_same_for_every_fragment(room):
    passed, every = room.draw("overdraw").rgb[..., 2], room.draw("overdraw-all").rgb[..., 2]
    assert (passed % 5 == 0).all()
    assert passed.min() >= 5
    assert (every >= passed).all()
    assert every.sum() > passed.sum()


@pytest.mark.gl
def test_the_hole_detector_finds_a_cell_that_is_left_out(room):
    whole = room.draw("holes")
    assert whole.stats.sentinel == 0
    holed = room.draw("holes", "solo=0171", "no-objects")
    assert holed.stats.sentinel > 100
    red = (holed.rgb == (255, 0, 0)).all(axis=-1)
    # A frame is drawn around them, and their number stands in the corner, in a red of its own.
    below = slice(30, None)
    unpainted = holes_mask(room.draw("solo=0171", "no-objects", sentinel=True).rgb)
    assert unpainted.sum() == holed.stats.sentinel
    assert red[below].sum() == pytest.approx(unpainted[below].sum(), abs=40)
    number = holed.rgb[8:25, 8:120].astype(int)
    assert ((number[..., 0] > 200) & (abs(number[..., 1] - 76) < 30)).sum() > 30
    assert (whole.rgb[8:25, 8:120, 0] < 130).all()
    assert (holed.rgb == (255, 255, 0)).all(axis=-1).any()


def test_modes_are_written_by_name():
    assert parse_modes("portals, cell-ids") == ("portals", "cell-ids")
    options = with_modes(RenderOptions(), parse_modes("solo=0170,body,shadows,depth"))
    assert (options.solo, options.shapes, options.show) == (0x170, {"body", "shadows"}, "depth")
    wrong = (
        "portal",
        "solo",
        "portals=1",
        "first=x",
        "solo=zz",
        "depth,stencil",
        "all,root",
        "box,unclipped",
        "",
    )
    for text in wrong:
        with pytest.raises(ValueError):
            parse_modes(text)


def test_every_mode_has_a_key_of_its_own():
    assert len(BY_NAME) == len(MODES)
    assert all(mode.key and bool(mode.back) == bool(mode.value) for mode in MODES)
    keys = [key for mode in MODES for key in (mode.key, mode.back) if key]
    assert len(keys) == len(set(keys))


def test_a_mode_that_goes_on_takes_the_place_of_what_it_excludes():
    assert toggled((), "depth") == ("depth",)
    assert toggled(("depth", "portals"), "stencil") == ("portals", "stencil")
    assert toggled(("depth", "portals"), "portals") == ("depth",)
    assert toggled(("first=2",), "first=3") == ("first=3",)
    assert toggled(("portals", "box"), "unclipped") == ("portals", "unclipped")


def test_a_mode_with_a_value_goes_through_them_and_is_off_at_either_end():
    on = ("portals",)
    seen = []
    for _ in range(4):
        on = stepped(on, "first", ("1", "2", "3"), 1)
        seen.append(on)
    assert seen == [("portals", f"first={k}") for k in (1, 2, 3)] + [("portals",)]
    assert stepped(("portals",), "first", ("1", "2", "3"), -1) == ("portals", "first=3")
    assert stepped(("solo=A9B40170",), "solo", ("A9B40171",), 1) == ("solo=A9B40171",)  # no longer seen


@pytest.mark.gl
def test_the_words_in_a_picture_grow_with_their_scale(room):
    def rows(scale):
        picture, objects = room.onlooker.view(0.0, -8.0, third=True)
        drawn = []
        for caption in ("", "M"):
            options = RenderOptions(caption=caption, text_scale=scale)
            room.onlooker.renderer.draw(picture, objects, options)
            drawn.append(room.onlooker.renderer.read_rgba()[..., :3].astype(int))
        return np.flatnonzero((drawn[0] != drawn[1]).any(axis=(1, 2)))

    once, twice = rows(1.0), rows(2.0)
    assert once.min() == twice.min()
    assert 1.7 < len(twice) / len(once) < 2.3


@pytest.mark.gl
def test_a_pose_drawn_twice_gives_the_same_bytes(tmp_path):
    files = [tmp_path / "a.png", tmp_path / "b.png"]
    for path in files:
        words = [
            "render",
            "--demo",
            "--at",
            INN,
            "--out",
            str(path),
            "--size",
            "320x180",
            "--mode",
            "portals",
        ]
        assert main(words) == 0
    assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.gl
@pytest.mark.parametrize(
    "extra", [[], ["--mode", "stab"], ["--resident", "--view", "third"], ["--look", "180,0"]]
)
def test_pvs_prints_what_the_picture_used(extra, tmp_path, monkeypatch, capsys):
    used = []
    real = render.OffscreenRenderer.picture  # type: ignore[attr-defined]
    monkeypatch.setattr(
        render.OffscreenRenderer,  # type: ignore[attr-defined]
        "picture",
        lambda self, still, path: (used.append(still.seen.picture), real(self, still, path))[1],
    )
    common = ["--demo", "--at", INN, "--size", "160x90", *extra]
    assert main(["render", *common, "--out", str(tmp_path / "a.png")]) == 0
    capsys.readouterr()
    assert main(["pvs", "--json", *common]) == 0
    document = json.loads(capsys.readouterr().out)
    (picture,) = used
    assert [int(c["cell"], 16) for c in document["cells"]] == [c.cell for c in picture.cells]
    assert [c["regions"] for c in document["cells"]] == [
        [[list(p) for p in r.points] for r in c.regions] for c in picture.cells
    ]


@pytest.mark.gl
def test_the_locked_root_is_seen_from_above(tmp_path):
    path = tmp_path / "above.png"
    words = ["render", "--demo", "--at", INN, "--lock-root", INN, "--eye", "156,20,108", "--look", "0,-40"]
    words += ["--mode", "pyramids,no-shells", "--size", "160x90", "--out", str(path)]
    assert main(words) == 0
    assert path.stat().st_size > 5000


def test_a_mode_that_makes_no_sense_is_one_line(capsys, tmp_path):
    common = ["render", "--demo", "--at", INN, "--out", str(tmp_path / "a.png"), "--mode"]
    assert main([*common, "portal"]) == 2
    line = capsys.readouterr().err
    assert "'portal'" in line
    assert "portals, regions" in line
    assert main([*common, "solo=0999"]) == 2
    assert "0xA9B40999" in capsys.readouterr().err


def test_modes_are_documented():
    text = (Path(__file__).resolve().parents[4] / "docs" / "modes.md").read_text(encoding="utf-8")
    assert all(f"`{mode.usage}`" in text for mode in MODES)
