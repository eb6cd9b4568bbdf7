"""Of long lists it is known by a look whether something is in them: none is gone through for each row."""

from types import SimpleNamespace

from engine.dat.values import Sphere
from engine.physics.membership.cell_array import CellArray
from engine.physics.objects.shadow_shape import ShadowShape, ShapeType
from engine.physics.simulation.body_shapes import shadow_shapes
from engine.physics.transition.picks import pick_of
from engine.world.debug_shapes import DebugShapes
from engine.world.frame import Frame, Position
from tests.physics.houses import A, B, room_pair
from tests.physics.scenes import cells
from viewer.commands.cell import candidate_cells
from viewer.report.door_reporting import _shapes


class Listed(tuple):
    """A list that is not gone through."""

    __slots__ = ()

    def __contains__(self, what: object) -> bool:
        raise AssertionError(f"the whole list was gone through for {what}")


def test_a_stab_list_is_looked_up_for_every_candidate() -> None:
    """Five thousand candidates and sixty thousand listed cells took four seconds a look of `sim --trace`."""
    a, b = room_pair()
    a.stab_list = Listed((B,))
    center = (99.6, 100.0, 0.5)
    array = CellArray(explains=True)
    for cell in (a, b):
        array.append(cell.id, cell, "portal")
    array.append(A + 0x50, None, "portal")
    pick = pick_of(array, A, center=center, seed=a, picked=a, probe="foot")
    assert [c.in_stab_list for c in pick.candidates] == [True, True, False]
    assert [c.pruned for c in pick.candidates] == [False, False, True]
    body = SimpleNamespace(
        cell=a, position=Position(A, Frame(center)), movement_spheres=[Sphere((0.0, 0.0, 0.0), 0.48)]
    )
    rows = candidate_cells(cells(a, b), body)  # type: ignore[arg-type]
    assert [(row["cell"], row["in_stab_list"], row["pruned"]) for row in rows] == [
        (f"0x{A:08X}", True, False),
        (f"0x{B:08X}", True, False),
    ]


def test_a_things_shapes_are_looked_up_in_its_family() -> None:
    """Ten thousand took a second for each door of them."""
    shapes = [
        ShadowShape(ShapeType.SPHERE, Frame((float(n), 0.0, 0.0)), scale=1.0, radius=0.5) for n in range(3)
    ]
    target = SimpleNamespace(
        shapes=shapes,
        family=Listed(shapes[1:]),
        cell_ids=(A,),
        state=0,
        position=Position(A, Frame((0, 0, 0))),
    )
    status = SimpleNamespace(is_passable=False, shape_words=lambda *, is_family: f"{is_family}")
    told = _shapes(SimpleNamespace(target=target), status, None).told  # type: ignore[arg-type]
    assert [(row.collides, row.does) for row in told] == [(False, "False"), (True, "True"), (True, "True")]
    shadow_shapes(DebugShapes(A), [target])  # type: ignore[list-item]
