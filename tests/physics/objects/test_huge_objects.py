"""Objects far larger than anything in the game: linear cost, and one line for what is cut off or left out."""

import json
import time

import pytest

from engine.dat.values import StoredFrame
from engine.physics.membership.cell_array import FEW, CellArray
from engine.physics.objects.cross_cells import MOST_CELLS
from engine.physics.simulation.simulation import Simulation
from engine.world.loading.world import World
from engine.world.source import Scene, SceneObject
from tests.world.world_records import BLOCK, MemorySource, box_model
from viewer.main import main

UPRIGHT = (1.0, 0.0, 0.0, 0.0)
ENTITY = 0x70000001


def placed(scale, size=1.0, entity=ENTITY):
    item = SceneObject(
        0x01000001,
        BLOCK | 1,
        StoredFrame((12.0, 12.0, 94.0), UPRIGHT),
        entity,
        scale=scale,
        where="objects[0]",
    )
    source = MemorySource(models=[box_model(0x01000001, (-size,) * 3, (size,) * 3)], scene=Scene((item,)))
    world = World(source)
    world.load_block(BLOCK)
    return world


@pytest.mark.parametrize(("scale", "size"), [(10_000.0, 1.0), (1.0, 2000.0), (2.0, 250_000.0)])
def test_a_huge_object_costs_what_its_cells_cost(scale, size):
    started = time.process_time()
    world = placed(scale, size)
    simulation = Simulation(world)
    assert time.process_time() - started < 4.0
    cells = simulation.registry.cells_of(ENTITY)
    assert len(cells) == len(set(cells)) > 10_000
    assert len(simulation.registry.get(ENTITY).shadows) == 64
    cut = scale * size > MOST_CELLS * 24.0
    assert len(world.problems.lines) == int(cut)
    if cut:
        (line,) = world.problems.lines
        assert line.startswith("memory, object 0x70000001: its model 0x01000001 at scale ")
        assert "reaches over 2400 m" in line


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("scale", "size"), [(1e6, 2.0), (1e9, 1.0), (3e38, 1.0)])
def test_an_object_beyond_all_bounds_is_left_out_in_one_line(scale, size):
    world = placed(scale, size)
    assert Simulation(world).registry.get(ENTITY) is None
    (line,) = world.problems.lines
    assert line.startswith("objects[0]: model 0x01000001 at scale ")
    assert line.endswith("over 1000000 m; left out")


def test_an_array_of_cells_holds_each_once_however_long_it_is():
    array = CellArray()
    for number in (*range(4 * FEW), *range(4 * FEW)):
        array.add_cell(number, None, "seed")
    assert array.ids == list(range(4 * FEW))
    array.remove_cell(0)
    assert not array.holds(0)
    assert array.holds(4 * FEW - 1)
    array.add_cell(0, None, "seed")
    array.reset()
    assert not array.holds(3)
    for number in range(2 * FEW):
        array.add_cell(number, None, "seed")
    assert array.ids == list(range(2 * FEW))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("key", ["step_up", "step_down"])
def test_a_step_height_beyond_arithmetic_is_one_line(tmp_path, capsys, key):
    path = tmp_path / "sim.json"
    path.write_text(json.dumps({"start": "0xA9B40031 [150 20 94]", "mover": {key: 3e38}, "steps": []}))
    assert main(["sim", str(path), "--demo"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert f"sim.json: mover: {key}: is 3e+38, too large" in err


@pytest.mark.gl
@pytest.mark.filterwarnings("error")
def test_a_picture_with_a_static_at_3e38_says_one_line(tmp_path, capsys):
    scene = tmp_path / "scene.json"
    scene.write_text(
        '{"objects": [{"gfxobj": "0x01000A10", "at": "0xA9B40171 [155.4 12 94]", "scale": 900000000}]}'
    )
    words = ["--scene", str(scene), "--at", "0xA9B40031 [150 20 94]", "--out", str(tmp_path / "a.png")]
    assert main(["render", "--demo", "--size", "64x64", *words]) == 0
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "scene.json: objects[0]: model 0x01000A10 at scale 9e+08 reaches" in err
