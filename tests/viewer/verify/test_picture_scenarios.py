"""Every scenario of pictures holds on the demo world, and fails when the rule it names is broken."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TypeVar

import pytest

import viewer.picture.eye_line as viewer_camera
from engine import FORM
from engine.dat.values import Vec3
from engine.physics.simulation.static_comparison import static_lookup
from engine.replay.scenarios import passages
from engine.replay.scenarios.scenario import run_scenario
from engine.replay.scenarios.stage import Stage
from engine.visibility.carry import Foothold
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import INTERIOR, SEALED, PictureView
from engine.visibility.view_polygon import full_view
from engine.world.loading.world import World
from engine.world.sources.open_source import open_source
from engine.world.way import DrawnPlace
from tests.places import DEMO
from viewer.renderer.passes.painter import Painter
from viewer.renderer.scene.entities import SceneObjects
from viewer.verify import passage_pictures, picture_scenarios, picture_stage
from viewer.verify.picture_scenarios import PICTURE_SCENARIOS
from viewer.verify.picture_stage import PictureStage
from viewer.verify.verification import make_stage

T = TypeVar("T")
BY_NAME = {scenario.name: scenario for scenario in PICTURE_SCENARIOS}
Patch = pytest.MonkeyPatch
COUNTING = ("root-is-physics-cell",)
WRONG = {
    "root-is-physics-cell": ("roots_wrong", "wrong_between_ticks"),
    "no-unpainted-pixel": ("poses_with_holes", "with_holes_between_ticks"),
}
"""What scenarios that go through every opening count: wrong at ticks, and between two."""

EVERYWHERE = (*WRONG, "hidden-cell-not-drawn")
"""What goes through the whole demo, and takes long."""

pytestmark = pytest.mark.gl


@pytest.fixture
def stage() -> PictureStage:
    return PictureStage(make_stage(lambda: World(open_source(demo=DEMO)), DEMO), (120, 72))


def thinned(places: Callable[..., Iterable[T]], by: int) -> Callable[..., Iterator[T]]:
    return lambda *given, **named: islice(places(*given, **named), 0, None, by)


def fewer(patch: Patch) -> None:
    """Only a few openings are gone through, and a few places stood at, and no more of them are asked for.

    A rule that is broken everywhere is broken there, too.
    """
    patch.setattr(passages, "OPENINGS_AT_MOST", 16)
    for name in ("standing_places", "_street"):
        patch.setattr(picture_scenarios, name, thinned(getattr(picture_scenarios, name), 6))
    for name in ("POSES_AT_LEAST", "OPENINGS_AT_LEAST"):
        patch.setattr(picture_scenarios, name, 0)


def root_by_look_up(patch: Patch) -> None:
    """The eye's cell is looked for afresh instead of being carried from the body's."""
    real = viewer_camera.build_view  # type: ignore[attr-defined]

    def build(world, body_cell, *, foot, pivot, eye, view, options=None, index=None, start=None):  # type: ignore[no-untyped-def]
        hints = world.blocks[body_cell & 0xFFFF0000].env_cells
        found = static_lookup(world, body_cell, eye, hints)
        here = Foothold(found, eye) if found else start
        at = found or body_cell
        return real(
            world, at, foot=eye, pivot=eye, eye=eye, view=view, options=options, index=index, start=here
        )

    patch.setattr(viewer_camera, "build_view", build)


def changed_frames(change: Callable[[PictureView], PictureView]) -> Callable[[Patch], None]:
    """What a body sees is changed before anything is made of it."""

    def break_it(patch: Patch) -> None:
        real = viewer_camera.build_view  # type: ignore[attr-defined]
        patch.setattr(viewer_camera, "build_view", lambda *given, **named: change(real(*given, **named)))

    return break_it


def exits_are_blind(picture: PictureView) -> PictureView:
    """The landscape is never drawn from an interior root, nor what stands in it."""
    if picture.flood is None:
        return picture
    cells = tuple(cell for cell in picture.cells if cell.flood is None)
    return picture._replace(path=SEALED, outside=(), look_ins=(), cells=cells)


def last_cell_is_left_out(picture: PictureView) -> PictureView:
    if picture.flood is None or len(picture.flood.order) < 2:
        return picture
    last = picture.flood.draw_order()[-1]
    shown = frozenset(cell.cell for cell in picture.cells if cell.cell != last)
    return picture._replace(only=shown)


def landscape_is_always_drawn(picture: PictureView) -> PictureView:
    """Every flood claims to have reached an exit."""
    if picture.flood is None:
        return picture
    return picture._replace(path=INTERIOR, outside=(*picture.outside, full_view()))


def every_cell_is_drawn(patch: Patch) -> None:
    """The shells of the whole landblock are drawn wherever one cell is."""
    real = Painter.cell

    def cell(self, cell_id, *, also_outdoors=True):  # type: ignore[no-untyped-def]
        for other in self._world.blocks[cell_id & 0xFFFF0000].env_cells:
            real(self, other, also_outdoors=also_outdoors)

    patch.setattr(Painter, "cell", cell)


def door_leaves_are_not_drawn(patch: Patch) -> None:
    patch.setattr(picture_stage, "scene_objects", lambda *a, **k: SceneObjects())


MUTATIONS: dict[str, Callable[[Patch], None]] = {
    "root-is-physics-cell": root_by_look_up,
    "landscape-through-door": changed_frames(exits_are_blind),
    "no-unpainted-pixel": changed_frames(last_cell_is_left_out),
    "dungeon-no-landscape": changed_frames(landscape_is_always_drawn),
    "hidden-cell-not-drawn": every_cell_is_drawn,
    "interior-through-street-door": door_leaves_are_not_drawn,
}


@pytest.mark.parametrize("name", BY_NAME)
def test_picture_scenario_holds_on_the_demo(
    stage: PictureStage, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that counts calls holds but for those in the compiled form, and does not say that it holds."""
    if name == "no-unpainted-pixel":  # of each passage's eight frames three, others each time
        moments = passage_pictures._moments
        monkeypatch.setattr(passage_pictures, "_moments", thinned(moments, 3))
    result = run_scenario(BY_NAME[name], stage)
    if FORM.compiled and name in COUNTING:
        assert result.ok is None
        assert "calls can't be counted; else it holds" in result.detail
    else:
        assert result.ok, f"{result.detail} {result.figures}"


@pytest.mark.parametrize("name", BY_NAME)
def test_picture_scenario_goes_red_when_its_rule_is_broken(
    stage: PictureStage, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name in EVERYWHERE:
        fewer(monkeypatch)
    MUTATIONS[name](monkeypatch)
    result = run_scenario(BY_NAME[name], stage)
    assert result.ok is False, f"{result.detail} {result.figures}"
    assert "internal error" not in result.detail
    assert all(result.figures[count] for count in WRONG.get(name, ()))
    assert result.figures.get("pixels_of_hidden", 1) != 0


def carried_from_the_commit(world: World, index: OpeningIndex, drawn: DrawnPlace, center: Vec3) -> Foothold:
    """The way is passed over: the drawn foot is said to be in the cell that was committed last."""
    x, y, z = (p + c for p, c in zip(drawn.feet, center, strict=True))
    return Foothold(drawn.home, (x, y, z))


@pytest.mark.parametrize("name", WRONG)
def test_frames_between_two_ticks_need_the_way(stage: PictureStage, name: str, monkeypatch: Patch) -> None:
    fewer(monkeypatch)
    monkeypatch.setattr(viewer_camera, "foothold", carried_from_the_commit)
    result = run_scenario(BY_NAME[name], stage)
    assert result.ok is False, f"{result.detail} {result.figures}"
    at_ticks, between = (result.figures[count] for count in WRONG[name])
    assert at_ticks == 0
    assert isinstance(between, int)
    assert between > 100


@pytest.mark.parametrize("name", BY_NAME)
def test_a_landblock_that_is_not_there_is_named(name: str) -> None:
    """As where a scene's home is mistyped, or the dats lack its landblock."""
    places = {"dungeon entrance": "0x12340100 [38 60 -6]"}
    stage = Stage(lambda: World(open_source(demo=DEMO)), "0x12340001 [1 1 0]", places)
    result = run_scenario(BY_NAME[name], PictureStage(stage, (16, 16)))
    assert (result.ok, result.detail) == (None, "landblock 0x1234 is not there")


def test_every_picture_scenario_has_its_mutation() -> None:
    assert set(MUTATIONS) == set(BY_NAME)
