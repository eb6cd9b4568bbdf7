"""What a scenario is and what it comes to: a rule's name, a verdict and the figures behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from engine.dat.errors import DatError, of_one_member
from engine.world.sources.open_source import SourceError

S = TypeVar("S")


class StagingError(Exception):
    """A scenario's place, door or object is not in this world (promises 8)."""


class MissingMeansError(StagingError):
    """What measuring takes is missing, whatever the world: a way to draw, functions that can be watched."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run of a scenario found: whether the rule held, and the measured figures.

    ``detail`` says in one sentence what was seen.
    """

    ok: bool
    figures: dict[str, object] = field(default_factory=dict)
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Scenario(Generic[S]):
    """A named rule and the function that measures it on a stage."""

    name: str
    rule: str
    run: Callable[[S], Outcome]


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """A scenario's line: ``ok`` None means that it could not be staged here and why."""

    name: str
    ok: bool | None
    figures: dict[str, object]
    detail: str

    def to_json(self) -> dict[str, object]:
        """The form of ``verify --json``."""
        return {"name": self.name, "ok": self.ok, "figures": self.figures, "detail": self.detail}

    @staticmethod
    def from_json(document: dict[str, Any]) -> ScenarioResult:
        """The line of such a form."""
        return ScenarioResult(**document)


def run_scenario(scenario: Scenario[S], stage: S, *, complete: bool = False) -> ScenarioResult:
    """Run one scenario; a world that can't stage it gives ``ok`` None with the reason.

    In a ``complete`` world, which holds all that the scenarios need, that is a failure, and so is an error
    that nobody foresaw, whatever the world.
    """
    try:
        outcome = scenario.run(stage)
    except MissingMeansError as reason:
        return ScenarioResult(scenario.name, None, {}, str(reason))
    except StagingError as reason:
        return ScenarioResult(scenario.name, False if complete else None, {}, str(reason))
    except Exception as error:  # the scenarios after it are run all the same
        detail = of_one_member(error)
        if isinstance(error, (DatError, SourceError)):  # they speak for themselves
            detail = str(error)
        return ScenarioResult(scenario.name, ok=False, figures={}, detail=detail)
    return ScenarioResult(scenario.name, outcome.ok, outcome.figures, outcome.detail)


def all_ok(results: Iterable[ScenarioResult]) -> bool:
    """Whether no scenario failed; those that could not be staged are left out."""
    return all(result.ok is not False for result in results)
