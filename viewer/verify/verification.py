"""All acceptance scenarios over one world: those of numbers and those of pictures (promises 8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from engine.files.json_form import Json
from engine.files.shown import shown
from engine.replay.jobs.process_pool import Piece, Tell, Work
from engine.replay.scenarios.door_rules import DOOR_SCENARIOS
from engine.replay.scenarios.doorway_gaps import GAP_SCENARIOS
from engine.replay.scenarios.exterior import EXTERIOR_SCENARIOS
from engine.replay.scenarios.membership import MEMBERSHIP_SCENARIOS
from engine.replay.scenarios.membership_sweeps import SWEEP_SCENARIOS
from engine.replay.scenarios.scenario import Scenario, ScenarioResult, run_scenario
from engine.replay.scenarios.solids import SOLID_SCENARIOS
from engine.replay.scenarios.stage import Stage
from engine.world.loading.world import World
from engine.world.sources.json_node import JsonError
from engine.world.sources.open_source import SourceArguments
from engine.world.sources.places_file import read_places
from viewer.user_error import UserError
from viewer.verify.picture_scenarios import PICTURE_SCENARIOS
from viewer.verify.picture_stage import PictureStage

NUMBER_SCENARIOS: tuple[Scenario[Stage], ...] = (
    *DOOR_SCENARIOS, *GAP_SCENARIOS, *MEMBERSHIP_SCENARIOS, *SWEEP_SCENARIOS, *SOLID_SCENARIOS,
    *EXTERIOR_SCENARIOS,
)  # fmt: skip
LONG = {  # seconds in the demo world on one core
    "no-unpainted-pixel": 17.0, "root-is-physics-cell": 6.0, "exterior-solid": 2.0,
    "hidden-cell-not-drawn": 1.5,
}  # fmt: skip
LOOKS = {
    "no-unpainted-pixel": 4620,
    "root-is-physics-cell": 8266,
    "hidden-cell-not-drawn": 262,
}  # in the demo
NAMES: tuple[str, ...] = (*(s.name for s in NUMBER_SCENARIOS), *(s.name for s in PICTURE_SCENARIOS))


def make_stage(open_world: Callable[[], World], demo: Path | None) -> Stage:
    """The stage of a world; ``demo`` is the demo's folder when that is the world, for its named places."""
    home = open_world().source.home()
    places: dict[str, str] = {}
    if demo is not None:
        places = demo_places(demo)
    return Stage(open_world, home, places)


def demo_places(demo: Path) -> dict[str, str]:
    """The named places of the demo's folder. UserError where they can't be read."""
    try:
        return read_places(demo)
    except JsonError as error:
        raise UserError(str(error)) from error


@dataclass(frozen=True, slots=True)
class VerifyTask:
    """Running scenarios of a source: pieces are their names, results documents; ``demo`` as for a stage."""

    source: SourceArguments
    demo: Path | None

    def begin(self) -> Work:
        """Open the world once, to see that it can be; UserError or SourceError where it can't."""
        stage = make_stage(lambda: World(self.source.open()), self.demo)
        pictures = PictureStage(stage)

        def work(name: str, tell: Tell) -> Json:
            pictures.looked = _counting(tell, LOOKS.get(name, 100))
            return run_named(name, stage, pictures).to_json()

        return work


def _counting(tell: Tell, most: int) -> Callable[[], None]:
    """Tells how many of about so many looks are done; the demo's are as good as any other world's."""
    numbers = count(1)
    return lambda: tell(min(0.99, next(numbers) / most))


def pieces(only: Sequence[str] = ()) -> list[Piece]:
    """The scenarios named, all without names, as pieces of work; the longest first.

    UserError for a wrong name.
    """
    check_names(only)
    names = [name for name in NAMES if not only or name in only]
    found = [Piece(name, name, LONG.get(name, 0.3)) for name in names]
    return sorted(found, key=lambda piece: -piece.weight)


def check_names(names: Sequence[str]) -> None:
    """UserError where there is no scenario of a name."""
    for name in names:
        if name not in NAMES:
            raise UserError(f"there is no scenario named '{shown(name)}'; there are: {', '.join(NAMES)}")


def run_named(name: str, stage: Stage, pictures: PictureStage) -> ScenarioResult:
    """Run the scenario of a name that ``check_names`` lets pass."""
    complete = bool(stage.places)
    for scenario in NUMBER_SCENARIOS:
        if scenario.name == name:
            return run_scenario(scenario, stage, complete=complete)
    drawn = next(drawn for drawn in PICTURE_SCENARIOS if drawn.name == name)
    return run_scenario(drawn, pictures, complete=complete)
