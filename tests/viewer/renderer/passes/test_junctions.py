"""Corners on the edges of others are closed, within a cell and between cells (passes 3.3, B41)."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.viewer.renderer.flat_shapes import flipped, floor_at, quad
from tests.viewer.renderer.memory_source import BLOCK
from tests.viewer.renderer.render_stage import Stage, context, library_of
from tests.viewer.renderer.scene_builder import SceneBuilder
from viewer.renderer.images.textures import TextureStore
from viewer.renderer.scene.junctions import Junctions
from viewer.renderer.scene.mesh_library import MeshLibrary

UP = (0.0, 0.0, 1.0)


def ring(*points):
    return tuple(((x, y, z), UP, (x, y)) for x, y, z in points)


def area(corners) -> float:
    p = np.array([c[0] for c in corners]).reshape(-1, 3, 3)
    return float(np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])[:, 2].sum() / 2)


def test_a_triangle_without_junctions_stays_one():
    triangle = ring((0, 0, 0), (1, 0, 0), (0, 1, 0))
    assert Junctions([triangle]).split(triangle) == list(triangle)


def test_a_corner_on_an_edge_cuts_the_triangle():
    triangle = ring((0, 0, 0), (2, 0, 0), (0, 2, 0))
    below = ring((0, 0, 0), (0.5, -1, 0), (0.5, 0, 0))
    out = Junctions([triangle, below]).split(triangle)
    assert len(out) == 4 * 3
    assert area(out) == pytest.approx(2.0)
    assert (0.5, 0.0, 0.0) in [c[0] for c in out]
    assert all(c[2] == pytest.approx(c[0][:2]) for c in out)  # the texture stays where it was


@settings(max_examples=50, derandomize=True, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.floats(0.05, 0.95)), max_size=6))
def test_cut_triangles_cover_the_same_area_with_the_same_mapping(cuts):
    points = [(0.0, 0.0, 0.0), (3.0, 0.5, 0.0), (1.0, 4.0, 0.0)]
    on = []
    for edge, t in cuts:
        a, b = np.array(points[edge]), np.array(points[(edge + 1) % 3])
        on.append(a + (b - a) * t)
    triangle = ring(*points)
    extra = np.array(on).reshape(-1, 3)
    out = Junctions([triangle]).with_points(extra).split(triangle)
    assert area(out) == pytest.approx(area(triangle))
    parts = np.array([c[0] for c in out]).reshape(-1, 3, 3)
    turns = np.cross(parts[:, 1] - parts[:, 0], parts[:, 2] - parts[:, 0])[:, 2]
    assert (turns > 0).all()
    assert all(c[2] == pytest.approx(c[0][:2], abs=1e-6) for c in out)


def two_halls(parts: int) -> SceneBuilder:
    """A low hall before a wide one; the far hall's walls are cut where the near one's are whole."""
    scene = SceneBuilder()
    door = quad(2.0, -1.0, 1.0, z0=-1.0, z1=1.0)

    def tube(y0: float, y1: float, n: int, suffix: str):
        out = []
        xs = np.linspace(-1.0, 1.0, n + 1)
        for a, b in itertools.pairwise(xs):
            a, b = float(a), float(b)
            out.append((floor_at(-1, a, b, y0=y0, y1=y1), "floor" + suffix))
            out.append((flipped(floor_at(1, a, b, y0=y0, y1=y1)), "ceiling" + suffix))
            for x, turned in ((-1.0, False), (1.0, True)):
                wall = [(x, y0, a), (x, y1, a), (x, y1, b), (x, y0, b)]
                out.append((flipped(wall) if turned else wall, "wall" + suffix))
        return out

    near = [*tube(-2, 2, 1, ""), (flipped(quad(-2.0, -1, 1, z0=-1, z1=1)), "wall")]
    far = [*tube(2, 6, parts, "2"), (quad(6.0, -1, 1, z0=-1, z1=1), "wall2")]
    scene.cell(0x100, near, [(door, 0, 0x101, 0)], exact=True, visible=[0x101])
    return scene.cell(0x101, far, [(door, 1, 0x100, 0)], exact=True, visible=[0x100])


@pytest.mark.gl
def test_edges_are_cut_where_a_neighbours_corners_lie_on_them(monkeypatch):
    ctx = context()
    world = two_halls(7).world()
    library = library_of(world, TextureStore(ctx))
    cell, other = (world.env_cell(BLOCK | low) for low in (0x100, 0x101))
    in_plane = library.corners(other)
    in_plane = in_plane[np.abs(in_plane[:, 1] - 2.0) < 1e-6]
    alone = sum(len(c.corners) for c in library.cell(cell))
    together = sum(len(c.corners) for c in library.cell(cell, in_plane))
    assert together > alone
    places = np.concatenate([c.vertices["position"] for c in library.cell(cell, in_plane)])
    for p in in_plane:
        assert np.abs(places - p).sum(axis=1).min() < 1e-6
    ctx.release()


@pytest.mark.gl
def test_no_pixel_shows_between_cells_whose_walls_are_cut_differently(monkeypatch):
    ctx = context()
    holes = {}
    for closed in (True, False):
        if not closed:
            monkeypatch.setattr(MeshLibrary, "cell", _open_cell)
        stage = Stage(ctx, two_halls(7))
        random = np.random.default_rng(41)
        total = 0
        for _ in range(250):
            eye = tuple(float(v) for v in random.uniform((-0.7, -1.5, -0.7), (0.7, 1.7, 0.7)))
            picture = stage.seen(0x100, eye, float(random.uniform(-70, 70)), float(random.uniform(-50, 50)))
            stage.draw(picture, check_stencil=False)
            total += stage.renderer.stats.sentinel
        holes[closed] = total
    assert holes[True] == 0
    assert holes[False] > 0
    ctx.release()


_CELL = MeshLibrary.cell


def _open_cell(self, cell, beyond=None):
    return _CELL(self, cell)


def test_corners_along_one_line_are_each_looked_at_once_and_no_more_than_so_many(monkeypatch):
    """Eight hundred on a line took a minute: each edge has all, and each was sorted in."""
    line = [ring((k / 10, 0, 0), (k / 10 + 0.1, 0, 0), (k / 10, 1, 0)) for k in range(30)]
    whole = ring((0, 0, 0), (3, 0, 0), (0, -2, 0))
    assert len(Junctions([*line, whole]).split(whole)) == 3 * (3 + 29)
    for name in ("_AT_ONCE", "_MOST_FOUND"):
        monkeypatch.setattr(f"viewer.renderer.scene.junctions.{name}", 8)
    few = Junctions([*line, whole]).split(whole)
    assert len(few) == 3 * (3 + 8)
    assert abs(area(few)) == pytest.approx(3.0)
    monkeypatch.setattr("viewer.renderer.scene.junctions._MOST_PAIRS", 8)
    assert Junctions([*line, whole]).split(whole) == list(whole)


def test_what_is_found_in_parts_is_what_is_found_at_once(monkeypatch):
    steps = [
        ring((k % 7, k // 7, 0), (k % 7 + 1, k // 7, 0), (k % 7 + 0.5, k // 7 + 1, 0)) for k in range(40)
    ]
    at_once = [Junctions(steps).split(step) for step in steps]
    monkeypatch.setattr("viewer.renderer.scene.junctions._AT_ONCE", 100)
    assert [Junctions(steps).split(step) for step in steps] == at_once
    assert any(len(corners) > 3 for corners in at_once)
