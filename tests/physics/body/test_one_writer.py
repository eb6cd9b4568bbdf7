"""The first rule: one function writes the current cell, and no tick looks a cell up by position."""

import ast

import pytest

from engine.physics.body.body import PhysicsBody
from engine.physics.enums import SPE_OK
from engine.physics.simulation import static_comparison as static_lookup
from engine.physics.simulation.sweep import place
from engine.physics.transition import placement
from engine.world.frame import Frame, Position
from tests.needed import interpreted_only
from tests.physics.houses import A, house, two_rooms
from tests.physics.scenes import stand
from tests.physics.stage import push
from tests.places import ROOT


def writers_of_the_cell():
    """(file, function, value) of every assignment to an attribute ``_cell`` and every setattr of it."""
    found = []
    for folder in ("engine", "viewer"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            tree = ast.parse(path.read_text())
            for function in ast.walk(tree):
                if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                    found += [(path, getattr(function, "name", ""), v) for v in _assignments(function)]
    return found


def _assignments(function):
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, ast.AnnAssign | ast.AugAssign):
            targets, value = [node.target], node.value
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "setattr":
            if isinstance(node.args[1], ast.Constant) and node.args[1].value in ("cell", "_cell"):
                yield node
            continue
        else:
            continue
        for target in targets:
            for part in ast.walk(target):
                if isinstance(part, ast.Attribute) and part.attr == "_cell":
                    yield value


def test_exactly_one_function_writes_the_bodys_cell():
    writers = writers_of_the_cell()
    first_values = [w for w in writers if w[1] == "__init__"]
    assert [(p.name, ast.unparse(v)) for p, _, v in first_values] == [("body.py", "None")]
    assert [(p.name, name) for p, name, _ in writers if name != "__init__"] == [
        ("body.py", "set_position_internal")
    ]


def test_the_scan_sees_a_writer():
    tree = ast.parse("def f(body, cell):\n    body._cell = cell\n    setattr(body, 'cell', cell)\n")
    assert len(list(_assignments(tree.body[0]))) == 2


def test_nobody_else_can_assign_it():
    with pytest.raises(AttributeError):
        PhysicsBody(1).cell = None  # type: ignore[misc]


def test_placing_and_walking_commit_through_the_same_function():
    """Nobody else tells who listens for commits."""
    commits = []
    world, body = two_rooms(), PhysicsBody(1)
    body.on_commit.append(lambda *told: commits.append(told))
    assert place(world, body, Position(A, Frame((99.5, 100.0, 0.005))))[0] == SPE_OK
    push(world, body, (0.1, 0.0, 0.0), 2)
    assert [cell for _, cell, _ in commits] == [None, body.cell, body.cell]


@interpreted_only("replaces a function that compiled code calls directly")
def test_no_static_look_up_runs_in_a_tick_and_the_own_tree_is_asked(monkeypatch):
    def forbidden(*_args, **_kwargs):
        raise AssertionError("a tick looked a cell up by position")

    monkeypatch.setattr(static_lookup, "static_lookup", forbidden)
    monkeypatch.setattr(placement, "adjust_position", forbidden)
    monkeypatch.setattr(placement, "find_visible_child_cell", forbidden)
    asked = []
    from engine.physics.membership import cell_list

    real = cell_list.point_inside_cell_bsp  # type: ignore[attr-defined]

    def spy(planes, x, y, z):
        asked.append(planes)
        return real(planes, x, y, z)

    monkeypatch.setattr(cell_list, "point_inside_cell_bsp", spy)
    world = house()
    body = stand(world, (101.0, 100.0, 0.005), A)
    for _ in range(8):
        inside = body.cell.id == A
        asked.clear()
        push(world, body, (-0.25, 0.0, 0.0))
        if inside:
            assert world.get_visible(A).block_planes in asked
    assert body.cell.is_outdoor


def test_the_static_look_up_is_for_comparison():
    world = two_rooms()
    b = A + 1
    assert static_lookup.static_lookup(world, A, (99.0, 100.0, 1.0), (b, A)) == A
    assert static_lookup.static_lookup(world, A, (100.0, 100.0, 1.0), (b, A)) == b
    assert static_lookup.static_lookup(world, A, (120.0, 100.0, 1.0), (b, A)) == 0
    assert static_lookup.static_lookup(house(), A, (90.0, 100.0, 1.0), (A,)) == 0xA9B4001D
