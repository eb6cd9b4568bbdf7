"""The views (views 8.2) on the demo: labels, outlines, slopes, sweeps, trees, the split view."""

from __future__ import annotations

import math
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from engine.physics.enums import FLOOR_Z, TICK
from engine.physics.simulation.body_shapes import CAMERA, STEEP, WALKABLE, slope_shapes
from engine.visibility.region_shapes import GREY, portal_shapes
from engine.world.cells import LandCell
from engine.world.debug_shapes import WHITE, DebugShapes, cell_box_shapes, cell_outline_shapes
from engine.world.ids import rebase
from engine.world.polygon import Polygon
from tests.viewer.debug_walks import FORWARD, INN, MAIN_ROOM, SIZE, STREET, seen, shapes_of, walking
from tests.viewer.demo_places import standing
from viewer.main import main
from viewer.overlay.still_panels import picture_in
from viewer.renderer.render_options import RenderOptions
from viewer.report.caption import captioned, state_text
from viewer.tables.modes import with_modes
from viewer.window.sharing.copied_command import render_command


def corners(shapes: DebugShapes) -> set[tuple[float, float, float]]:
    return {(round(x, 3), round(y, 3), round(z, 3)) for a, b, _ in shapes.lines for x, y, z in (a, b)}


# -- 2.16, the stab list compared


def test_cells_that_the_stab_list_leaves_out_are_boxed():
    walk = walking(INN)
    assert shapes_of(walk, "beyond-stab") == []
    whole = {row.cell for row in seen(walk).cells}
    root = walk.simulation.world.env_cell(seen(walk).root)
    root.stab_list = ()
    walk.look_out(SIZE, 0.0)
    boxes = shapes_of(walk, "beyond-stab")
    labels = {text for shapes in boxes for _, text, _ in shapes.labels}
    assert labels == {f"{c & 0xFFFF:04X}" for c in whole - {root.id}}
    assert len(labels) > 3


# -- no. 5, portals


def test_every_portal_bears_its_index_and_where_it_leads():
    walk = walking(MAIN_ROOM, door=True)
    cell = walk.simulation.world.env_cell(0xA9B40171)
    labels = {text for _, text, _ in portal_shapes(seen(walk)).labels}
    assert {f"{p.index}→{p.other_cell_id & 0xFFFF:04X}" for p in cell.portals} <= labels
    assert any(text.endswith("→out") for text in labels)
    drawn = [(at, text) for at, text, _ in portal_shapes(seen(walk)).labels]
    assert len(drawn) == len(set(drawn))
    assert any(re.fullmatch(r"b\d+/\d+→01[0-9A-F]{2}", text) for text in labels)
    (at,) = [at for at, text, _ in portal_shapes(seen(walk)).labels if text == "0→0170"]
    polygon = [cell.frame.to_global(v) for v in cell.portals[0].polygon.vertices]
    assert at == pytest.approx([sum(p[i] for p in polygon) / len(polygon) for i in range(3)])


def test_all_portals_adds_those_that_no_traversal_came_to():
    walk = walking(STREET)
    world = walk.simulation.world
    some, every = portal_shapes(seen(walk)), portal_shapes(seen(walk), world)
    grey = [text for _, text, color in every.labels if color[:3] == GREY]
    assert len(every.labels) == len(some.labels) + len(grey)
    assert not any(color[:3] == GREY for _, _, color in some.labels)
    visited = {c for flood in seen(walk).floods for c in flood.order}
    cells = [c for block in world.blocks.values() for c in block.env_cells.values() if c.id not in visited]
    assert len(grey) >= sum(len(c.portals) for c in cells) > 10


# -- no. 8, boxes and what the cross-hair is on


def test_of_very_many_portals_those_that_were_tried_are_shown_and_the_rest_is_said_to_lack(monkeypatch):
    """120 cells of 255 portals each took 5 GB."""
    walk = walking(STREET)
    world, some = walk.simulation.world, portal_shapes(seen(walk))
    monkeypatch.setattr("engine.visibility.region_shapes.MOST_CORNERS", len(some.lines) + 10)
    most = portal_shapes(seen(walk), world)
    assert most.cut_short and not some.cut_short
    assert len(some.lines) < len(most.lines) <= len(some.lines) + 10


def test_a_cells_box_is_around_all_that_it_draws_and_bears_its_number():
    cell = standing(MAIN_ROOM).world.env_cell(0xA9B40171)
    shapes = DebugShapes(cell.id)
    cell_box_shapes(shapes, cell, WHITE)
    assert len(shapes.lines) == 12
    points = [v for p in cell.structure.polygons.values() for v in p.vertices]
    local = [cell.frame.to_local(p) for a, b, _ in shapes.lines for p in (a, b)]
    for axis in range(3):
        for pick in (min, max):
            assert pick(p[axis] for p in local) == pytest.approx(pick(p[axis] for p in points))
    assert [text for _, text, _ in shapes.labels] == ["0171"]


@pytest.mark.parametrize(
    ("mode", "kind"), [("physics-bsp", "leaf"), ("cell-bsp", "plane"), ("drawing-bsp", "node")]
)
def test_the_node_in_the_middle_of_the_picture_is_picked_out(mode, kind):
    walk = walking(MAIN_ROOM)
    walk.turn(90.0, -20.0)
    picture = walk.look_out(SIZE, 0.0)
    (pointed,) = [shapes for shapes in shapes_of(walk, mode) if shapes.labels]
    ((at, text, color),) = pointed.labels
    assert text.startswith(f"0171 {kind} ")
    assert color == WHITE
    x, y, w = picture.view.project(rebase(at, pointed.cell_id, picture.root))
    assert (abs(x / w), abs(y / w)) == (pytest.approx(0.0, abs=1e-9), pytest.approx(0.0, abs=1e-9))
    assert pointed.triangles


def test_the_node_that_is_picked_out_changes_with_the_look():
    walk = walking(MAIN_ROOM)
    names = set()
    for yaw in (0.0, 90.0, 90.0, 90.0):
        walk.turn(yaw, 0.0)
        walk.look_out(SIZE, 0.0)
        names |= {text for shapes in shapes_of(walk, "cell-bsp") for _, text, _ in shapes.labels}
    assert len(names) >= 3


# -- no. 12, physics


def test_slopes_are_green_where_a_foot_can_stand_and_red_where_not():
    walk = walking(STREET)
    (shapes,) = shapes_of(walk, "slopes")
    assert not shapes.through
    colors = set()
    for a, b, c, color in shapes.triangles:
        u, v = [q - p for p, q in zip(a, b, strict=True)], [q - p for p, q in zip(a, c, strict=True)]
        n = np.cross(u, v)
        steep = n[2] / np.linalg.norm(n) < FLOOR_Z
        assert color[:3] == (STEEP if steep else WALKABLE)[:3]
        colors.add(steep)
    assert False in colors
    # The ground underfoot is among them.
    x, y, z = walk.simulation.position.frame.origin
    under = [t for t in shapes.triangles if in_plan(t[:3], x, y) and abs(min(p[2] for p in t[:3]) - z) < 1.0]
    assert under


def in_plan(triangle, x: float, y: float) -> bool:
    turns = []
    for k in range(3):
        (ax, ay, _), (bx, by, _) = triangle[k - 1], triangle[k]
        turns.append((bx - ax) * (y - ay) - (by - ay) * (x - ax))
    return all(t >= -1e-9 for t in turns) or all(t <= 1e-9 for t in turns)


def test_a_steep_face_is_red():
    shapes = DebugShapes(0xA9B40001)
    gentle = Polygon(0, [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 1.0)])  # normal.z is 0.71
    steep = Polygon(1, [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 1.2)])  # 0.64
    ground = LandCell(0xA9B40001, (gentle, steep), 0)
    slope_shapes(shapes, [ground], [])
    assert [t[3][:3] for t in shapes.triangles] == [WALKABLE[:3], STEEP[:3]]


def test_walls_and_ceilings_carry_nobody_and_have_no_colour():
    shapes = DebugShapes(0xA9B40001)
    wall = Polygon(0, [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)])
    ceiling = Polygon(1, [(0.0, 0.0, 3.0), (0.0, 1.0, 3.0), (1.0, 0.0, 3.0)])
    slope_shapes(shapes, [LandCell(0xA9B40001, (wall, ceiling), 0)], [])
    assert shapes.triangles == []


def test_the_last_ticks_sweep_is_drawn_step_by_step():
    walk = walking(MAIN_ROOM)
    before = walk.simulation.position.frame.origin
    standing_still = sum(len(s.lines) for s in shapes_of(walk, "body"))
    walk.advance(TICK, FORWARD)
    walk.look_out(SIZE, 0.0)
    after = walk.simulation.position.frame.origin
    assert math.dist(before, after) > 0.05
    (shapes,) = shapes_of(walk, "body")
    assert len(shapes.lines) > standing_still
    foot = walk.simulation.body.movement_spheres[0].center
    ends = [tuple(round(o + c, 3) for o, c in zip(p, foot, strict=True)) for p in (before, after)]
    swept = {
        tuple(round(c, 3) for c in p) for a, b, color in shapes.lines if color == WALKABLE for p in (a, b)
    }
    assert set(ends) <= swept


def test_the_cameras_sweep_is_seen_from_outside_only():
    walk = walking(MAIN_ROOM, third=True)
    assert not [c for s in shapes_of(walk, "body") for *_, c in s.lines if c == CAMERA]
    behind, _ = walk.seen_from_behind()
    lines = [(a, b) for s in shapes_of(walk, "body", picture=behind) for a, b, c in s.lines if c == CAMERA]
    assert walk.line is not None
    assert (walk.line.pivot, walk.line.eye) in [
        (pytest.approx(a), pytest.approx(b, abs=1e-3)) for a, b in lines
    ]


# -- no. 13, the body's cell


def test_the_bodys_cell_is_outlined_just_inside_its_walls():
    walk = walking(MAIN_ROOM)
    cell = walk.simulation.world.env_cell(0xA9B40171)
    (shapes,) = shapes_of(walk, "cell-ids")
    assert {color for *_, color in shapes.lines} == {WHITE}
    points = [cell.frame.to_global(v) for p in cell.structure.polygons.values() for v in p.vertices]
    for axis in range(3):
        for pick, inset in ((min, 0.01), (max, -0.01)):
            ends = [p[axis] for a, b, _ in shapes.lines for p in (a, b)]
            assert pick(ends) == pytest.approx(pick(p[axis] for p in points) + inset, abs=2e-3)


def test_outdoors_the_square_of_ground_is_outlined():
    walk = walking(STREET)
    shapes = DebugShapes(0xA9B40031)
    cell = walk.simulation.body.cell
    assert cell is not None
    cell_outline_shapes(shapes, cell, WHITE)
    low = (cell.id & 0xFFFF) - 1
    x, y = 24.0 * (low // 8), 24.0 * (low % 8)
    assert {p[:2] for p in corners(shapes)} == {(x + a, y + b) for a in (0.0, 24.0) for b in (0.0, 24.0)}
    assert len(shapes.lines) == 4


# -- no. 2, the state


def test_the_state_says_where_the_picture_starts_from():
    walk = walking(MAIN_ROOM, door=True)
    first, second = state_text(seen(walk), 12.5).splitlines()
    assert first == "body 0xA9B40171  root 0xA9B40171  carried nowhere"
    assert second.startswith("interior  outside ")
    assert second.endswith(f"{len(seen(walk).cells)} cells  12:30")


@pytest.mark.gl
def test_the_command_on_the_clipboard_draws_the_same_list(tmp_path, capsys):
    walk = walking(MAIN_ROOM, third=True, door=True)
    walk.turn(25.0, -12.0)
    walk.camera.settle()
    walk.toggle_mode("cell-ids")
    picture = walk.look_out(SIZE, 0.0)
    words = shlex.split(render_command(walk, SIZE))
    assert words[:2] == ["holtwalk", "render"]
    for name, value in (("--view", "third"), ("--mode", "cell-ids"), ("--state", "0x7A9B4015=0x1000C")):
        assert words[words.index(name) + 1] == value
    words[words.index("--out") + 1] = str(tmp_path / "again.png")
    assert main([*words[1:], "--demo"]) == 0
    capsys.readouterr()
    told = [w for w in words[2 : words.index("--time")] if w not in ("--state", "0x7A9B4015=0x1000C")]
    assert main(["pvs", *told, "--size", "320x180", "--demo"]) == 0
    listed = [line.split()[1] for line in capsys.readouterr().out.splitlines() if line.strip()[:1].isdigit()]
    assert listed == [f"0x{row.cell:08X}" for row in picture.cells]


def written(tmp_path: Path, *words: str, mode: str = "", without: str = "") -> np.ndarray:
    """Columns of a picture of a window's size that change with a mode; with ``--lock-root`` say."""
    pictures = []
    for modes in (mode, without):
        path = tmp_path / "p.png"
        line = ["render", "--demo", "--at", MAIN_ROOM, "--size", "1280x720", "--samples", "1", *words]
        assert main([*line, *(("--mode", modes) if modes else ()), "--out", str(path)]) == 0
        pictures.append(np.asarray(Image.open(path).convert("RGB"), int))
    return np.nonzero((pictures[0] != pictures[1]).any(axis=(0, 2)))[0]


@pytest.mark.gl
def test_what_is_written_over_the_picture_is_not_behind_the_panels(tmp_path):
    picture = picture_in((1280, 720))
    free = range(picture.left, picture.left + picture.width)
    state = written(tmp_path, mode="state")
    assert len(state) > 200
    assert state[0] in free and state[-1] in free
    detached = written(tmp_path, "--lock-root", MAIN_ROOM, mode="state")
    assert detached[0] in free and detached[-1] in free
    halved = written(tmp_path, mode="state,split", without="split")
    assert len(halved) > 100
    assert halved[0] in free and halved[-1] in free


def test_a_detached_eye_says_so_with_or_without_the_state():
    walk = walking(MAIN_ROOM)
    for modes in ((), ("state",)):
        options = with_modes(RenderOptions(), modes)
        attached = captioned(options, seen(walk), 12.0).caption
        assert "DETACHED" not in attached
        assert bool(attached) is bool(modes)
        walk.toggle_flight()
        away = captioned(options, walk.look_out(SIZE, 0.0), 12.0).caption
        assert away.splitlines()[0] == "DETACHED: the visible list is that of 0xA9B40171"
        assert away.splitlines()[1:] == attached.splitlines()
        walk.toggle_flight()
        walk.look_out(SIZE, 0.0)


def test_a_region_that_is_not_there_is_one_line(tmp_path, capsys):
    words = ["render", "--demo", "--at", INN, "--out", str(tmp_path / "a.png"), "--mode", "region=0999"]
    assert main(words) == 2
    assert "0xA9B40999" in capsys.readouterr().err
