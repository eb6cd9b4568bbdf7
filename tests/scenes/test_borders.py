"""Known failures where a house stands at the border of a landblock and its door leads to the neighbour.

The house stands in the western landblock: a parlour with a back door, a hall, a vestibule 0.4 m deep and a
doorway in the border itself, x = 192 here and 0 there. Places are compared along x over both landblocks.
"""

from __future__ import annotations

import pytest

from engine.physics.enums import HitKind, Response
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.tick_report import TickReport
from engine.physics.transition.insertion import keeps_portalless_cell
from engine.visibility.carry import carry
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import INTERIOR, OUTDOOR, ViewOptions, build_view
from engine.visibility.view import View
from engine.world.cells import BldPortal, Building, EnvCell
from engine.world.frame import Frame, Position
from engine.world.ids import EXIT_CELL, rebase
from tests.physics.models import add_door_motion, door_model, placed
from tests.physics.rooms import portal, quad, room, tree_of
from tests.physics.scenes import FLAT, cells, flat_floor, origin, terrain, transition, wall
from tests.physics.stage import add_model, empty_world, put_block

WEST, EAST = 0xA9B40000, 0xAAB40000
VESTIBULE, HALL, PARLOUR = WEST | 0x100, WEST | 0x101, WEST | 0x102
YARD, STREET = WEST | 0x3D, EAST | 0x05  # the landcells on either side of the doorway
DOOR = 0x7A9B4015
BORDER = 192.0
RADIUS = 0.48
AT_BORDER = Frame((BORDER, 100.0, 0.0))
QUARTER = (0.7071067811865476, 0.0, 0.0, 0.7071067811865476)
LOW, HIGH = (-1.0, 0.0), (1.0, 3.0)


def rooms() -> tuple[EnvCell, ...]:
    floor = flat_floor(-0.4, 0, 0.0, y=1)
    jambs = [
        quad(1, (-0.4, 1, 0), (0, 1, 0), (0, 1, 3), (-0.4, 1, 3)),
        quad(2, (0, -1, 0), (-0.4, -1, 0), (-0.4, -1, 3), (0, -1, 3)),
    ]
    vestibule = room(
        VESTIBULE, [floor, *jambs], (-0.4, -1, 0), (0, 1, 3),
        portals=[
            opening(0, EXIT_CELL, 0.0, 1),
            opening(1, HALL, -0.4, 0, back=0),
        ],
        frame=AT_BORDER, stab=(HALL, PARLOUR), seen_outside=True,
    )  # fmt: skip
    hall = room(
        HALL, [flat_floor(-3, -0.4, 0.0, y=2)], (-3, -2, 0), (-0.4, 2, 3),
        portals=[opening(0, VESTIBULE, -0.4, 1, back=1), opening(1, PARLOUR, -3.0, 0, back=0)],
        frame=AT_BORDER, stab=(VESTIBULE, PARLOUR),
    )  # fmt: skip
    parlour = room(
        PARLOUR, [flat_floor(-5, -3, 0.0, y=2)], (-5, -2, 0), (-3, 2, 3),
        portals=[opening(0, HALL, -3.0, 1, back=1), opening(1, EXIT_CELL, -5.0, 0)],
        frame=AT_BORDER, stab=(VESTIBULE, HALL), seen_outside=True,
    )  # fmt: skip
    return vestibule, hall, parlour


def opening(index, other, x, side, *, back=-1):
    return portal(index, other, x, side, other_portal=back, low=LOW, high=HIGH)


def staged(at, cell: int, *, door: bool = False) -> Simulation:
    """Both landblocks with the house, and somebody in a cell: the simulation."""
    world = empty_world()
    west, east = terrain(block_id=WEST), terrain(block_id=EAST)
    for inside in rooms():
        west.env_cells[inside.id] = inside
    front, back = (quad(100, (x, -1, 0), (x, 1, 0), (x, 1, 3), (x, -1, 3)) for x in (0.0, -5.0))
    shell = [
        quad(5, (0, 1, 0), (0, 3, 0), (0, 3, 3), (0, 1, 3)),
        quad(6, (0, -3, 0), (0, -1, 0), (0, -1, 3), (0, -3, 3)),
    ]
    rooms_listed = (VESTIBULE, HALL, PARLOUR)
    openings = [
        BldPortal(0, 2, front, other_cell_id=VESTIBULE, other_portal_id=0, stab_list=rooms_listed),
        BldPortal(1, 0, back, other_cell_id=PARLOUR, other_portal_id=1, stab_list=rooms_listed),
    ]
    house = Building(
        0, 0x01000F20, Position(YARD, AT_BORDER),
        shell_frame=AT_BORDER, shell_root=tree_of(shell), portals=openings,
    )  # fmt: skip
    west.land_cells[(YARD & 0xFF) - 1].building = house
    west.buildings.append(house)
    if door:
        add_door_motion(world)
        add_model(world, door_model())
        leaf_at = (BORDER + 0.12, 100.0, 0.0)
        west.entities.append(placed(0x020019FF, VESTIBULE, leaf_at, QUARTER, object_id=DOOR, state=0x10008))
    put_block(world, west)
    put_block(world, east)
    simulation = Simulation(world)
    simulation.spawn(Position(cell, Frame(at)))
    return simulation


def along(report: TickReport) -> float:
    """x of a report's place in the western landblock's frame."""
    return rebase(report.position, report.cell, WEST)[0]


def walked(simulation: Simulation, x: float, y: float = 0.0, ticks: int = 30) -> list[TickReport]:
    return [simulation.walk_tick((x, y, 0.0)) for _ in range(ticks)]


def changes(reports: list[TickReport]) -> list[int]:
    """The cells of some ticks, each run of one once."""
    ids = [r.cell for r in reports]
    return [cell for i, cell in enumerate(ids) if i == 0 or cell != ids[i - 1]]


def test_walking_into_a_house_of_the_neighbouring_landblock():
    """No step is longer than it was asked to be: the place goes over into the other landblock's frame."""
    simulation = staged((1.05, 100.0, 0.005), STREET)
    reports = walked(simulation, -0.1)
    assert changes(reports) == [STREET, VESTIBULE, HALL]
    assert [along(r) for r in reports] == pytest.approx(
        [BORDER + 1.05 - 0.1 * (i + 1) for i in range(len(reports))], abs=1e-3
    )
    assert all(r.ok and r.on_ground for r in reports)


def test_walking_out_of_it_into_the_neighbouring_landblock():
    simulation = staged((BORDER - 1.95, 100.0, 0.005), HALL)
    reports = walked(simulation, 0.1)
    assert changes(reports) == [HALL, VESTIBULE, STREET]
    assert [along(r) for r in reports] == pytest.approx(
        [BORDER - 1.95 + 0.1 * (i + 1) for i in range(len(reports))], abs=1e-3
    )
    assert reports[-1].position[0] == pytest.approx(1.05, abs=1e-3)


def test_seen_from_the_street_all_rooms_that_the_spheres_reach_are_asked():
    """The hall is only reached through the vestibule, whose landblock is not that of the spheres."""
    simulation = staged((0.6, 100.0, 0.005), STREET)
    cells_by_place = {round(along(r) - BORDER, 2): set(r.cells) for r in walked(simulation, -0.05, ticks=11)}
    assert cells_by_place[0.5] == {STREET}
    assert cells_by_place[0.2] == {STREET, YARD, VESTIBULE}
    assert cells_by_place[0.05] == {STREET, YARD, VESTIBULE, HALL}


@pytest.mark.parametrize("sign", [-1, 1])
def test_a_jamb_of_the_house_holds_who_stands_in_the_street(sign):
    simulation = staged((0.2, 100.0, 0.005), STREET)
    reports = walked(simulation, 0.0, 0.1 * sign, ticks=12)
    assert {r.cell for r in reports} == {STREET}
    assert abs(reports[-1].position[1] - 100.0) < 1.0
    assert {hit.owner for r in reports for hit in r.hits} >= {VESTIBULE}


@pytest.mark.parametrize("side", [-1.9, 1.9])
def test_its_front_holds_who_comes_from_the_street(side):
    simulation = staged((1.2, 100.0 + side, 0.005), STREET)
    reports = walked(simulation, -0.1)
    assert {r.cell for r in reports} == {STREET}
    assert reports[-1].position[0] == pytest.approx(RADIUS, abs=0.1)
    assert min(r.position[0] for r in reports) >= RADIUS - 0.0002
    assert {hit.kind for r in reports for hit in r.hits} == {HitKind.BUILDING}
    assert {hit.response for r in reports for hit in r.hits} == {Response.COLLIDED}  # and no near miss


@pytest.mark.parametrize("side", [-0.5, 0.0, 0.5])
def test_its_closed_door_holds_who_comes_from_the_street(side):
    simulation = staged((1.2, 100.0 + side, 0.005), STREET, door=True)
    reports = walked(simulation, -0.1)
    assert {r.cell for r in reports} == {STREET}
    assert min(r.position[0] for r in reports) >= 0.1 + RADIUS - 0.0002
    assert any(hit.owner == DOOR for r in reports for hit in r.hits)
    assert simulation.use(DOOR)
    walked(simulation, 0.1, ticks=2)  # who pushed into it is held until the push goes another way
    assert walked(simulation, -0.1)[-1].cell == HALL


def test_a_push_over_the_border_is_as_long_as_it_is():
    t = transition(cells(), curr=(191.9, 10.0, 0.0), cell_id=YARD, contact=FLAT)
    t.sphere_path.add_offset_to_check_pos(0.2, 0.2, 0.0)
    t.sphere_path.adjust_check_pos(STREET)
    assert t.sphere_path.displacement() == pytest.approx((0.2, 0.2, 0.0))
    t.sphere_path.adjust_check_pos(VESTIBULE)
    assert origin(t) == pytest.approx((192.1, 10.2, 0.0))
    assert t.sphere_path.displacement() == pytest.approx((0.2, 0.2, 0.0))
    foot = t.sphere_path.global_sphere[0]
    assert (foot.x, foot.y) == pytest.approx((192.1, 10.2))


def test_a_cell_without_portals_is_kept_from_the_neighbouring_landblock_as_well():
    alone = room(VESTIBULE, [wall(-1, 0, 3, sign=1)], (-2, -2, 0), (2, 2, 3), frame=AT_BORDER)
    assert keeps_portalless_cell(alone, WEST | 1, (BORDER + 1.0, 100.0, 1.0))
    assert keeps_portalless_cell(alone, STREET, (1.0, 100.0, 1.0))
    assert not keeps_portalless_cell(alone, STREET, (3.0, 100.0, 1.0))
    assert not keeps_portalless_cell(alone, STREET, (BORDER + 1.0, 100.0, 1.0))


def eye_goes(simulation: Simulation, x: float):
    """Where the carry comes to from a body in the street, 0.3 m before the doorway; x in its own frame."""
    world = simulation.world
    foot, pivot = (0.3, 100.0, 0.48), (0.3, 100.0, 1.5)
    return carry(world, OpeningIndex(), STREET, foot, pivot=pivot, eye=(x, 100.0, 1.5))


@pytest.mark.parametrize(
    ("x", "root", "carried"),
    [
        (0.1, STREET, ()),
        (-0.2, VESTIBULE, ((STREET, 0),)),
        (-2.0, HALL, ((STREET, 0), (VESTIBULE, 1))),
        (-6.0, YARD, ((STREET, 0), (VESTIBULE, 1), (HALL, 1), (PARLOUR, 1))),
    ],
)
def test_an_eye_goes_through_a_house_of_the_neighbouring_landblock(x, root, carried):
    found = eye_goes(staged((0.3, 100.0, 0.005), STREET), x)
    assert (found.root, found.carried, found.blocked) == (root, carried, False)


def picture_from(simulation: Simulation, x: float, eye_x: float, forward: float):
    """What an eye sees that looks along x, of a body at x in the street."""
    eye = (eye_x, 100.0, 1.5)
    view = View(
        eye, right=(0.0, -forward, 0.0), up=(0.0, 0.0, 1.0), forward=(forward, 0.0, 0.0),
        tan_x=1.0, tan_y=1.0, width=200.0, height=200.0,
    )  # fmt: skip
    foot, pivot = (x, 100.0, 0.48), (x, 100.0, 1.5)
    return build_view(
        simulation.world, STREET, foot=foot, pivot=pivot, eye=eye, view=view, options=ViewOptions()
    )


def test_from_the_street_one_looks_into_the_neighbours_house():
    picture = picture_from(staged((2.0, 100.0, 0.005), STREET), 2.0, 2.0, -1.0)
    assert picture.path == OUTDOOR
    assert [c.cell for c in picture.cells] == [VESTIBULE, HALL, PARLOUR]
    # 2 m before a doorway 2 m wide, its sill 1.5 m under the eye: it fills the half of the picture's width.
    (view,) = picture.look_ins[0].flood.cells[VESTIBULE].views
    assert (view.x0, view.x1) == pytest.approx((-0.5, 0.5), abs=1e-6)
    assert picture.view.eye[0] == pytest.approx(2.0)


def test_an_eye_over_the_border_sees_from_where_it_stands():
    """The body in the street, its eye in the hall: the root is the hall, the eye in its landblock's frame."""
    picture = picture_from(staged((0.3, 100.0, 0.005), STREET), 0.3, -2.0, 1.0)
    assert picture.path == INTERIOR
    assert picture.root == HALL
    assert picture.view.eye[0] == pytest.approx(BORDER - 2.0)
    assert [c.cell for c in picture.cells] == [HALL, VESTIBULE]
    (outside,) = picture.outside
    assert (outside.x0, outside.x1) == pytest.approx((-0.5, 0.5), abs=1e-6)
