"""``holtwalk verify``: the acceptance scenarios, one line each with its figures (promises 8)."""

from __future__ import annotations

import json
from argparse import Namespace

from engine.replay.scenarios.scenario import ScenarioResult, all_ok
from viewer.commands.worlds import dats_folder, demo_folder, open_world
from viewer.report.progress import Progress
from viewer.verify.verification import NAMES, make_stage, run_scenarios

VERDICTS = {True: "ok", False: "FAILED", None: "not here"}


def run(args: Namespace) -> int:
    """Run them; 1 when one failed. What can't be staged in this world counts for nothing."""
    demo = demo_folder() if not args.dumps and dats_folder(args) == demo_folder() else None
    stage = make_stage(lambda: open_world(args), demo)
    results: list[ScenarioResult] = []
    progress = Progress(args.command, args.progress)
    progress.total = float(len(args.only or NAMES))

    def beginning(name: str) -> None:
        progress(float(len(results)), name, at_once=True)

    for result in run_scenarios(stage, args.only or (), beginning):
        results.append(result)
        progress.make_way()
        if not args.json:
            print(_line(result), flush=True)
    ok = all_ok(results)
    if args.json:
        print(json.dumps({"ok": ok, "results": [result.to_json() for result in results]}))
    else:
        counts = [sum(r.ok is verdict for r in results) for verdict in (True, False, None)]
        print("{} held, {} failed, {} can't be staged in this world".format(*counts))
    return 0 if ok else 1


def _line(result: ScenarioResult) -> str:
    figures = ", ".join(f"{name} {_short(value)}" for name, value in result.figures.items())
    return f"{VERDICTS[result.ok]:8} {result.name}: {result.detail}" + (f" [{figures}]" if figures else "")


def _short(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {_short(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return " ".join(_short(v) for v in value)
    return str(value)
