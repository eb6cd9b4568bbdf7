"""``holtwalk verify``: the acceptance scenarios, one line each with its figures (promises 8)."""

from __future__ import annotations

import json
from argparse import Namespace

from engine.files.json_form import Json
from engine.replay.jobs.process_pool import Piece
from engine.replay.scenarios.scenario import ScenarioResult, all_ok
from viewer.commands.groundwork.long_work import Listed, in_pieces
from viewer.commands.groundwork.worlds import dats_folder, demo_folder, open_world, source_for_pieces
from viewer.verify.verification import NAMES, VerifyTask, make_stage, pieces

WORTH_A_PROCESS = 8  # scenarios
VERDICTS = {True: "ok", False: "FAILED", None: "not here"}


def run(args: Namespace) -> int:
    """Run them; 1 when one failed. What can't be staged in this world counts for nothing."""
    demo = demo_folder() if not args.dumps and dats_folder(args) == demo_folder() else None
    parts = Listed(lambda: pieces(args.only or ()))
    source = source_for_pieces(args)
    make_stage(lambda: open_world(args), demo)  # what can't be opened is told before any process is started
    lines = not args.json

    def ended(_: Piece, document: Json) -> None:
        if lines:
            print(_line(ScenarioResult.from_json(document)), flush=True)

    args.state = None
    task = VerifyTask(source, demo)
    done = in_pieces(args, task, parts, {}, shape=dict, least=WORTH_A_PROCESS, ended=ended)
    by_name = {piece.key: ScenarioResult.from_json(document) for piece, document in done}
    results = [by_name[name] for name in NAMES if name in by_name]
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
