"""Particles in pictures: with the cell of their owner, within its regions, and the same every time."""

from __future__ import annotations

from functools import partial

import moderngl
import numpy as np
import pytest

from engine.dat.records.gfx_obj_degrade_info import DegradeLevel
from engine.particles.effects import Effects, Standing
from engine.particles.looks import Look
from engine.particles.world_effects import EntityPlace, WorldEffects
from engine.physics.simulation.simulation import Simulation
from engine.visibility.picture_view import INTERIOR, OUTDOOR, SEALED
from engine.world.frame import Frame
from engine.world.loading.world import World
from engine.world.location import parse_location
from engine.world.sources.open_source import open_source
from scripts.demo_world import ids
from tests.particles.bench_parts import Shelf, standard
from tests.particles.built_scripts import create, script
from tests.places import DEMO
from viewer.picture.live_effects import LiveEffects
from viewer.renderer.render_options import RenderOptions
from viewer.renderer.scene.entities import HUMAN, DrawnObject, SceneObjects
from viewer.renderer.scene.particles import OUTDOORS
from viewer.verify.picture_stage import Onlooker, region_mask, same_pixels

pytestmark = pytest.mark.gl
SIZE = (240, 160)

# Puffs as large as rooms, up to 25 m to all sides of a point.
EVERYWHERE = standard(
    hw_gfxobj=ids.PUFF, birthrate=0.0, max_particles=200, lifespan=7.0, offset_dir=(0.0, 0.0, 0.0),
    max_offset=25.0, start_scale=6.0, final_scale=6.0,
)  # fmt: skip
PLAY = script(0x33000001, (0.0, create()))
HALL, AISLE, MAIN, CELLAR = 0xA9B40157, 0xA9B40159, 0xA9B40171, 0xA9B40174
STREET = 0xA9B40031


@pytest.fixture(scope="module")
def demo():
    simulation = Simulation(World(open_source(demo=DEMO)))
    with Onlooker(simulation, SIZE) as onlooker:
        yield simulation, onlooker


def everywhere(cell_id, at):
    """Particles that fly all about, owned by something in a cell."""
    level = DegradeLevel(gfxobj=ids.PUFF, mode=2, min=0.0, ideal=1e6, max=1e6)
    effects = Effects(Shelf(EVERYWHERE, PLAY, looks={ids.PUFF: Look.of(ids.PUFF, (level,))}))
    effects.add("it", Standing(cell_id, Frame(at), script=PLAY.id))
    effects.advance(100)
    return lambda eye, _: effects.shown(100 / 30, eye, lambda *_: True)


def rgb(onlooker, picture, objects, options=None):
    renderer = onlooker.renderer
    renderer.draw(picture, objects, options or RenderOptions())
    assert renderer.gl_errors() == []
    return renderer.read_rgba()[..., :3].copy()


def look(demo, place, yaw, pitch=0.0):
    simulation, onlooker = demo
    simulation.world.load_around(parse_location(place).position.cell_id)
    simulation.teleport(parse_location(place).position)
    picture, _ = onlooker.view(yaw, pitch)
    return picture


def changed(demo, picture, cell_id, at):
    """The pixels that such particles change."""
    _, onlooker = demo
    plain = rgb(onlooker, picture, SceneObjects())
    return ~same_pixels(plain, rgb(onlooker, picture, SceneObjects((), everywhere(cell_id, at))))


IN_HALL = ("0xA9B40157 [156 33.5 94]", 250.0)
FROM_STREET = ("0xA9B40031 [152.6 21.0 94]", 30.0)
IN_CELLAR = ("0xA9B40174 [151.8 8.5 91]", 20.0)


@pytest.mark.parametrize("owner", [HALL, AISLE, 0xA9B4015A, 0xA9B40169, MAIN, CELLAR])
@pytest.mark.parametrize(
    ("place", "yaw", "path"), [(*IN_HALL, INTERIOR), (*FROM_STREET, OUTDOOR), (*IN_CELLAR, None)]
)
def test_a_room_keeps_its_particles_within_its_regions(*, demo, place, yaw, path, owner):
    picture = look(demo, place, yaw)
    assert path is None or picture.path == path
    regions = picture.regions_of(owner)
    found = changed(
        demo, picture, owner, (156.0, 35.0, 96.0) if owner not in {MAIN, CELLAR} else (154, 10, 95)
    )
    if not regions:
        assert not found.any()
        return
    assert not (found & ~region_mask(regions, SIZE, -1.0)).any()
    if region_mask(regions, SIZE).sum() > 200:
        assert found.sum() > 20


def test_the_views_show_some_rooms_and_not_others(demo):
    """Else the test above would say nothing."""
    rooms = (HALL, AISLE, MAIN, CELLAR)
    shown = {
        place: {cell for cell in rooms if look(demo, place, yaw).regions_of(cell)}
        for place, yaw in (IN_HALL, FROM_STREET, IN_CELLAR)
    }
    assert HALL in shown[IN_HALL[0]]
    assert CELLAR in shown[IN_CELLAR[0]]
    assert all(set(rooms) - cells for cells in shown.values())


def test_outdoors_they_are_seen_through_exits_and_nowhere_else(demo):
    at = (150.0, 22.0, 96.0)
    picture = look(demo, "0xA9B40157 [156 33.5 94]", 250.0)
    assert picture.path == INTERIOR
    found = changed(demo, picture, STREET, at)
    assert found.any()
    assert not (found & ~region_mask(picture.outside, SIZE, -1.0)).any()
    outside = look(demo, *FROM_STREET)
    assert changed(demo, outside, STREET, at).sum() > 10_000


def test_a_frame_without_exits_shows_nothing_of_outdoors(demo):
    picture = look(demo, "0xA9B40174 [151.8 8.5 91]", 180.0, -20.0)
    assert picture.path == SEALED
    assert not changed(demo, picture, STREET, (152.0, 8.0, 91.0)).any()


def test_their_mode_and_the_hole_counter_leave_them_out(demo):
    _, onlooker = demo
    picture = look(demo, *FROM_STREET)
    objects = SceneObjects((), everywhere(STREET, (150.0, 22.0, 96.0)))
    plain = rgb(onlooker, picture, SceneObjects())
    for options in (RenderOptions(particles=False), RenderOptions(sentinel=True)):
        assert (rgb(onlooker, picture, objects, options) == plain).all()


def test_stencil_and_draws_are_as_before_them(demo):
    _, onlooker = demo
    renderer = onlooker.renderer
    for place, yaw in (IN_HALL, FROM_STREET):
        picture = look(demo, place, yaw)
        residue = []
        for particles in (None, everywhere(HALL, (156.0, 35.0, 96.0))):
            stats = renderer.draw(picture, SceneObjects((), particles), RenderOptions(check_stencil=True))
            residue.append(stats.stencil_residue)
        assert residue[0] == residue[1]


def test_the_demo_burns_and_a_picture_is_the_same_every_time(demo):
    simulation, onlooker = demo
    picture = look(demo, "0xA9B40157 [148.5 33.0 94]", 300.0, -2.0)
    plain = rgb(onlooker, picture, SceneObjects())
    pictures = []
    for _ in "ab":
        _, objects = onlooker.view(300.0, -2.0)
        objects = SceneObjects(objects.objects, partial(LiveEffects(simulation).shown, 5.0))
        pictures.append(rgb(onlooker, picture, objects))
    assert (pictures[0] == pictures[1]).all()
    assert (~same_pixels(plain, pictures[0])).sum() > 100


def test_what_loads_and_goes_takes_its_effects_along(demo):
    simulation, _ = demo
    look(demo, *FROM_STREET)
    live = LiveEffects(simulation)
    owners = len(live.effects.owners)
    assert owners >= 12
    block = simulation.world.blocks[0xA9B40000]
    simulation.world.unload_block(block.id)
    assert len(live.effects.owners) == 0
    simulation.world.attach_block(block)
    assert len(live.effects.owners) == owners
    live.close()
    simulation.world.unload_block(block.id)
    assert len(live.effects.owners) == owners
    simulation.world.attach_block(block)


def test_what_found_no_room_to_be_born_is_told_by_the_picture(demo):
    simulation, _ = demo
    lines = simulation.world.problems.lines
    before = len(lines)
    look(demo, *FROM_STREET)
    eye = (0xA9 * 192.0 + 150.0, 0xB4 * 192.0 + 22.0, 96.0)
    live = LiveEffects(simulation)
    live.shown(5.0, eye, lambda _: True)
    assert len(lines) == before
    live.close()
    live = LiveEffects(simulation)
    live.effects.pool.room.particles = 5
    live.shown(5.0, eye, lambda _: True)
    live.close()
    (line,) = lines[before:]
    del lines[before:]
    assert line.startswith(f"{simulation.world.source.name}, object 0x32")
    assert "particles on all things together; the rest is not born" in line


def test_what_moves_takes_its_emitters_along(demo):
    """The lifestone as something that is placed by a scene, then pushed."""
    simulation, _ = demo
    look(demo, *FROM_STREET)
    effects = WorldEffects(simulation.world)
    setup = ids.setup_of(ids.LIFESTONE)
    for tick, x in ((300, 150.0), (303, 160.0)):
        effects.follow([EntityPlace(0x70000001, setup, STREET, Frame((x, 22.0, 94.0)))])
        effects.advance(tick)
        eye = (0xA9 * 192.0 + x, 0xB4 * 192.0 + 22.0, 96.0)
        mine = effects.shown(tick / 30, eye, lambda _, distance: distance < 3.0)
        assert len(mine) > 10
        assert abs(mine.middles[:, 0]).max() < 0.01
    effects.follow([])
    assert all(key[0] != "entity" for key in effects.owners)
    effects.close()


def test_runs_go_from_far_to_near_and_stop_at_other_things(demo):
    _, onlooker = demo
    meshes = onlooker.renderer.scene.particles
    eye = (0xA9 * 192.0 + 150.0, 0xB4 * 192.0 + 20.0, 96.0)
    shown = everywhere(STREET, (150.0, 22.0, 96.0))(eye, lambda *_: True)
    meshes.begin(shown, lambda *_: (0.0, 0.0, 0.0))
    (whole,) = meshes.runs(OUTDOORS)
    count = len(shown)
    assert count > 150
    assert (whole.rows, whole.first, whole.adds) == (count, 0, False)
    assert whole.far == shown.far.max()
    middle = float(np.sort(shown.far)[count - 61 : count - 59].mean())
    runs = meshes.runs(OUTDOORS, [middle, 1e9, -1.0])
    assert [run.rows for run in runs] == [60, count - 60]
    assert runs[0].far > middle > runs[1].far
    assert meshes.runs(HALL) == []
    assert isinstance(meshes._rows, moderngl.Texture)
    meshes.begin(None, lambda *_: (0.0, 0.0, 0.0))
    assert meshes.runs(OUTDOORS) == []


def test_a_fire_is_seen_through_a_faded_figure_before_it(demo):
    """The fire only adds light, and so comes late; the figure, which leaves its depths, comes after it."""
    simulation, onlooker = demo
    picture = look(demo, "0xA9B40171 [154.6 12.9 94] 1 0 0 0", 90.0, -10.0)
    effects = LiveEffects(simulation)
    particles = partial(effects.shown, 12.0)
    figure = DrawnObject(
        object_id=9, model_id=HUMAN, cell_id=MAIN, frame=Frame((155.6, 12.9, 94.0)), cells=(MAIN, 0xA9B40170)
    )

    def lit(*things):
        without = rgb(onlooker, picture, SceneObjects(things), RenderOptions(particles=False))
        return ~same_pixels(without, rgb(onlooker, picture, SceneObjects(things, particles)))

    burning = lit()
    hidden = burning & ~lit(figure)
    assert hidden.sum() > 100  # it stands before the fire
    seen = burning & ~lit(figure._replace(alpha=0.4))
    effects.close()
    assert seen.sum() < 0.2 * hidden.sum()
