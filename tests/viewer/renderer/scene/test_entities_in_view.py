"""Entities that the picture does not reach are not drawn, and no picture shows the difference."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.physics.simulation.simulation import Simulation
from engine.replay.scenarios.stage import put
from engine.replay.town import TownSource
from engine.world.frame import Frame
from engine.world.loading.world import World
from engine.world.sources.open_source import open_source
from tests.places import DEMO
from viewer.places import put as put_at
from viewer.renderer.gl.gl_state import GlState
from viewer.renderer.passes.painter import Painter
from viewer.renderer.render_options import RenderOptions
from viewer.renderer.scene.entities import FIGURE, HUMAN, DrawnObject, SceneObjects
from viewer.verify.picture_stage import Onlooker

pytestmark = pytest.mark.gl
VILLAGE, DOOR = 0xA9B40000, 0x020019FF


def test_what_is_left_out_of_a_turn_around_would_not_have_been_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    town = TownSource(open_source(demo=DEMO), VILLAGE, 100, DOOR)
    simulation = Simulation(World(town))
    put(simulation, VILLAGE | 1 + 8 * 4 + 1, (99.0, 32.0, town.height), 0.0)
    shows = Painter._shows
    saved = 0
    with Onlooker(simulation, (160, 90)) as onlooker:
        for heading in range(0, 360, 24):
            picture, objects = onlooker.view(float(heading))
            pictures, triangles = [], []
            for rule in (shows, lambda painter, thing: True):
                monkeypatch.setattr(Painter, "_shows", rule)
                triangles.append(onlooker.renderer.draw(picture, objects).triangles)
                pictures.append(onlooker.renderer.read_rgba().copy())
            assert np.array_equal(*pictures)
            assert triangles[0] <= triangles[1]
            saved += triangles[1] - triangles[0]
    assert saved > 15 * 20 * 48  # a hundred things of 48 triangles stand all around


def test_no_mesh_is_made_for_a_thing_out_of_sight_and_no_corner_of_one_is_beyond_its_reach() -> None:
    simulation = Simulation(World(open_source(demo=DEMO)))
    put_at(simulation, "0xA9B40171 [155.4 13.4 94]")
    with Onlooker(simulation, (64, 36)) as onlooker:
        picture, objects = onlooker.view(180.0)
        entities, library = onlooker.renderer.scene.entities, onlooker.renderer.scene._library
        onlooker.renderer.draw(picture, objects)
        unseen = [thing for thing in objects.outdoors if thing.model_id not in entities._models]
        assert HUMAN in {thing.model_id for thing in unseen}
        for thing in unseen:
            reach = entities.reach(thing)
            for index, (part, resting, scale) in enumerate(library.parts_of(thing.model_id)):
                pose = resting if thing.part_frames is None else thing.part_frames[index]
                for chunk in library.part(part):
                    for x, y, z in (chunk.vertices["position"].astype(float) * scale).tolist():
                        assert math.hypot(*pose.to_global((x, y, z))) * thing.scale <= reach
            stretched = thing._replace(part_frames=(Frame((0.0, 9.0, 0.0)),))
            assert entities.reach(stretched) > 9.0 * thing.scale > reach
            assert thing.model_id not in entities._models


def test_things_of_one_model_are_drawn_at_once_and_look_as_if_one_after_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    town = TownSource(open_source(demo=DEMO), VILLAGE, 100, DOOR)
    simulation = Simulation(World(town))
    put(simulation, VILLAGE | 1 + 8 * 4 + 1, (99.0, 32.0, town.height), 0.0)
    saved = 0
    with Onlooker(simulation, (160, 90)) as onlooker:
        for heading in range(0, 360, 90):
            picture, objects = onlooker.view(float(heading))
            pictures, draws, triangles = [], [], []
            for apart in (False, True):
                monkeypatch.setattr(GlState, "order_shows", apart)
                stats = onlooker.renderer.draw(picture, objects)
                draws.append(stats.draws)
                triangles.append(stats.triangles)
                pictures.append(onlooker.renderer.read_rgba().copy())
            assert np.array_equal(*pictures)
            assert triangles[0] == triangles[1]
            saved += draws[1] - draws[0]
    assert saved > 200


def test_a_thing_that_moved_or_is_posed_anew_is_drawn_where_it_is_now() -> None:
    simulation = Simulation(World(open_source(demo=DEMO)))
    place = "0xA9B40031 [155.4 18.2 94.0] 0 0 0 1"
    put_at(simulation, place)
    there = Frame((155.4, 14.0, 94.0))
    thing = DrawnObject(
        object_id=9, model_id=DOOR, cell_id=VILLAGE | 0x31, frame=there, cells=(VILLAGE | 0x31,)
    )
    model = simulation.world.model(DOOR)
    assert model is not None
    poses = tuple(Frame((0.4 * n, 0.0, 0.3 * n)) for n in range(len(model.parts)))
    ways = [
        thing,
        thing._replace(frame=Frame((154.0, 14.0, 94.0))),
        thing._replace(part_frames=poses),
        thing._replace(scale=0.5),
        thing._replace(model_id=FIGURE),
    ]
    with Onlooker(simulation, (160, 90)) as first:
        picture, _ = first.view(180.0)
        pictures: list[np.ndarray] = []
        for way in ways:
            seen = []
            for _ in range(2):
                first.renderer.draw(picture, SceneObjects([way]))
                seen.append(first.renderer.read_rgba().copy())
                first.renderer.scene.entities._stances.clear()  # as if never drawn before
            assert np.array_equal(*seen)
            pictures.append(seen[0])
            first.renderer.draw(picture, SceneObjects([way]))
    assert len({pixels.tobytes() for pixels in pictures}) == len(ways)


@pytest.mark.parametrize("alpha", [0.25, 0.6])
@pytest.mark.parametrize(
    "place", ["0xA9B40031 [155.4 18.2 94.0] 0 0 0 1", "0xA9B40171 [155.4 13.4 94] 0 0 0 1"]
)
def test_a_faded_figure_is_seen_through_as_a_whole_and_shows_nothing_of_its_inside(
    place: str, alpha: float
) -> None:
    simulation = Simulation(World(open_source(demo=DEMO)))
    put_at(simulation, place)
    cell, (x, y, z) = simulation.position.cell_id, simulation.position.frame.origin
    figure = DrawnObject(
        object_id=9, model_id=HUMAN, cell_id=cell, frame=Frame((x, y - 2.0, z)), cells=(cell,)
    )
    with Onlooker(simulation, (160, 90)) as onlooker:
        picture, _ = onlooker.view(180.0)
        pictures = []
        for things in ([], [figure], [figure._replace(alpha=alpha)]):
            onlooker.renderer.draw(picture, SceneObjects(things), RenderOptions(particles=False))
            assert onlooker.renderer.gl_errors() == []
            pictures.append(onlooker.renderer.read_rgba()[..., :3].astype(float))
    nothing, solid, faded = pictures
    assert (solid != nothing).any(axis=2).sum() > 300
    assert np.abs(faded - (nothing + alpha * (solid - nothing))).max() <= 2.5
