"""Which cells something is drawn with, of those that it reaches into through openings (passes 3.10)."""

from engine.dat.values import Vec3
from tests.physics.rooms import ROOM, portal, room
from viewer.renderer.scene.block_meshes import cells_reached


class CountedCorners(tuple[Vec3, ...]):
    """Corners that count how often somebody goes through them."""

    __slots__ = ()
    gone_through = 0

    def __iter__(self):
        CountedCorners.gone_through += 1
        return super().__iter__()


def test_an_openings_corners_are_gone_through_once_for_all_that_stands_before_it():
    """Twenty thousand things before two hundred openings of as many corners took eight minutes."""
    opening = portal(0, ROOM + 1, 3.0, 1)
    opening.polygon.vertices = CountedCorners(opening.polygon.vertices)
    cell = room(portals=[opening])
    for step in range(5):
        assert cells_reached(cell, (2.9, 0.1 * step, 1.0), 0.5) == [ROOM, ROOM + 1]
        assert cells_reached(cell, (2.9, 90.0, 1.0), 0.5) == [ROOM]
    assert CountedCorners.gone_through <= 4
