"""The mode that shows collision alone: all that collides is there, solid and edged, and nothing else."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.physics.objects.shadow_shape import ShadowShape, ShapeType
from engine.physics.simulation.body_shapes import PASSABLE, SOLID
from engine.physics.simulation.collision_shapes import CELL, GROUND, GROUND_DROP, SHELL, _faces_of
from engine.world.cells import EnvCell
from engine.world.debug_shapes import DebugShapes, Rgba
from engine.world.frame import Frame
from engine.world.polygon import make_plane
from tests.viewer.debug_walks import FRONT_DOOR, MAIN_ROOM, STREET, picture, seen, shapes_of, walking
from viewer.renderer.passes.picture_kit import BACKDROP


def corners_of(shapes: list[DebugShapes], color: Rgba) -> set[tuple[float, ...]]:
    """The corners of filled faces of a colour, however they are lit."""
    return {
        tuple(round(c, 3) for c in p)
        for shape in shapes
        for *points, drawn in shape.triangles
        if max(abs(drawn[0] * color[k] - drawn[k] * color[0]) for k in range(3)) < 1e-6
        for p in points
    }


def test_each_visible_cells_physics_polygons_are_filled_and_edged():
    walk = walking(MAIN_ROOM, door=True)
    shapes = shapes_of(walk, "collision")
    assert all(shape.solid for shape in shapes)
    drawn = corners_of(shapes, CELL)
    cells = [row.env_cell for row in seen(walk).cells if isinstance(row.env_cell, EnvCell)]
    assert len(cells) > 1
    for cell in cells:
        for polygon in cell.structure.physics_polygons.values():
            placed = [tuple(round(c, 3) for c in cell.frame.to_global(v)) for v in polygon.vertices]
            assert drawn >= set(placed)
    sides = sum(len(p.vertices) for cell in cells for p in cell.structure.physics_polygons.values())
    assert sum(len(shape.lines) for shape in shapes) >= sides


def test_ground_shells_and_things_are_there_where_the_outside_is_seen():
    walk = walking(STREET)
    shapes = shapes_of(walk, "collision")
    block = walk.simulation.world.blocks[0xA9B40000]
    under = next(cell for cell in block.land_cells if cell.id == walk.simulation.body.cell.id)
    ground = corners_of(shapes, GROUND)
    assert ground >= {
        (round(x, 3), round(y, 3), round(z - GROUND_DROP, 3))
        for p in under.polygons
        for x, y, z in p.vertices
    }
    assert len(corners_of(shapes, SHELL)) > 30
    assert len(corners_of(shapes, SOLID)) > 50
    dungeon = shapes_of(walking("0x01070103 [70 58.5 -6]"), "collision")
    assert corners_of(dungeon, GROUND) == corners_of(dungeon, SHELL) == set()


def test_a_door_is_solid_while_it_is_shut_and_edges_alone_while_ethereal():
    for door, filled in ((False, True), (True, False)):
        walk = walking(MAIN_ROOM, door=door)
        target = walk.simulation.doors[FRONT_DOOR].target
        shapes = shapes_of(walk, "collision")
        own = set()
        for shape in target.family:
            place = target.position.frame.combine(shape.frame)
            own |= {tuple(round(c, 3) for c in p) for face in _faces_of(shape, place) for p in face}
        assert own
        assert (own <= corners_of(shapes, SOLID)) is filled
        edges = {tuple(round(c, 3) for c in a) for s in shapes for a, _, c in s.lines if c == PASSABLE}
        assert (own <= edges) is not filled


@pytest.mark.parametrize("kind", [ShapeType.SPHERE, ShapeType.CYLINDER])
def test_round_shapes_are_closed_and_face_outward(kind):
    shape = ShadowShape(kind, Frame((0.0, 0.0, 0.0)), scale=1.0, radius=0.5, cyl_height=2.0)
    faces = _faces_of(shape, Frame((3.0, 4.0, 5.0)))
    middle = (3.0, 4.0, 5.0 if kind is ShapeType.SPHERE else 6.0)
    volume = 0.0
    edges: dict[frozenset[tuple[float, ...]], int] = {}
    for face in faces:
        normal, _ = make_plane(face)
        at = [sum(c) / len(face) for c in zip(*face, strict=True)]
        assert sum(n * (a - m) for n, a, m in zip(normal, at, middle, strict=True)) > 0.0
        for k in range(1, len(face) - 1):
            volume += float(np.dot(np.array(face[0]) - middle, np.cross(
                np.array(face[k]) - middle, np.array(face[k + 1]) - middle))) / 6.0  # fmt: skip
        rounded = [tuple(round(c, 6) for c in p) for p in face]
        for k, p in enumerate(rounded):
            key = frozenset((rounded[k - 1], p))
            edges[key] = edges.get(key, 0) + 1
    assert set(edges.values()) == {2}
    whole = 4 / 3 * math.pi * 0.5**3 if kind is ShapeType.SPHERE else math.pi * 0.5**2 * 2.0
    assert 0.93 * whole < volume < whole


def near(rgb: np.ndarray, color: Rgba) -> np.ndarray:
    """Where a picture has the colour of a face, however it is lit; edges are darker."""
    lit = rgb / np.maximum(1.0, np.linalg.norm(rgb, axis=-1, keepdims=True))
    wanted = np.array(color[:3]) / np.linalg.norm(color[:3])
    return (np.abs(lit - wanted).max(axis=-1) < 0.02) & (rgb.max(axis=-1) > 80)


@pytest.mark.gl
@pytest.mark.parametrize(("door", "through"), [((), 0), (("--use", f"0x{FRONT_DOOR:08X}"), 3000)])
def test_the_picture_has_nothing_but_what_collides(tmp_path, door, through):
    # One sample a pixel: with several, a pixel on an edge is of neither colour but a mixture of both.
    words = ("--at", MAIN_ROOM, "--mode", "collision", "--samples", "1", *door)
    shown = picture(tmp_path / "a.png", *words)[30:]
    known = near(shown, CELL) | near(shown, GROUND) | near(shown, SHELL) | near(shown, SOLID)
    edges = near(shown, PASSABLE) | (shown.max(axis=-1) <= 110)
    backdrop = np.abs(shown - np.array([round(255 * c) for c in BACKDROP])).max(axis=-1) <= 1
    assert (known | edges | backdrop).mean() > 0.999
    assert known.mean() > 0.9
    assert near(shown, CELL).mean() > 0.3
    # Through the shut door nothing of the outside is seen.
    outside = int((near(shown, GROUND) | near(shown, SHELL)).sum())
    assert (outside > through) if through else outside == 0


@pytest.mark.gl
def test_what_is_nearer_hides_what_is_farther(tmp_path):
    """From the street the house's front hides its cells, and its colour is even."""
    shown = picture(tmp_path / "a.png", "--at", "0xA9B40032 [152 28 94]", "--look", "175,0",
                    "--mode", "collision")[30:]  # fmt: skip
    assert near(shown, SHELL).sum() > 4000
    assert near(shown, CELL).mean() < 0.02


@pytest.mark.parametrize("mode", ["collision", "shadows", "slopes", "physics-bsp"])
def test_of_very_many_polygons_some_are_shown_and_that_is_told(monkeypatch: pytest.MonkeyPatch, mode: str):
    """Ten thousand polygons on two hundred things, 200 kB, took 5 GB."""
    monkeypatch.setattr("engine.world.debug_shapes.MOST_LINES", 100)
    walk = walking(STREET)
    shapes = shapes_of(walk, mode)
    assert 100 <= sum(len(shape.lines) + len(shape.triangles) for shape in shapes) + 60 < 200
    assert any("not all are shown" in line for line in walk.simulation.world.problems.lines)
