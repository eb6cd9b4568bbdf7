"""How far a landblock reaches that nobody has loaded, and which have to be loaded to know it."""

from __future__ import annotations

import math

import pytest

from engine.dat.errors import DatError
from engine.dat.records.land_block_info import BuildingInfo, Stab
from engine.dat.records.scene import Scene as SceneDesc
from engine.dat.values import IDENTITY_FRAME, StoredFrame
from engine.world.ids import block_offset
from engine.world.loading.outlines import MOST_BUILT, Outlines
from engine.world.loading.world import World
from engine.world.source import Scene, SceneObject
from engine.world.sources.open_source import demo_source
from tests.places import DEMO
from tests.world.meadows import OAK, SCENE, Meadow, plant
from tests.world.world_records import BLOCK, box_model, cell, info, room, setup

DAMAGE = DatError("memory", BLOCK, 8, "cut short")
HUT, TORN, MILL, UNIT = 0x01000009, 0x0100000A, 0x02000009, (1.0, 0.0, 0.0, 0.0)


def meadow(**fields):
    """Grass with an oak of up to three times its size, and a model in store that nothing uses."""
    source = Meadow(plant(min_scale=1.0, max_scale=3.0), **fields)
    source.models[HUT] = box_model(HUT, (-2, -2, 0), (2, 2, 3))
    return source


def stab(model=HUT, at=(20.0, 30.0, 25.0), turn=UNIT):
    return info(objects=[Stab(model, StoredFrame(at, turn))])


def outline(source):
    """The outline of the source's landblock; finding it loads and reports nothing."""
    world = World(source)
    found = Outlines(world).of(BLOCK | 0x31)
    assert world.blocks == {}
    assert world.problems.lines == []
    return found


def test_all_that_stands_in_the_demos_countryside_lies_in_its_outlines():
    world, other = World(demo_source(DEMO)), World(demo_source(DEMO))
    outlines, seen = Outlines(other), 0
    for block_id in (b << 16 for b in range(0xA7B2, 0xACB7)):
        block = world.load_block(block_id)
        box = outlines.of(block_id)
        if block is None or box is None:
            continue
        assert not (block.buildings or block.env_cells or block.entities)
        assert box.az <= min(block.heights) <= max(block.heights) <= box.bz
        for thing in block.statics:
            seen += 1
            model = world.model(thing.model_id)
            reach = model.reach() * thing.scale
            place = map(sum, zip(thing.frame.origin, block_offset(block_id, thing.cell_id), strict=True))
            for value, low, high in zip(
                place, (box.ax, box.ay, box.az), (box.bx, box.by, box.bz), strict=True
            ):
                assert low <= value - reach
                assert value + reach <= high
    assert seen > 1000
    assert other.blocks == {}


def test_an_outline_holds_the_ground_and_the_tallest_that_may_grow_there():
    heights = [10] * 81
    heights[7] = 20
    box = outline(meadow(heights=heights))
    reach = 3.0 * math.hypot(0.1, 0.1, 1.0)
    assert (box.ax, box.by) == pytest.approx((-reach, 192.0 + reach), abs=0.1)
    assert (box.az, box.bz) == pytest.approx((20.0 - reach, 40.0 + reach), abs=0.1)


def test_an_outline_holds_objects_wherever_they_stand():
    source = meadow()
    source.info = stab(at=(20.0, 250.0, 90.0))
    box = outline(source)
    reach = math.hypot(2.0, 2.0, 3.0)
    assert (box.by, box.bz) == pytest.approx((250.0 + reach, 90.0 + reach), abs=0.1)


def scene_with(**fields):
    return Scene((SceneObject(HUT, BLOCK | 1, IDENTITY_FRAME, **fields),))


@pytest.mark.parametrize(
    "change",
    [
        lambda s: setattr(s, "info", info(buildings=[BuildingInfo(HUT, IDENTITY_FRAME, 0, ())])),
        lambda s: (s.cells.update({BLOCK | 0x100: cell(0x100)}), setattr(s, "listed", (BLOCK | 0x100,))),
        lambda s: setattr(s, "objects", scene_with()),
        lambda s: setattr(s, "objects", scene_with(entity_id=7)),
        lambda s: setattr(s, "info", stab(MILL)),
        lambda s: setattr(s, "info", stab(0x01000077)),
        lambda s: setattr(s, "info", stab(TORN)),
        lambda s: setattr(s, "info", stab(at=(math.nan, 0.0, 0.0))),
        lambda s: setattr(s, "info", stab(turn=(2.0, 0.0, 0.0, 0.0))),
        lambda s: setattr(s, "info", DAMAGE),
        lambda s: s.scenes.update({SCENE: None}),
        lambda s: s.scenes.update({SCENE: DAMAGE}),
        lambda s: s.models.pop(OAK),
        lambda s: s.scenes.update({SCENE: SceneDesc(SCENE, (plant(max_scale=-1.0),))}),
    ],
    ids=[
        "buildings", "rooms", "a scene's object", "an entity", "what moves", "a missing model",
        "a damaged one", "no place", "an odd turn", "damage", "a missing scene", "a damaged scene",
        "a missing tree", "an odd plant",
    ],
)  # fmt: skip
def test_there_is_no_outline_of_what_has_to_be_loaded(change):
    source = meadow(environments=[room()])
    source.setups[MILL] = setup(MILL, [HUT], animation=0x03000001)
    array = source.models[HUT].vertex_array
    torn = array.vertices[0]._replace(pos=(math.nan, 0.0, 0.0))
    source.models[TORN] = source.models[HUT]._replace(
        id=TORN, vertex_array=array._replace(vertices=(torn, *array.vertices[1:]))
    )
    source.info = stab()
    assert outline(source) is not None
    change(source)
    assert outline(source) is None


@pytest.mark.parametrize(
    "what", [{"script": 0x33000001}, {"script_table": 0x34000001}, {"motion_table": 0x09000001}]
)
def test_there_is_none_of_what_starts_effects_or_moves(what):
    source = meadow()
    source.physics_script = lambda _: None
    source.setups[MILL] = setup(MILL, [HUT])
    source.info = stab(MILL)
    assert outline(source) is not None
    source.setups[MILL] = setup(MILL, [HUT], **what)
    assert outline(source) is None


def test_no_more_models_are_built_for_outlines_than_a_landblock_is_worth():
    source = meadow()
    ids = range(0x01000100, 0x01000100 + MOST_BUILT)
    source.models |= {number: box_model(number) for number in ids}
    source.info = info(objects=[Stab(number, IDENTITY_FRAME) for number in ids])
    assert outline(source) is None  # with the oak there is one too many
    world = World(source)
    world.load_block(BLOCK)
    assert Outlines(world).of(BLOCK) is not None  # what is loaded is known
