"""Every scenario of numbers holds on the demo world, and fails when the rule it names is broken."""

from __future__ import annotations

from typing import NoReturn

import pytest

from engine.dat.errors import DatError
from engine.physics.membership.cell_array import CellArray
from engine.physics.objects.shadow_object import PhysicsObject
from engine.physics.objects.shadow_registry import ShadowRegistry
from engine.replay.scenarios.passages import passages
from engine.replay.scenarios.scenario import (
    MissingMeansError,
    Outcome,
    Scenario,
    StagingError,
    run_scenario,
)
from engine.replay.scenarios.stage import Stage
from engine.world.cells import EnvCell, Portal
from engine.world.loading.world import World
from engine.world.polygon import Polygon
from engine.world.sources.open_source import SourceError, open_source
from tests.needed import breaks_a_rule, interpreted_only
from tests.places import DEMO, SHARED
from tests.replay.scenarios.lookups import LOOKUPS
from tests.replay.scenarios.mutations import MUTATIONS
from viewer.verify.picture_stage import PictureStage
from viewer.verify.verification import NUMBER_SCENARIOS, make_stage, run_named

CASES = SHARED / "cases"
BY_NAME = {scenario.name: scenario for scenario in NUMBER_SCENARIOS}


@pytest.fixture
def stage() -> Stage:
    return make_stage(lambda: World(open_source(demo=DEMO)), DEMO)


COUNTS = interpreted_only("counts calls")
COUNTING = ("membership-no-static-lookup",)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=COUNTS if name in COUNTING else ()) for name in BY_NAME]
)
def test_scenario_holds_on_the_demo(stage: Stage, name: str) -> None:
    result = run_scenario(BY_NAME[name], stage)
    assert result.ok, f"{result.detail} {result.figures}"


@pytest.mark.parametrize(
    "error", [DatError("a.dat", None, None, "can't be read: Input/output error"), SourceError("b.json: why")]
)
def test_a_world_that_can_not_be_read_fails_it_with_the_readers_words(stage: Stage, error: Exception) -> None:
    def broken(_: object) -> NoReturn:
        raise error

    result = run_scenario(Scenario(name="any", rule="any", run=broken), stage)
    assert (result.ok, result.detail) == (False, str(error))


@breaks_a_rule
@pytest.mark.parametrize("name", BY_NAME)
def test_scenario_goes_red_when_its_rule_is_broken(
    stage: Stage, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    MUTATIONS[name](monkeypatch)
    result = run_scenario(BY_NAME[name], stage)
    assert result.ok is False, f"{result.detail} {result.figures}"
    assert "internal error" not in result.detail


@breaks_a_rule
@pytest.mark.parametrize("way", LOOKUPS)
def test_every_look_up_in_a_tick_is_noticed(stage: Stage, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    LOOKUPS[way](monkeypatch)
    result = run_scenario(BY_NAME["membership-no-static-lookup"], stage)
    assert result.ok is False, f"{result.detail} {result.figures}"
    assert "internal error" not in result.detail
    noticed = [result.figures["static_lookups"], result.figures["wrong_in_both"]]
    assert noticed[1 if way.startswith("unnamed") else 0] != 0


def test_every_scenario_has_its_mutation() -> None:
    assert set(MUTATIONS) == set(BY_NAME)


def test_what_cannot_be_staged_is_neither_held_nor_failed(stage: Stage) -> None:
    bare = Stage(stage.open_world, "0xA9B30001 [12 12 94]", {})
    result = run_scenario(BY_NAME["door-closed-centre"], bare)
    assert result.ok is None
    assert "door" in result.detail


@breaks_a_rule
def test_a_door_must_stand_on_both_sides_of_its_doorway(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = ShadowRegistry.register

    def register(self: ShadowRegistry, target: PhysicsObject, found: CellArray | None = None) -> None:
        real(self, target, found)
        for cell_id in list(target.shadows)[1:]:
            self._detach(target, cell_id)
        target.cell_ids = target.cell_ids[:1]

    monkeypatch.setattr(ShadowRegistry, "register", register)
    for name in ("door-four-shapes-one-entity", "door-state-reaches-all-shapes"):
        assert run_scenario(BY_NAME[name], stage).ok is False


def test_what_cannot_be_staged_in_the_demo_has_failed(stage: Stage) -> None:
    bare = Stage(stage.open_world, "0xA9B30001 [12 12 94]", stage.places)
    result = run_scenario(BY_NAME["door-closed-centre"], bare, complete=True)
    assert result.ok is False
    assert "door" in result.detail
    assert run_named("door-closed-centre", bare, PictureStage(bare)).ok is False


def test_what_cannot_be_measured_here_has_not_failed() -> None:
    def blind(stage: Stage) -> Outcome:
        raise MissingMeansError("nothing can be drawn")

    scenario = Scenario("blind", "none", blind)
    assert (
        run_scenario(scenario, Stage(lambda: World(open_source(demo=DEMO)), "", {}), complete=True).ok is None
    )


def test_too_little_to_measure_fails_in_the_demo_and_cannot_be_staged_elsewhere(stage: Stage) -> None:
    assert stage.enough(there=False, what_is_missing="nothing there") is False
    with pytest.raises(StagingError, match="nothing there"):
        Stage(stage.open_world, stage.home, {}).enough(there=False, what_is_missing="nothing there")


@pytest.mark.shared
@pytest.mark.parametrize(
    "case", ["b-in-out", "door-toggle", "pillar-head-on", "portal-held-past", "tight-gap"]
)
def test_nothing_fails_in_a_small_world_that_works(case: str) -> None:
    dumps = CASES / case / "dumps"
    stage = make_stage(lambda: World(open_source(dumps=dumps)), None)
    results = [run_scenario(scenario, stage) for scenario in NUMBER_SCENARIOS]
    assert [(r.name, r.detail) for r in results if r.ok is False] == []
    assert all(r.detail for r in results)


@pytest.mark.shared
def test_a_house_without_a_door_is_entered_where_no_door_is() -> None:
    dumps = CASES / "b-in-out" / "dumps"
    stage = make_stage(lambda: World(open_source(dumps=dumps)), None)
    result = run_scenario(BY_NAME["exterior-solid"], stage)
    assert result.ok
    assert result.figures["entered"] == 0
    assert result.figures["entered_where_no_door_is"] == 4


def test_both_families_of_furniture_are_walked_at(stage: Stage) -> None:
    result = run_scenario(BY_NAME["furniture-blocks"], stage)
    families = {count["family"] for count in result.figures.values() if isinstance(count, dict)}
    assert families == {"BSP", "CYLINDER"}


def test_unknown_place_cannot_be_staged(stage: Stage) -> None:
    with pytest.raises(StagingError, match="nowhere"):
        stage.place("nowhere")


@pytest.mark.parametrize("kind", ["level", "missing", "line", "point"])
@pytest.mark.parametrize(
    "name",
    [
        "membership-standing-still", "neighbour-wall-blocks-in-vestibule", "membership-pushed-back-8cm",
    ],
)  # fmt: skip
def test_a_hatch_in_a_vestibule_ends_no_scenario(name: str, kind: str) -> None:
    """Nobody can walk through what lies level, nor through a polygon without area or without corners."""

    def with_hatches() -> World:
        world = World(open_source(demo=DEMO))
        world.on_load.append(lambda block: [add_hatch(cell, kind) for cell in block.env_cells.values()])
        return world

    result = run_scenario(BY_NAME[name], make_stage(with_hatches, DEMO))
    assert result.ok, f"{result.detail} {result.figures}"


def add_hatch(cell: EnvCell, kind: str) -> None:
    """One more opening to a cell's neighbour, in the middle of its room."""
    inner = next((portal for portal in cell.portals if not portal.is_exit), None)
    if inner is None:
        return
    corners = [(0.0, 0.0, 1.0), (1.0, 0.0, 1.0), (1.0, 1.0, 1.0), (0.0, 1.0, 1.0)]
    corners = {
        "level": corners, "missing": [], "point": corners[:1] * 3,
        "line": [(0.0, 0.0, z) for z in (0.0, 1.0, 2.0)],
    }[kind]  # fmt: skip
    hatch = Portal(
        len(cell.portals), 0, Polygon(900, corners), other_cell_id=inner.other_cell_id, other_portal_id=-1
    )
    cell.portals = [*cell.portals, hatch]


@pytest.mark.parametrize("kind", ["missing", "line", "point"])
def test_nobody_is_sent_through_an_opening_without_area(stage: Stage, kind: str) -> None:
    simulation = stage.simulation()
    block = stage.block(simulation)
    for cell in block.env_cells.values():
        add_hatch(cell, kind)
        cell.portals = [portal for portal in cell.portals if portal.polygon.id == 900]
    assert list(passages(simulation, block)) == []
