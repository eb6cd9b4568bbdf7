"""Shapes that explain trees: what they outline is what the trees hold."""

from __future__ import annotations

from functools import cache

import pytest

from engine.physics.simulation.body_shapes import (
    OTHER_FAMILY,
    PASSABLE,
    SOLID,
    WALKABLE,
    body_shapes,
    shadow_shapes,
)
from engine.physics.simulation.simulation import Simulation
from engine.visibility.camera import Camera
from engine.visibility.openings import OpeningIndex
from engine.visibility.region_shapes import pyramid_shapes
from engine.world.bsp import BspNode, CellTree, leaf_node
from engine.world.cells import CellStructure, EnvCell
from engine.world.debug_shapes import (
    NOT_ALL,
    SPLIT_ALPHA,
    DebugShapes,
    _tree_faces,
    cell_tree_faces,
    cell_tree_shapes,
    drawing_tree_shapes,
    physics_tree_shapes,
    plane_polygon,
)
from engine.world.frame import Frame
from engine.world.loading.world import World
from engine.world.location import parse_location
from engine.world.polygon import Polygon
from engine.world.sources.open_source import open_source
from tests.calls import calls_of
from tests.places import DEMO
from tests.world.many_planes import sphere
from viewer.picture.eye_line import eye_line, see
from viewer.picture.shape_gatherer import ShapeGatherer
from viewer.renderer.render_options import RenderOptions
from viewer.tables.modes import with_modes

CELL = 0xA9B40171
DOOR = 0x7A9B4015


@cache
def simulation() -> Simulation:
    made = Simulation(World(open_source(demo=DEMO)))
    made.teleport(parse_location("0xA9B40171 [155.4 12.6 94] 1 0 0 0").position)
    return made


def ends(shapes: DebugShapes) -> set[tuple[float, float, float]]:
    return {(round(x, 3), round(y, 3), round(z, 3)) for a, b, _ in shapes.lines for x, y, z in (a, b)}


def test_a_plane_is_cut_to_what_others_leave_of_it():
    top = (0.0, 0.0, -1.0, 2.0)
    sides = [(1.0, 0.0, 0.0, 1.0), (-1.0, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0, 1.0), (0.0, -1.0, 0.0, 1.0)]
    face = plane_polygon(top, sides)
    assert sorted(tuple(round(c, 9) for c in p) for p in face) == [
        (-1.0, -1.0, 2.0), (-1.0, 1.0, 2.0), (1.0, -1.0, 2.0), (1.0, 1.0, 2.0),
    ]  # fmt: skip
    assert plane_polygon(top, [(0.0, 0.0, -1.0, 1.0)]) == []
    assert plane_polygon((0.0, 0.0, 0.0, 1.0), sides) == []


def bounded_by(planes):
    """A cell of no polygons whose containment tree has planes."""
    structure = CellStructure(
        environment_id=1,
        structure=0,
        polygons={},
        physics_polygons={},
        physics_root=None,
        cell_tree=CellTree(planes),
    )
    return EnvCell(CELL, Frame((0.0, 0.0, 0.0)), structure, [], stab_list=(), seen_outside=False)


def chained(planes):
    """A physics tree of planes, each before the one above it."""
    root = leaf_node([SQUARE], (0.0, 0.0, 0.0), 20.0)
    for number, (nx, ny, nz, d) in enumerate(reversed(planes)):
        root = BspNode(
            (nx, ny, nz), d, root, leaf_node([], (0.0, 0.0, 0.0), 20.0), center=(0.0, 0.0, 0.0), radius=20.0,
            polygons=[], is_leaf=False, solid=False, index=number,
        )  # fmt: skip
    return root


SQUARE = Polygon(0, [(-9.0, -9.0, -9.0), (9.0, -9.0, 9.0), (9.0, 9.0, 9.0), (-9.0, 9.0, -9.0)])


def physics_tree(planes):
    shapes = DebugShapes(CELL)
    physics_tree_shapes(shapes, chained(planes), Frame((0.0, 0.0, 0.0)), CELL)
    return shapes


@pytest.mark.parametrize("made", [lambda planes: cell_tree_faces(bounded_by(planes)), physics_tree])
def test_the_planes_of_a_tree_are_not_each_cut_by_all(made):
    """Of four thousand a picture took a minute."""
    few, many = sphere(80), sphere(160)
    assert calls_of(lambda: made(many)) < 3 * calls_of(lambda: made(few))


def test_the_splits_of_a_physics_tree_are_cut_by_its_box_and_the_planes_above():
    planes = sphere(90)
    box = [
        (1.0, 0.0, 0.0, 9.0), (-1.0, 0.0, 0.0, 9.0), (0.0, 1.0, 0.0, 9.0), (0.0, -1.0, 0.0, 9.0),
        (0.0, 0.0, 1.0, 9.0), (0.0, 0.0, -1.0, 9.0),
    ]  # fmt: skip
    drawn = DebugShapes(CELL)
    for number, plane in enumerate(planes):
        drawn.outline(plane_polygon(plane, box + planes[:number]), (1.0, 1.0, 1.0, SPLIT_ALPHA))
    assert [
        line for line in physics_tree(planes).lines if line[2] == (1.0, 1.0, 1.0, SPLIT_ALPHA)
    ] == drawn.lines


@pytest.fixture
def little(monkeypatch):
    """So little cutting that no tree is shown whole."""
    monkeypatch.setattr("engine.world.debug_shapes.MOST_CUTTING", 30)
    _tree_faces.cache_clear()
    yield
    _tree_faces.cache_clear()


@pytest.mark.usefixtures("little")
def test_a_tree_of_more_planes_than_are_cut_says_so():
    shapes = DebugShapes(CELL)
    cell_tree_shapes(shapes, bounded_by(sphere(20)), (1.0, 1.0, 1.0, 1.0))
    for found in (shapes, physics_tree(sphere(20))):
        assert found.cut_short
        assert [text for _, text, _ in found.labels] == [f"0171: {NOT_ALL}"]
    assert {p for line in physics_tree(sphere(20)).lines for p in line[:2]} >= set(SQUARE.vertices)


@pytest.mark.usefixtures("little")
def test_trees_that_are_not_shown_whole_are_told_once():
    world = simulation().world
    line = eye_line(world, OpeningIndex(), simulation().body, drawn=simulation().drawn(), camera=Camera(0.0))
    picture = see(world, OpeningIndex(), CELL, line, look=(0.0, 0.0), size=(320, 180))
    gatherer, before = ShapeGatherer(simulation()), world.problems.mark()
    for _ in range(2):
        gatherer.gather(picture, with_modes(RenderOptions(plain=True), ("cell-bsp",)))
    told = [problem for problem in world.problems.since(before) if f"cell-bsp: {NOT_ALL}" in problem]
    assert len(told) == len({row.cell for row in picture.cells})
    assert f"object 0x{CELL:08X}: " in told[0]


def test_a_cell_tree_is_the_hull_of_the_cells_corners():
    cell = simulation().world.env_cell(CELL)
    shapes = DebugShapes(CELL)
    cell_tree_shapes(shapes, cell, (1.0, 1.0, 1.0, 1.0))
    corners = [cell.frame.to_global(v) for p in cell.structure.polygons.values() for v in p.vertices]
    for axis in range(3):
        for pick in (min, max):
            drawn = pick(p[axis] for p in ends(shapes))
            assert drawn == pytest.approx(pick(c[axis] for c in corners), abs=2e-3)


def test_a_physics_tree_shows_every_polygon_of_its_leaves_once():
    cell = simulation().world.env_cell(CELL)
    shapes = DebugShapes(CELL)
    physics_tree_shapes(shapes, cell.structure.physics_root, cell.frame, CELL)
    corners = {
        tuple(round(c, 3) for c in cell.frame.to_global(v))
        for p in cell.structure.physics_polygons.values()
        for v in p.vertices
    }
    assert corners <= ends(shapes)


def test_a_drawing_tree_shows_its_openings_in_cyan():
    world = simulation().world
    building = next(b for b in world.blocks[CELL & 0xFFFF0000].buildings if b.portals)
    record = world.source.gfx_obj(building.shell_gfxobj or world.model(building.model_id).parts[0].gfxobj_id)
    places = {v.key: v.pos for v in record.vertex_array.vertices}
    polygons = {p.key: [places[i] for i in p.vertex_ids] for p in record.polygons}
    shapes = DebugShapes(CELL)
    drawing_tree_shapes(shapes, record.drawing_bsp, polygons, building.pos.frame, cell_id=CELL)
    cyan = [line for line in shapes.lines if line[2] == (0.2, 0.9, 1.0, 1.0)]
    assert len(cyan) == sum(len(p.polygon.vertices) for p in building.portals)


def test_a_doors_shapes_change_colour_with_its_state():
    made = simulation()
    target = made.registry.get(DOOR)
    colors = set()
    for state in (target.state, target.state | 0x4):
        before = target.state
        made.set_state(DOOR, state)
        shapes = DebugShapes(CELL)
        shadow_shapes(shapes, [target])
        made.set_state(DOOR, before)
        colors |= {line[2] for line in shapes.lines}
    assert colors == {SOLID, PASSABLE, OTHER_FAMILY}


def test_the_body_stands_on_its_contact_plane():
    made = simulation()
    shapes = DebugShapes(CELL)
    body_shapes(shapes, made.body, (0.0, 1.0, 0.0))
    plane = [p for a, b, color in shapes.lines if color == WALKABLE for p in (a, b)]
    feet = made.position.frame.origin
    assert min(p[2] for p in plane) == pytest.approx(feet[2], abs=0.03)
    assert shapes.triangles
    # Given in another block's frame the same shapes lie a block away.
    other = DebugShapes(0xA8B40001)
    body_shapes(other, made.body)
    assert other.lines[0][0][0] == pytest.approx(shapes.lines[0][0][0] + 192.0)


def test_a_pyramid_stands_on_every_region():
    made = simulation()
    index = OpeningIndex()
    line = eye_line(made.world, index, made.body, drawn=made.drawn(), camera=Camera(0.0))
    picture = see(made.world, index, CELL, line, look=(0.0, 0.0), size=(320, 180))
    shapes = pyramid_shapes(picture)
    corners = sum(len(r.points) for c in picture.cells if c.distance > 0 for r in c.regions)
    assert len(shapes.lines) == 2 * (corners + 4)
    assert all(a == picture.view.eye for a, _, _ in shapes.lines[:4])
