"""Passes 10: each of the 41 bugs of the catalogue has its test here or by name elsewhere.

Most rows are conformance cases and stand with them; a row's tests are named and must exist. Rows that no
case stages by itself are staged below.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from engine.physics.simulation.simulation import Simulation
from engine.visibility.camera import Camera
from engine.visibility.flood_rules import FloodRules, WorkingSet
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import PictureView, ViewOptions
from engine.world.loading.world import World
from engine.world.location import parse_location
from engine.world.sources.open_source import open_source
from engine.world.sources.places_file import read_places
from tests.places import DEMO
from tests.viewer.renderer.flat_shapes import COLORS, quad, room
from tests.viewer.renderer.memory_source import BLOCK, OUTDOORS
from tests.viewer.renderer.reading import count, window
from tests.viewer.renderer.render_scenes import DOOR, entity, room_a
from tests.viewer.renderer.render_stage import Stage
from tests.viewer.renderer.scene_builder import SceneBuilder
from viewer.picture.eye_line import eye_line, see

TESTS = Path(__file__).resolve().parents[2]

CARRY = "visibility/carry/test_carry.py"
PVIEW = "visibility/test_pview_cases.py"
MANY_WAYS = "visibility/test_many_ways_in.py"
CAMERA = "viewer/picture/test_camera_cases.py"
INSIDE = "viewer/renderer/passes/test_interior_images.py"
TRANSLUCENT = "viewer/renderer/passes/test_translucent_images.py"
OUTSIDE = "viewer/renderer/passes/test_outdoor_images.py"
MATERIALS = "viewer/renderer/scene/test_materials.py"
TERRAIN = "viewer/renderer/scene/test_terrain_and_light.py"
HERE = "viewer/verify/test_bug_catalogue.py"
DOORWAYS = "viewer/renderer/passes/test_doorways.py"
EVERYWHERE = "viewer/renderer/passes/test_every_pixel.py"
EXITS = "viewer/renderer/passes/test_landscape_begins_at_exits.py"

# Row: what one would see, and the tests that would go red.
CATALOGUE: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "B1": ("strobe at doorways", ((CARRY, "K1"), (CARRY, "K2"), (CAMERA, "K2"))),
    "B2": ("clear colour in a doorway", ((INSIDE, "I1"), (INSIDE, "I2"), (INSIDE, "I23"))),
    "B3": ("terrain in cellars and rooms", ((INSIDE, "I3"), (INSIDE, "I28"))),
    "B4": ("exterior hidden although a door is in view", ((INSIDE, "I4"), (INSIDE, "I28"), (EXITS, "B4"))),
    "B5": ("missing ceiling up a stair", ((CARRY, "K5"), (PVIEW, "V20"))),
    "B6": ("phantom stairs and walls", ((MATERIALS, "M1"),)),
    "B7": ("invisible stairs", ((MATERIALS, "M2"),)),
    "B8": ("exponential slow-down", ((MANY_WAYS, "V19"), (INSIDE, "I21"))),
    "B9": ("cells lost that two doors show", ((MANY_WAYS, "V8"), (MANY_WAYS, "V16"), (MANY_WAYS, "V21"))),
    "B10": ("drift of near-duplicate regions", ((MANY_WAYS, "V18"),)),
    "B11": ("a room flashes off in its door", ((PVIEW, "V11"), (PVIEW, "V11b"))),
    "B12": ("a sliver at the screen's edge near doors", ((OUTSIDE, "I9"),)),
    "B13": ("neighbour missing near a door", ((PVIEW, "V12"),)),
    "B14": ("interiors through house walls", ((OUTSIDE, "I6"), (OUTSIDE, "I7"), (OUTSIDE, "I11"))),
    "B15": ("a hole into nothing in a house wall", (("visibility/test_look_in.py", "V24"),)),
    "B16": ("an interior hanging in the air", ((OUTSIDE, "I12"),)),
    "B17": ("transparent ground about houses", ((OUTSIDE, "I13"),)),
    "B18": ("grass through a wall at junctions", ((PVIEW, "V22"),)),
    "B19": ("cells and objects pop", (("visibility/test_look_in.py", "V25"),)),
    "B20": ("regions leak in corners", ((INSIDE, "I5"),)),
    "B21": ("an interior through a closed door", ((OUTSIDE, "I8"),)),
    "B22": ("an NPC cut in half in a doorway", ((OUTSIDE, "I10"),)),
    "B23": ("floors that fight at thresholds", ((INSIDE, "I4"), (TERRAIN, "T1"))),
    "B24": ("a door leaf that fights the seal", ((OUTSIDE, "I8"), (HERE, "B24"), (DOORWAYS, "B24"))),
    "B25": ("the camera outside the cell", ((CAMERA, "K6"),)),
    "B26": ("jitter at rest against a wall", (("visibility/test_camera.py", "K4"), (CAMERA, "K4"))),
    "B27": ("sun and fog in rooms", ((INSIDE, "I14"),)),
    "B28": ("ambient pulses in a doorway", ((OUTSIDE, "I15"),)),
    "B29": ("torn ground", ((TERRAIN, "T1"),)),
    "B30": (
        "wrong rotations at coasts and roads",
        (
            ("world/loading/test_texmerge.py", "T2"),
            ("world/loading/test_texmerge.py", "T3"),
            ("world/loading/test_texmerge.py", "T4"),
        ),
    ),
    "B31": ("mirrored textures", ((MATERIALS, "M4"),)),
    "B32": ("back faces through walls", ((MATERIALS, "M3"),)),
    "B33": ("pieces missing on some GPUs", ((TERRAIN, "I0"), (OUTSIDE, "I24"))),
    "B34": ("no depth in the whole frame", ((TERRAIN, "I0"),)),
    "B35": ("far towns jitter", ((OUTSIDE, "K7"),)),
    "B36": ("a cell that the stab list hides", ((HERE, "B36"),)),
    "B37": ("the old room after a teleport", ((CAMERA, "K8"),)),
    "B38": ("dungeons seen outdoors", ((OUTSIDE, "I16"),)),
    "B39": ("a window blended twice", ((TRANSLUCENT, "I25"), (HERE, "B39"), (DOORWAYS, "B39"))),
    "B40": ("a look into one's own house from inside", ((INSIDE, "I17"),)),
    "B41": (
        "cracks along door frames",
        ((INSIDE, "I22"), (EVERYWHERE, "every")),
    ),
}


@cache
def names_in(place: str) -> tuple[str, ...]:
    """The names of the tests of a file, or of all files of a folder."""
    path = TESTS / place
    files = sorted(path.glob("test_*.py")) if path.is_dir() else [path]
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in files]
    return tuple(
        node.name
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    )


def test_the_catalogue_is_whole():
    assert list(CATALOGUE) == [f"B{k}" for k in range(1, 42)]


def test_every_row_has_its_tests():
    without = [
        f"{row} ({fault}): {place} has no test of {case}"
        for row, (fault, tests) in CATALOGUE.items()
        for place, case in tests
        if not any(case in name.split("_") for name in names_in(place))
    ]
    assert not without, "\n".join(without)


@pytest.mark.gl
@pytest.mark.parametrize("angle", [0.0, 17.0, -31.0])
def test_B24_a_leaf_in_the_plane_of_an_exit_wins_over_the_seal(ctx, angle):
    """Seen from inside: the leaf is where the seal is, and every pixel of it shows."""
    scene = room_a()
    leaf = scene.gfx_obj([(DOOR, "leaf")])
    stage = Stage(ctx, scene)
    there = entity(leaf, OUTDOORS, BLOCK | 0x100)
    open_door = stage.checked(0x100, yaw=angle)
    closed = stage.checked(0x100, yaw=angle, objects=there)
    landscape = int(((open_door != stage.checked(0x100, yaw=angle, terrain=False)).any(axis=-1)).sum())
    assert count(closed, "leaf") > 2000
    assert landscape > 500
    assert count(closed, (40, 160, 40), (120, 170, 255)) == 0


@pytest.mark.gl
def test_B39_a_pane_that_reaches_into_two_cells_is_blended_once(ctx):
    """Its cells' regions lie in one another on the screen; it is drawn in their union."""
    scene = SceneBuilder()
    both = [0x100, 0x101]
    pane = scene.gfx_obj([(quad(2.0, -0.3, 0.3, z0=-0.3, z1=0.3), "leaf")], flags=2 | 0x10, translucency=0.5)
    front = room(-2, 2, -2, 2, z0=-1.5, z1=1.5, front=DOOR)
    scene.cell(0x100, front, [(DOOR, 0, 0x101, 0)], exact=True, visible=both, statics=[pane])
    back = room(-2, 2, 2, 6, z0=-1.5, z1=1.5, back=DOOR, suffix="2")
    scene.cell(0x101, back, [(DOOR, 1, 0x100, 0)], exact=True, visible=both)
    stage = Stage(ctx, scene)
    once = tuple((a + b) // 2 for a, b in zip(COLORS["leaf"], COLORS["wall2"], strict=True))
    assert count(window(stage.checked(0x100)), once) == pytest.approx(900, abs=60)
    second = entity(pane, BLOCK | 0x100, BLOCK | 0x101)
    twice = stage.checked(0x100, objects=second)  # as an entity in both cells
    assert count(window(twice), once) == 0
    quarter = tuple((a + b) // 2 for a, b in zip(COLORS["leaf"], once, strict=True))
    assert count(window(twice), quarter) == pytest.approx(900, abs=60)


def test_B36_the_stab_lists_hide_nothing_in_the_demo():
    """Compare mode: from every place and at four angles the list is the same without stab lists."""
    simulation = Simulation(World(open_source(demo=DEMO)))
    places = read_places(DEMO)
    seen = 0
    for place in places.values():
        simulation.teleport(parse_location(place).position)
        for yaw in (0.0, 90.0, 180.0, 270.0):
            stab, resident = (
                _picture(simulation, yaw, rules) for rules in (WorkingSet.STAB, WorkingSet.RESIDENT)
            )
            assert [c.cell for c in stab.cells] == [c.cell for c in resident.cells], place
            seen += len(stab.cells)
    assert seen > 300


def _picture(simulation: Simulation, yaw: float, working_set: WorkingSet) -> PictureView:
    index = OpeningIndex()
    line = eye_line(simulation.world, index, simulation.body, drawn=simulation.drawn(), camera=Camera(yaw))
    options = ViewOptions(FloodRules(working_set=working_set))
    cell_id = simulation.position.cell_id
    return see(simulation.world, index, cell_id, line, look=(yaw, 0.0), size=(320, 180), options=options)
