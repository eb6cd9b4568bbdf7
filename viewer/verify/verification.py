"""All acceptance scenarios over one world: those of numbers and those of pictures (promises 8)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from engine.files.shown import shown
from engine.replay.scenarios.doors import DOOR_SCENARIOS
from engine.replay.scenarios.membership import MEMBERSHIP_SCENARIOS
from engine.replay.scenarios.membership_sweeps import SWEEP_SCENARIOS
from engine.replay.scenarios.scenario import Scenario, ScenarioResult, run_scenario
from engine.replay.scenarios.solids import SOLID_SCENARIOS
from engine.replay.scenarios.stage import Stage
from engine.world.loading.world import World
from engine.world.sources.json_node import JsonError, Node, read_json
from viewer.errors import UserError
from viewer.verify.picture_scenarios import PICTURE_SCENARIOS
from viewer.verify.picture_stage import PictureStage

NUMBER_SCENARIOS: tuple[Scenario[Stage], ...] = (
    *DOOR_SCENARIOS, *MEMBERSHIP_SCENARIOS, *SWEEP_SCENARIOS, *SOLID_SCENARIOS,
)  # fmt: skip
NAMES: tuple[str, ...] = (*(s.name for s in NUMBER_SCENARIOS), *(s.name for s in PICTURE_SCENARIOS))


def make_stage(open_world: Callable[[], World], demo: Path | None) -> Stage:
    """The stage of a world; ``demo`` is the demo's folder when that is the world, for its named places."""
    home = open_world().source.home()
    places: dict[str, str] = {}
    if demo is not None:
        places = read_places(demo)
    return Stage(open_world, home, places)


def read_places(demo: Path) -> dict[str, str]:
    """The named places of the demo's folder. UserError where they can't be read."""
    try:
        root = Node(read_json(demo / "places.json"), str(demo / "places.json"))
        return {name: root.get(name).text() for name in root.mapping()}
    except JsonError as error:
        raise UserError(str(error)) from error


def run_scenarios(
    stage: Stage, only: Sequence[str] = (), beginning: Callable[[str], None] = lambda _: None
) -> Iterator[ScenarioResult]:
    """Run the scenarios named (all without names), one result after the other. UserError for a wrong name.

    ``beginning`` hears of each before it is run.
    """
    for name in only:
        if name not in NAMES:
            raise UserError(f"there is no scenario named '{shown(name)}'; there are: {', '.join(NAMES)}")
    pictures = PictureStage(stage)
    for scenario in NUMBER_SCENARIOS:
        if not only or scenario.name in only:
            beginning(scenario.name)
            yield run_scenario(scenario, stage, complete=bool(stage.places))
    for drawn in PICTURE_SCENARIOS:
        if not only or drawn.name in only:
            beginning(drawn.name)
            yield run_scenario(drawn, pictures, complete=bool(stage.places))
