"""The committed demo world: its cells, openings, houses and doors are as the rules and scenes need them."""

import math
from collections import Counter

import pytest

from engine.dat.pieces.build_trees import build_cell_tree
from engine.dat.values import Vec3
from engine.visibility.picture_view import build_view
from engine.visibility.view import View, vertical_fov
from engine.world.cells import EnvCell, Landblock
from engine.world.loading.world import World
from engine.world.location import parse_location
from engine.world.sources.open_source import demo_source
from engine.world.sources.places_file import read_places
from scripts.demo_world import ids
from scripts.demo_world.geometry import share_corners
from scripts.demo_world.houses import cottage, croft, dungeon, inn
from scripts.demo_world.things import door
from tests.places import DEMO

PLACES = read_places(DEMO)


@pytest.fixture(scope="module")
def world() -> World:
    world = World(demo_source(DEMO))
    world.load_block(ids.VILLAGE)
    world.load_block(ids.DUNGEON)
    return world


@pytest.fixture(scope="module")
def village(world: World) -> Landblock:
    return world.blocks[ids.VILLAGE]


@pytest.fixture(scope="module")
def underground(world: World) -> Landblock:
    return world.blocks[ids.DUNGEON]


@pytest.fixture(scope="module")
def cells(village: Landblock, underground: Landblock) -> list[EnvCell]:
    return [*village.env_cells.values(), *underground.env_cells.values()]


def center(cell: EnvCell) -> tuple[float, ...]:
    points = [v for polygon in cell.structure.polygons.values() for v in polygon.vertices]
    return tuple(sum(p[axis] for p in points) / len(points) for axis in range(3))


def test_the_world_loads_without_a_complaint(world: World):
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            assert world.loader.load(((0xA9 + dx) << 24) | ((0xB4 + dy) << 16)) is not None
    assert world.problems.lines == []


def test_cell_ids_count_on_without_gaps(village: Landblock, underground: Landblock):
    assert [c & 0xFFFF for c in sorted(village.env_cells)] == list(range(0x100, 0x17A))
    assert [c & 0xFFFF for c in sorted(underground.env_cells)] == list(range(0x100, 0x114))


def test_spare_cells_are_sealed(village: Landblock):
    used = {*cottage.CELLS, *inn.CELLS, *croft.CELLS}
    for cell_id, cell in village.env_cells.items():
        if cell_id & 0xFFFF not in used:
            assert cell.portals == [] and cell.stab_list == ()


def test_cells_are_convex_and_their_tree_holds_every_corner(world: World, cells: list[EnvCell]):
    for cell in cells:
        environment = world.source.environment(cell.structure.environment_id)
        assert environment is not None
        struct = environment.cell(cell.structure.structure)
        assert struct is not None
        positions = {v.key: v.pos for v in struct.vertex_array.vertices}
        tree = build_cell_tree(struct.polygons, positions)
        assert tree.concave == ()
        assert cell.structure.cell_tree is not None
        for n in cell.structure.cell_tree.planes:
            assert min(n[0] * p[0] + n[1] * p[1] + n[2] * p[2] + n[3] for p in positions.values()) > -1e-3


def test_every_edge_of_a_cell_is_shared_by_two_polygons(cells: list[EnvCell]):
    for cell in cells:
        edges: Counter[frozenset[Vec3]] = Counter()
        for polygon in cell.structure.polygons.values():
            ring = polygon.vertices
            for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
                edges[frozenset((a, b))] += 1
        assert [edge for edge, count in edges.items() if count != 2] == [], f"{cell.id:08X}"


def test_no_corner_of_a_wall_lies_amid_an_openings_edge(cells: list[EnvCell]):
    for cell in cells:
        polygons = cell.structure.polygons
        openings = {portal.polygon.id for portal in cell.portals}
        corners = {v for key, p in polygons.items() if key not in openings for v in p.vertices}
        for key in openings:
            (ring,) = share_corners([polygons[key].vertices], corners)
            assert len(ring) == len(polygons[key].vertices), f"{cell.id:08X}"


def test_drawn_fans_have_no_flat_triangle(cells: list[EnvCell]):
    for cell in cells:
        for polygon in cell.structure.polygons.values():
            a = polygon.vertices[0]
            for b, c in zip(polygon.vertices[1:-1], polygon.vertices[2:], strict=True):
                e = [q - p for p, q in zip(a, b, strict=True)]
                f = [q - p for p, q in zip(a, c, strict=True)]
                cross = (e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0])
                assert math.hypot(*cross) > 1e-3


def test_portals_are_reciprocal_and_their_polygons_meet(world: World, cells: list[EnvCell]):
    for cell in cells:
        for portal in cell.portals:
            if portal.is_exit:
                assert portal.flags & 4
                continue
            other = world.env_cell(portal.other_cell_id)
            assert other is not None
            back = other.portals[portal.other_portal_id]
            assert (back.other_cell_id, back.other_portal_id) == (cell.id, portal.index)
            if {cell.id & 0xFFFF, other.id & 0xFFFF} == {croft.ROOM, croft.BED_DOOR}:
                continue  # these overlap on purpose: what the audit says of them is a test of its own
            ours = sorted(
                tuple(round(c, 3) + 0.0 for c in cell.frame.to_global(v)) for v in portal.polygon.vertices
            )
            theirs = sorted(
                tuple(round(c, 3) + 0.0 for c in other.frame.to_global(v)) for v in back.polygon.vertices
            )
            assert ours == theirs


def test_portal_sides_say_where_the_cell_lies(cells: list[EnvCell]):
    seen = set()
    for cell in cells:
        for portal in cell.portals:
            inside = portal.polygon.distance(center(cell)) > 0.0
            assert inside == (portal.portal_side == 0)
            seen.add((portal.is_exit, portal.portal_side))
    assert {(False, 0), (False, 1)} <= seen


def test_houses_list_all_their_other_cells(village: Landblock):
    for numbers in (cottage.CELLS, inn.CELLS, croft.CELLS):
        everyone = {ids.VILLAGE | low for low in numbers}
        for cell_id in everyone:
            cell = village.env_cells[cell_id]
            assert set(cell.stab_list) == everyone - {cell_id}
            assert cell.seen_outside


def test_the_dungeon_is_sealed_and_its_lists_are_symmetric_and_partial(underground: Landblock):
    assert underground.is_dungeon and underground.buildings == []
    lists = {cell_id: set(cell.stab_list) for cell_id, cell in underground.env_cells.items()}
    for cell_id, cell in underground.env_cells.items():
        assert not cell.seen_outside
        assert not any(portal.is_exit for portal in cell.portals)
        assert {p.other_cell_id for p in cell.portals} <= lists[cell_id]
        assert all(cell_id in lists[other] for other in lists[cell_id])
    assert any(len(seen) < len(lists) - 1 for seen in lists.values())


def test_the_dungeon_has_rooms_and_loops(underground: Landblock):
    rooms = [tile for tile in dungeon.TILES if tile.structure not in ("passage", "stair")]
    portals = sum(len(cell.portals) for cell in underground.env_cells.values()) // 2
    assert len(rooms) >= 8
    assert portals - len(underground.env_cells) + 1 == 2  # independent loops
    end = ids.DUNGEON | dungeon.low_of(6, 0)
    assert end in underground.env_cells[ids.DUNGEON | dungeon.low_of(0, 0)].stab_list


def test_houses_lie_within_the_landcell_of_their_origin(world: World, village: Landblock):
    assert len(village.buildings) == 3
    for building in village.buildings:
        model = world.model(building.model_id)
        assert model is not None
        low, high = model.parts[0].box
        x0, y0 = (math.floor(c / 24) * 24 for c in building.pos.frame.origin[:2])
        for x in (low[0], high[0]):
            for y in (low[1], high[1]):
                px, py, _ = building.pos.frame.to_global((x, y, 0.0))
                assert x0 < px < x0 + 24 and y0 < py < y0 + 24


def test_building_portals_lead_to_exit_portals_with_the_same_polygon(world: World, village: Landblock):
    for building in village.buildings:
        for portal in building.portals:
            cell = world.env_cell(portal.other_cell_id)
            assert cell is not None and portal.polygon is not None
            way_out = cell.portals[portal.other_portal_id]
            assert way_out.is_exit
            assert set(way_out.polygon.vertices) == set(portal.polygon.vertices)
            assert portal.portal_side == 1 - way_out.portal_side
    assert sum(len(b.portals) for b in village.buildings) == 11


def test_the_cottage_has_an_underside_over_the_cellars_ramp(village: Landblock, world: World):
    building = village.buildings[0]
    part = world.model(building.model_id).parts[0]  # type: ignore[union-attr]
    below = [p for p in part.physics_polygons.values() if p.normal[2] < -0.99 and abs(p.d) < 1e-4]
    assert any(
        min(v[0] for v in p.vertices) <= -0.5
        and max(v[0] for v in p.vertices) >= 3.2
        and max(v[1] for v in p.vertices) >= 4.5
        for p in below
    )


def test_tops_of_furniture_are_too_high_to_climb(world: World):
    for model_id, least in ((ids.TABLE, 1.0), (ids.HEARTH, 1.0)):
        model = world.model(model_id)
        assert model is not None
        polygons = model.parts[0].physics_polygons.values()
        assert min(min(v[2] for v in p.vertices) for p in polygons if p.normal[2] > 0.5) >= least
    barrel = world.model(ids.setup_of(ids.BARREL))
    assert barrel is not None and not barrel.has_physics_bsp
    assert barrel.cylspheres[0].height >= 0.8


def test_the_doors_setup_is_the_one_of_the_rules(world: World):
    model = world.model(ids.DOOR_SETUP)
    assert model is not None
    assert [part.gfxobj_id for part in model.parts] == [0x010044B5, 0x010044B6, 0x010044B6]
    assert all(part.physics_root is not None for part in model.parts)
    assert len(model.parts[0].physics_polygons) != len(model.parts[1].physics_polygons)
    assert model.cylspheres == () and len(model.spheres) == 1
    assert model.spheres[0].radius == pytest.approx(0.1)
    assert model.spheres[0].center == pytest.approx((0.0, 0.0, 0.018))
    for frame in model.part_frames:
        assert frame.origin != (0.0, 0.0, 0.0) and abs(frame.quat[3]) > 0.1


def test_the_closed_door_covers_the_whole_doorway(world: World):
    model = world.model(ids.DOOR_SETUP)
    assert model is not None
    for i in range(39):
        for k in range(26):
            x, z = -door.WIDTH / 2 + i * 0.05, 0.1 * k
            covered = False
            for part, frame in zip(model.parts, model.part_frames, strict=True):
                p = frame.to_local((x, door.DEPTH, z))
                low, high = part.box
                covered |= all(a - 1e-4 <= c <= b + 1e-4 for a, c, b in zip(low, p, high, strict=True))
            assert covered, (x, z)


def test_the_doors_clip_lasts_one_and_a_half_seconds(world: World):
    table = world.source.motion_table(ids.DOOR_MOTIONS)
    assert table is not None
    swing = table.link(door.NON_COMBAT, door.OFF, door.ON)
    back = table.link(door.NON_COMBAT, door.ON, door.OFF)
    assert swing is not None and back is not None
    for link in (swing, back):
        clip = world.source.animation(link.anims[0].id)
        assert clip is not None
        assert clip.num_frames / link.anims[0].fps == pytest.approx(1.5)
        assert clip.frames[0] != clip.frames[-1]
    closed = world.source.animation(table.cycle(door.NON_COMBAT, door.OFF).anims[0].id)  # type: ignore[union-attr]
    setup = world.source.setup(ids.DOOR_SETUP)
    assert closed is not None and setup is not None
    assert closed.frames[0].frames == setup.resting_frames()
    assert [d.substate for d in table.style_defaults if d.style == door.NON_COMBAT] == [door.OFF]


def test_a_door_stands_closed_in_each_street_doorway(village: Landblock):
    doors = {e.object_id: e for e in village.entities if e.model_id == ids.DOOR_SETUP}
    assert set(doors) == {0x7A9B4015, 0x7A9B4016, 0x7A9B4017}
    for entity, low in ((0x7A9B4015, 0x170), (0x7A9B4016, 0x164), (0x7A9B4017, 0x100)):
        placed = doors[entity]
        assert placed.state == 0x10008
        cell = village.env_cells[ids.VILLAGE | low]
        assert len(cell.portals) == 2
        (way_out,) = [p for p in cell.portals if p.is_exit]
        sill = [cell.frame.to_global(v) for v in way_out.polygon.vertices if v[2] == 0.0]
        middle = [sum(p[axis] for p in sill) / 2 for axis in range(3)]
        assert placed.frame.origin == pytest.approx(middle, abs=1e-4)


def test_the_inns_large_view_sees_twenty_cells_in_thirty_regions(world: World):
    where = parse_location(PLACES["inn large view"]).position
    x, y, z = where.frame.origin
    eye = (x, y + 0.18, z + 1.5)
    view = View.from_angles(eye, 0.0, 10.0, fov_y=vertical_fov(1280 / 720), width=1280, height=720)
    picture = build_view(world, where.cell_id, foot=(x, y, z + 0.48), pivot=eye, eye=eye, view=view)
    assert len(picture.cells) >= 20
    assert sum(len(cell.regions) for cell in picture.cells) >= 30


def test_the_crofts_l_shaped_room_is_two_cells_open_to_each_other_from_wall_to_wall(village: Landblock):
    room, nook = (village.env_cells[ids.VILLAGE | low] for low in (croft.ROOM, croft.NOOK))
    (portal,) = [p for p in nook.portals if p.other_cell_id == room.id]
    walls = [v for polygon in nook.structure.polygons.values() for v in polygon.vertices]
    for axis in (0, 2):
        reach = [v[axis] for v in portal.polygon.vertices]
        assert (min(reach), max(reach)) == (min(w[axis] for w in walls), max(w[axis] for w in walls))
