"""No pixel is left unpainted in over 2,000 poses of the demo world, first and third person."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator

import pytest

from engine.physics.simulation.simulation import Simulation
from engine.replay.scenarios.scenario import StagingError
from engine.replay.scenarios.stage import put
from engine.visibility.picture_view import PictureView
from engine.world.cells import EnvCell, Landblock
from engine.world.loading.world import World
from engine.world.sources.open_source import open_source
from tests.places import DEMO
from viewer.picture.eye_line import EyeLine, see
from viewer.picture.scene_objects import scene_objects
from viewer.renderer.scene.entities import SceneObjects
from viewer.verify.picture_stage import Onlooker, PictureStage, standing_places
from viewer.verify.verification import make_stage

VILLAGE, DUNGEON = 0xA9B40000, 0x01070000
SIZE = (80, 45)
POSES = 2000
LOOKS = 2
MILLIMETRES = (-12.0, -4.0, -1.0, -0.3, 0.0, 0.3, 1.0, 4.0, 12.0)

pytestmark = [pytest.mark.gl, pytest.mark.slow]


def streets(onlooker: Onlooker, stage: PictureStage, rng: random.Random) -> Iterator[str]:
    """Stand before every door, and here and there in the village."""
    simulation = onlooker.simulation
    for doorway in stage.stage.doors(simulation).things:
        for out in (0.1, 0.4, 0.8, 2.0, 6.0, 15.0):
            for side in (-1.5, 0.0, 1.5):
                try:
                    put(simulation, doorway.outside_cell(out), doorway.point(out, side))
                except StagingError:
                    continue
                yield "doorway" if out < 1.0 else "street"
    for _ in range(60):
        x, y = rng.uniform(96.0, 190.0), rng.uniform(2.0, 96.0)
        cell = VILLAGE | (int(x // 24) * 8 + int(y // 24) + 1)
        try:
            put(simulation, cell, (x, y, 94.0))
        except StagingError:
            continue
        yield "street"


def openings(block: Landblock, rng: random.Random) -> Iterator[tuple[EnvCell, EyeLine]]:
    """Eyes within millimetres of every opening's plane, led there from 0.4 m inside the cell."""
    for cell in block.env_cells.values():
        for portal in cell.portals:
            ring = [cell.frame.to_global(v) for v in portal.polygon.vertices]
            x, y, z = (sum(p[k] for p in ring) / len(ring) for k in range(3))
            side = -1.0 if portal.portal_side else 1.0
            nx, ny, nz = (side * c for c in cell.frame.to_global_vec(portal.polygon.normal))
            inside = (x + 0.4 * nx, y + 0.4 * ny, z + 0.4 * nz)
            off = rng.choice(MILLIMETRES) / 1000.0
            yield cell, EyeLine(inside, inside, (x + off * nx, y + off * ny, z + off * nz))


class Survey:
    """Draws poses and counts them; ``holes`` has a line for each that is not whole."""

    def __init__(self, onlooker: Onlooker, rng: random.Random) -> None:
        self.onlooker = onlooker
        self.rng = rng
        self.poses: Counter[str] = Counter()
        self.paths: Counter[str] = Counter()
        self.holes: list[str] = []

    def look(self, kind: str) -> None:
        """Look around from the body, first and third person."""
        if not self.onlooker.simulation.body.on_ground:
            return  # put where it could not settle
        for _ in range(LOOKS):
            for third in (False, True):
                yaw, pitch = self._anywhere()
                self._draw(kind, *self.onlooker.view(yaw, pitch, third=third))

    def look_from(self, kind: str, cell: EnvCell, line: EyeLine, size: tuple[int, int] = SIZE) -> None:
        """Look around from an eye that is led out of a cell."""
        world, index = self.onlooker.simulation.world, self.onlooker.index
        objects = scene_objects(self.onlooker.simulation, line, now=0.0, figure=False)
        for _ in range(LOOKS):
            self._draw(kind, see(world, index, cell.id, line, look=self._anywhere(), size=size), objects)

    def _anywhere(self) -> tuple[float, float]:
        return self.rng.uniform(0.0, 360.0), self.rng.uniform(-60.0, 50.0)

    def _draw(self, kind: str, picture: PictureView, objects: SceneObjects) -> None:
        unpainted = self.onlooker.unpainted(picture, objects)
        self.poses[kind] += 1
        self.paths[picture.path] += 1
        if unpainted:
            x, y, z = picture.view.forward
            yaw, pitch = math.degrees(math.atan2(x, y)), math.degrees(math.asin(z))
            eye = picture.view.eye
            self.holes.append(f"{kind}: {unpainted}, root 0x{picture.root:08X} {eye} {yaw:.2f},{pitch:.2f}")


# cell, what the eye is led from, eye, where it looks, size: the inn's openings from beside them
PAST_AN_EDGE = [
    (
        0x15A,
        (154.1, 38.8, 98.65),
        (154.1, 38.404, 98.65),
        (-105.42646577376185, -57.82007461668026),
        (121, 73),
    ),
    (0x15A, (147.7, 38.8, 98.65), (147.7, 38.4003, 98.65), (108.12548449347386, 48.20447992744736), (81, 45)),
    (0x157, (150.9, 37.9998, 95.3), (150.9, 37.9998, 95.3), (-91.364, 45.0), (640, 360)),
]


@pytest.mark.parametrize(("cell", "inside", "eye", "look", "size"), PAST_AN_EDGE)
def test_a_pixel_seen_past_the_edge_of_an_opening_is_painted(*, cell, inside, eye, look, size):
    """The next opening is a sliver of a hundredth pixel, and a pixel's centre lies in it: it was left out."""
    stage = PictureStage(make_stage(lambda: World(open_source(demo=DEMO)), DEMO), size)
    simulation = stage.stage.simulation(VILLAGE)
    with stage.onlooker(simulation) as onlooker:
        picture = see(
            simulation.world,
            onlooker.index,
            VILLAGE | cell,
            EyeLine(inside, inside, eye),
            look=look,
            size=size,
        )
        assert onlooker.draw(picture, SceneObjects()).stats.sentinel == 0


def open_every_other_door(simulation: Simulation) -> None:
    """And wait until their clips have ended."""
    for door in list(simulation.doors)[::2]:
        simulation.use(door)
    simulation.wait(2.0)


def report(surveys: list[Survey], capsys: pytest.CaptureFixture[str]) -> Counter[str]:
    """Say how many poses were drawn; no picture may have had a hole. The poses by kind of frame."""
    poses = sum((s.poses for s in surveys), Counter())
    paths = sum((s.paths for s in surveys), Counter())
    holes = [line for s in surveys for line in s.holes]
    with capsys.disabled():
        print(f"\n{poses.total()} poses {dict(poses)} {dict(paths)}, {len(holes)} with unpainted pixels")
    assert not holes, "\n".join(holes)
    return paths


def test_every_pixel_is_painted(capsys):
    rng = random.Random(2000)
    stage = PictureStage(make_stage(lambda: World(open_source(demo=DEMO)), DEMO), SIZE)
    surveys = []
    for block_id in (VILLAGE, DUNGEON):
        simulation = stage.stage.simulation(block_id)
        block = simulation.world.blocks[block_id]
        open_every_other_door(simulation)
        with stage.onlooker(simulation) as onlooker:
            survey = Survey(onlooker, rng)
            surveys.append(survey)
            for _ in standing_places(simulation, block, rng):
                survey.look("dungeon" if block_id == DUNGEON else "rooms")
            for cell, line in openings(block, rng):
                survey.look_from("openings", cell, line)
            if block_id == VILLAGE:
                for kind in streets(onlooker, stage, rng):
                    survey.look(kind)
    paths = report(surveys, capsys)
    assert paths.total() >= POSES
    assert set(paths) == {"outdoor", "interior", "sealed"}


def test_every_pixel_of_a_larger_picture_is_painted_near_openings(capsys):
    """Slivers that no pixel's centre of a small picture lies in: they show only at the size of a window."""
    rng = random.Random(640)
    size = (641, 359)
    stage = PictureStage(make_stage(lambda: World(open_source(demo=DEMO)), DEMO), size)
    surveys = []
    for block_id in (VILLAGE, DUNGEON):
        simulation = stage.stage.simulation(block_id)
        open_every_other_door(simulation)
        with stage.onlooker(simulation) as onlooker:
            surveys.append(Survey(onlooker, rng))
            for cell, line in openings(simulation.world.blocks[block_id], rng):
                surveys[-1].look_from("openings", cell, line, size)
    assert report(surveys, capsys).total() >= 300
