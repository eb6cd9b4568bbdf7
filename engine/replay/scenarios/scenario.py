"""What a scenario is and what it comes to: a rule's name, a verdict and the figures behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

S = TypeVar("S")


class StagingError(Exception):
    """A scenario's place, door or object is not in this world (decision 29)."""


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


def run_scenario(scenario: Scenario[S], stage: S) -> ScenarioResult:
    """Run one scenario; a world that can't stage it gives ``ok`` None with the reason."""
    try:
        outcome = scenario.run(stage)
    except StagingError as reason:
        return ScenarioResult(scenario.name, None, {}, str(reason))
    return ScenarioResult(scenario.name, outcome.ok, outcome.figures, outcome.detail)


def select(
    scenarios: Sequence[Scenario[S]], only: str | None, others: Iterable[str] = ()
) -> list[Scenario[S]]:
    """The scenarios whose name is ``only`` or begins with it; all without it. LookupError for none.

    ``others`` are names that somebody else runs: they count as known.
    """
    if only is None:
        return list(scenarios)
    chosen = [s for s in scenarios if s.name == only] or [s for s in scenarios if s.name.startswith(only)]
    if not chosen and not any(name.startswith(only) for name in others):
        raise LookupError(f"there is no scenario named {only!r}")
    return chosen


def all_ok(results: Iterable[ScenarioResult]) -> bool:
    """Whether no scenario failed; those that could not be staged are left out."""
    return all(result.ok is not False for result in results)
