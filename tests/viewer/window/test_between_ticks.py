"""Frames between two ticks: the drawn foot lies on the way of the tick, in a cell of that way."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.physics.enums import TICK
from engine.physics.simulation.movement import MovementInput
from engine.physics.simulation.mover import MoverSettings
from engine.physics.simulation.simulation import Simulation
from engine.world.frame import Frame, Position
from engine.world.loading.world import World
from engine.world.location import parse_location
from engine.world.sources.open_source import demo_source
from tests.places import DEMO
from viewer.picture.offscreen import OffscreenRenderer
from viewer.places import put
from viewer.renderer.render_options import RenderOptions
from viewer.report.picture_report import plain
from viewer.window.walking.walk import STANDING, Walk

FORWARD = MovementInput(forward=1, run=True)
EAST = "0.707106829 0 0 -0.707106829"
SIZE = (96, 64)
SHARES = (0.0, 0.25, 0.5, 0.75)
MAIN, DOORWAY, SIDE = 0xA9B40171, 0xA9B40173, 0xA9B40172

pytestmark = pytest.mark.gl


class Watched:
    """A walk whose every frame is drawn and checked for unpainted pixels."""

    def __init__(self) -> None:
        self.simulation = Simulation(World(demo_source(DEMO)), MoverSettings())
        put(self.simulation, f"0x{MAIN:08X} [156.4 9.95 94.0] {EAST}")
        self.walk = Walk(self.simulation)
        self.screen = OffscreenRenderer(self.simulation, SIZE)
        self.rooms: list[set[int]] = []

    def begin(self, place: str, *, third: bool, skill: float = 200.0, pitch: float = 0.0) -> None:
        self.simulation.mover = self.simulation.mover._replace(run_skill=skill)
        put(self.simulation, place)
        self.look(third=third, pitch=pitch)

    def look(self, *, third: bool, pitch: float) -> None:
        walk = Walk(self.simulation, third_person=third)
        walk.camera.target_pitch = pitch
        walk.camera.settle()
        self.walk = walk

    def run(self, ticks: int, share: float, controls: MovementInput) -> list[int]:
        """The unpainted pixels of each frame, one a tick; ``rooms`` are the cells listed in each."""
        self.walk.advance(share * TICK + 1e-6, controls)
        self.rooms = []
        return [self._frame(controls) for _ in range(ticks)]

    def _frame(self, controls: MovementInput) -> int:
        assert self.walk.advance(TICK, controls) == 1
        picture = self.walk.look_out(SIZE, 0.0)
        self.rooms.append({row.cell for row in picture.cells})
        return self.screen.renderer.draw(picture, self.walk.objects(), RenderOptions(sentinel=True)).sentinel


@pytest.fixture(scope="module")
def watched() -> Iterator[Watched]:
    watched = Watched()
    yield watched
    watched.screen.ctx.release()


@pytest.mark.parametrize("skill", [200.0, 800.0])
@pytest.mark.parametrize("third", [False, True])
def test_running_through_a_doorway_leaves_no_pixel_unpainted(watched, skill, third):
    for start in range(20):
        x = 156.4 + 0.0158 * start
        watched.begin(f"0x{MAIN:08X} [{x:.4f} 9.95 94.0] {EAST}", third=third, skill=skill)
        assert watched.run(9, SHARES[start % 4] if start % 2 else 0.0, FORWARD) == [0] * 9
        assert watched.simulation.position.cell_id == SIDE


@pytest.mark.parametrize("share", SHARES)
def test_falling_through_an_opening_in_the_floor_keeps_the_upper_room_in_the_list(watched, share):
    """The eye is above the opening for as long as the drawn head is, whatever the body has come to."""
    simulation = watched.simulation
    upper, portal = _hatch(simulation)
    points = [upper.frame.to_global(v) for v in portal.polygon.vertices]
    x, y, z = (sum(p[i] for p in points) / len(points) for i in range(3))
    for part in range(6):
        simulation.hover(Position(upper.id, Frame((x, y, z + 0.3 + 0.08 * part))))
        simulation.launch((0.0, 0.0, -13.5))
        watched.look(third=False, pitch=-80.0)
        watched.walk.advance(share * TICK + 1e-6, STANDING)
        fell = 0
        for _ in range(5):
            watched.walk.advance(TICK, STANDING)
            picture = watched.walk.look_out(SIZE, 0.0)
            eye = picture.view.eye[2]
            if eye > z + 0.02:
                assert upper.id in {row.cell for row in picture.cells}
                fell += simulation.position.cell_id != upper.id
            shot = watched.screen.renderer.draw(picture, watched.walk.objects(), RenderOptions(sentinel=True))
            assert shot.sentinel == 0
        assert fell > 0


def _hatch(simulation):
    """A cell and the opening in its floor."""
    for cell in simulation.world.blocks[MAIN & 0xFFFF0000].env_cells.values():
        for portal in cell.portals:
            if portal.portal_side == 0 and cell.frame.to_global_vec(portal.polygon.normal)[2] > 0.99:
                return cell, portal
    raise AssertionError("there is no opening in a floor")


def test_the_report_tells_the_bodys_cell_and_the_drawn_foots(watched):
    """Third person, at the beginning of a tick: body, drawn foot and root are in three cells."""
    found = set()
    for start in range(12):
        watched.begin(f"0x{MAIN:08X} [{156.4 + 0.03 * start:.3f} 9.95 94.0] {EAST}", third=True, skill=800.0)
        walk = watched.walk
        walk.advance(1e-6, FORWARD)
        for _ in range(8):
            walk.advance(TICK, FORWARD)
            picture = walk.look_out(SIZE, 0.0)
            view = plain(walk.report())["view"]
            assert view["body_cell"] == f"0x{watched.simulation.body.cell.id:08X}"
            assert view["drawn_cell"] == f"0x{picture.drawn_cell:08X}"
            assert view["root"] == f"0x{picture.root:08X}"
            found.add((view["body_cell"], view["drawn_cell"], view["root"]))
    told = {f"0x{cell:08X}" for cell in (MAIN, DOORWAY, SIDE)}
    assert {cell for row in found for cell in row} == told
    assert any(body != drawn for body, drawn, _ in found)
    assert any(body != root for body, _, root in found)
    assert any(drawn != root for _, drawn, root in found)


def test_pausing_and_teleporting_draw_the_body_where_it_is(watched):
    watched.begin(f"0x{MAIN:08X} [156.7 9.95 94.0] {EAST}", third=False, skill=800.0)
    walk, simulation = watched.walk, watched.simulation
    walk.advance(2.25 * TICK, FORWARD)
    moving = walk.look_out(SIZE, 0.0)
    x, _, _ = simulation.position.frame.origin
    assert moving.view.eye[0] < x  # the picture is behind the body
    walk.toggle_pause()
    still = walk.look_out(SIZE, 0.0)
    assert still.view.eye[0] == pytest.approx(x + 0.18, abs=1e-6)
    assert still.drawn_cell == still.body_cell == simulation.position.cell_id
    walk.toggle_pause()
    walk.advance(0.5 * TICK, FORWARD)
    walk.teleport("0xA9B40171 [155.4 13.4 94.0] 1 0 0 0")
    there = walk.look_out(SIZE, 0.0)
    feet = parse_location("0xA9B40171 [155.4 13.4 94.0]").position.frame.origin
    assert there.view.eye[:2] == pytest.approx((feet[0], feet[1] + 0.18), abs=1e-4)
    assert there.drawn_cell == MAIN
