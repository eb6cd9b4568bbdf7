"""The audit's work grows with the cells and not with their square, and finds what asking every cell finds."""

from __future__ import annotations

import cProfile
import math
import pstats
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.collision.cell_tree import point_inside_cell_bsp
from engine.dat.pieces.build_trees import build_cell_tree, build_drawing_tree, one_leaf_tree
from engine.dat.records.env_cell import CellPortal
from engine.dat.records.environment import CellStruct, Environment
from engine.replay.audit.auditing import audit_block
from engine.replay.audit.box_tree import BoxTree
from engine.replay.audit.finding import BAD_TREE, CONCAVE
from engine.replay.audit.flips import BOX_SLACK, REACH, STEPS, holders_of
from engine.replay.audit.overlaps import MOST_CUTTING, OVERLAP_DEPTH, common_point, overlap_findings
from engine.replay.audit.portals import portal_findings
from engine.replay.audit.shape import CellShape, box_of, boxes_meet, depth_inside, spread
from engine.replay.audit.volumes import shape_findings
from engine.world.frame import Frame
from engine.world.loading.world import World
from engine.world.plane_cuts import Cutting
from engine.world.sources.open_source import open_source
from scripts import make_world
from tests.world.world_records import BLOCK, MemorySource, mesh, positions
from tests.world.world_records import cell as record

SMALL, LARGE = 64, 256


def made(folder: Path, count: int) -> World:
    """A dungeon of so many cells, alone in its world."""
    make_world.main([str(folder), "--size", "1x1", "--dungeons", "1", "--cells", f"{count}-{count}"])
    return World(open_source(dats=folder))


def calls(world: World) -> int:
    """How many calls an audit takes, of all functions; the structures were looked at before."""
    audit_block(world, 0)
    profile = cProfile.Profile()
    profile.runcall(audit_block, world, 0)
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]


def test_four_times_the_cells_take_four_times_the_work(tmp_path: Path) -> None:
    small, large = calls(made(tmp_path / "a", SMALL)), calls(made(tmp_path / "b", LARGE))
    assert large < 1.25 * (LARGE / SMALL) * small


def round_room(count: int) -> World:
    """A room of so many sides, a portal in each to a little room of its own."""

    def rim(i: int, far: float, z: float) -> tuple[float, float, float]:
        angle = 2.0 * math.pi * i / count
        return far * math.cos(angle), far * math.sin(angle), z

    sides = [[rim(i + 1, 10, 0), rim(i, 10, 0), rim(i, 10, 3), rim(i + 1, 10, 3)] for i in range(count)]
    floors = [[(0, 0, 0), rim(i, 10, 0), rim(i + 1, 10, 0)] for i in range(count)]
    ceilings = [[(0, 0, 3), rim(i + 1, 10, 3), rim(i, 10, 3)] for i in range(count)]
    environments = [of_faces(1, [*sides, *floors, *ceilings], tuple(range(count)))]
    little = tuple(range(0x101, 0x101 + count))
    doors = tuple(CellPortal(3, i, 0x101 + i, 0) for i in range(count))
    cells = [record(0x100, doors, little, (60.0, 60.0, 94.0), environment=1)]
    for i in range(count):
        low = [rim(i, 10, 0), rim(i, 13, 0), rim(i + 1, 13, 0), rim(i + 1, 10, 0)]
        high = [(x, y, 3.0) for x, y, _ in low]
        walls = [[low[j], low[j - 1], high[j - 1], high[j]] for j in range(4)]
        environments.append(of_faces(2 + i, [low, high[::-1], *walls], (2,)))
        cells.append(
            record(0x101 + i, (CellPortal(3, 2, 0x100, i),), (0x100,), (60.0, 60.0, 94.0), environment=2 + i)
        )
    return World(MemorySource(cells, environments))


def of_faces(environment: int, faces: list[list[tuple[float, float, float]]], openings: tuple[int, ...]):  # type: ignore[no-untyped-def]
    polygons, array = mesh(faces)
    at = positions(array)
    walls = tuple(p for p in polygons if p.key not in openings)
    structure = CellStruct(
        key=0,
        vertex_array=array,
        polygons=polygons,
        portals=openings,
        cell_bsp=build_cell_tree(polygons, at).root,
        physics_polygons=walls,
        physics_bsp=one_leaf_tree(walls, at),
        drawing_bsp=build_drawing_tree(walls, at),
    )
    return Environment(0x0D000000 | environment, (structure,))


def test_four_times_the_portals_of_a_room_take_less_than_the_square_of_the_work() -> None:
    taken = []
    for count in (20, 80):
        world = round_room(count)
        assert audit_block(world, BLOCK).counts == {}
        profile = cProfile.Profile()
        profile.runcall(audit_block, world, BLOCK)
        taken.append(int(pstats.Stats(profile).total_calls))  # type: ignore[attr-defined]
    assert taken[1] < 12 * taken[0]


class Walked(list):  # type: ignore[type-arg]
    """A list that counts how often all of it is gone through."""

    walks = 0

    def __iter__(self):  # type: ignore[no-untyped-def]
        self.walks += 1
        return super().__iter__()


def test_a_cells_portals_are_not_gone_through_for_each_that_leads_to_it() -> None:
    """Ten thousand from a cell to itself took minutes."""
    block = round_room(40).load_block(BLOCK)
    assert block is not None
    shape = CellShape(block.env_cells[BLOCK | 0x100])
    for portal in shape.cell.portals:
        portal.other_cell_id = shape.id
    portals = shape.cell.portals = Walked(shape.cell.portals)
    found = list(portal_findings({shape.id: shape}))
    assert found
    assert portals.walks <= 3


coordinate = st.integers(-20, 20).map(lambda n: n / 4)
corner = st.tuples(coordinate, coordinate, coordinate)
boxes = st.tuples(corner, corner).map(box_of)


@settings(deadline=None)
@given(st.lists(boxes, max_size=40), boxes, st.sampled_from((-0.5, 0.0, 0.25)))
def test_the_tree_of_boxes_finds_those_that_come_near(all_boxes, box, slack):  # type: ignore[no-untyped-def]
    expected = [n for n, other in enumerate(all_boxes) if boxes_meet(box, other, slack)]
    assert BoxTree(all_boxes).near(box, slack) == expected


def test_a_box_without_a_place_meets_nothing_and_hides_nothing() -> None:
    whole, none = ((0.0, 0.0, 0.0), (1.0, 1.0, 1.0)), ((float("nan"),) * 3,) * 2
    tree = BoxTree([none, whole, none, whole])  # type: ignore[list-item]
    assert tree.near(whole, 0.0) == [1, 3]
    assert BoxTree([]).near(whole, 0.0) == []


@pytest.fixture(scope="module")
def shaken(tmp_path_factory: pytest.TempPathFactory) -> dict[int, CellShape]:
    """The shapes of a dungeon whose cells were pushed and turned about, some by very little."""
    world = made(tmp_path_factory.mktemp("shaken"), 90)
    block = world.load_block(0)
    assert block is not None
    random = Random(7)
    out = {}
    for cell_id, cell in block.env_cells.items():
        far = random.choice((0.0, 0.0, 0.004, 0.02, 1.0, 12.0))
        x, y, z = (c + random.uniform(-far, far) for c in cell.frame.origin)
        quat = random.choice((cell.frame.quat, (0.999, 0.01, 0.0, 0.0), (0.7, 0.0, 0.1, 0.7)))
        moved = type(cell)(
            cell.id,
            Frame((x, y, z), quat),
            cell.structure,
            cell.portals,
            stab_list=cell.stab_list,
            seen_outside=False,
        )
        out[cell_id] = CellShape(moved)
    return out


def test_holders_are_those_that_asking_every_cell_finds(shaken: dict[int, CellShape]) -> None:
    tree = BoxTree([shape.box for shape in shaken.values()])
    cells = list(shaken.values())
    several = 0
    for shape in cells:
        for portal in shape.cell.portals:
            polygon = shape.portal_polygon(portal.index)
            near = [cells[n] for n in tree.near(box_of(polygon.vertices), REACH)]
            for spot in spread(polygon.vertices):
                for step in STEPS:
                    p = tuple(c + step * n for c, n in zip(spot, polygon.normal, strict=True))
                    asked = [
                        other.id
                        for other in cells
                        if boxes_meet(other.box, (p, p), BOX_SLACK)
                        and point_inside_cell_bsp(other.cell.block_planes, *p)
                    ]
                    several += len(asked) > 1
                    assert holders_of(p, near) == asked  # type: ignore[arg-type]
    assert several > 50


def test_overlaps_are_those_of_all_pairs(shaken: dict[int, CellShape]) -> None:
    shapes = sorted(shaken.values(), key=lambda s: s.box[0][0])
    pairs = []
    for i, a in enumerate(shapes):
        pairs += [
            sorted((a.id, b.id))
            for b in shapes[i + 1 :]
            if boxes_meet(a.box, b.box, -2.0 * OVERLAP_DEPTH)
            and common_point(a, b, Cutting(MOST_CUTTING))[1] > OVERLAP_DEPTH
        ]
    found = [finding.text for finding in overlap_findings(shaken)]
    assert len(found) == len(pairs) > 20
    for text, (a, b) in zip(found, pairs, strict=True):
        assert text.startswith(f"0x{a:08X} and 0x{b:08X} both hold")


def test_what_a_structure_says_of_itself_hides_no_fault_of_a_cell(shaken: dict[int, CellShape]) -> None:
    """Orientations that are off unit length distort a cell: it is measured where it stands."""
    crossed = left_out = 0
    for shape in shaken.values():
        kinds = {finding.kind for finding in shape_findings({shape.id: shape})}
        frame = shape.cell.frame
        worst = 0.0
        for polygon in shape.cell.structure.polygons.values():
            sides = [polygon.distance(frame.to_local(corner)) for corner in shape.corners]
            worst = max(worst, min(-min(sides), max(sides)))
        out = -min(depth_inside(shape.planes, corner) for corner in shape.corners)
        assert (CONCAVE in kinds, BAD_TREE in kinds) == (worst > 0.01, out > 0.01)
        crossed += worst > 0.01
        left_out += out > 0.01
    assert left_out > 0 and crossed < len(shaken)
