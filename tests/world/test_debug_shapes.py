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
from engine.world.debug_shapes import (
    DebugShapes,
    cell_tree_shapes,
    drawing_tree_shapes,
    physics_tree_shapes,
    plane_polygon,
)
from engine.world.loading.world import World
from engine.world.location import parse_location
from engine.world.sources.open_source import open_source
from tests.places import DEMO
from viewer.picture.eye_line import eye_line, see

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
