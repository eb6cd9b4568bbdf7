"""``holtwalk replay``: a capture's inputs, run again (design 4, decision 27)."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path

from engine.dat.values import Vec3
from engine.replay.capture import BrokenRecord, CaptureRecord, CaptureResult, read_records
from engine.replay.replay import Replayed, replay
from engine.world.sources.json_node import JsonError
from viewer.errors import UserError
from viewer.worlds import open_world, report_problems

Json = dict[str, object]


def run(args: Namespace) -> int:
    """Replay a capture; 1 when more than ``--max-off`` records are not ok."""
    try:
        records = read_records(Path(args.capture))
    except JsonError as error:
        raise UserError(str(error)) from error
    world = open_world(args)
    compared = args.compare == "capture"
    results: list[Json] = []
    run = replay(world, [record for record in records if isinstance(record, CaptureRecord)])
    for number, record in enumerate(records):
        if isinstance(record, BrokenRecord):
            results.append(broken_document(number, record))
            text = f"OFF record {number}: {record.reason}"
        else:
            replayed = next(run)
            results.append(result_document(number, replayed, compared))
            text = _line(results[-1], replayed)
        if not args.json:
            print(text, flush=True)
    report_problems(world, args.verbose)
    off = sum(not result["ok"] for result in results)
    ok = off <= args.max_off
    if args.json:
        print(json.dumps({"ok": ok, "results": results}))
    else:
        verb = "agree with the recording" if compared else "could be run"
        allowed = f" ({args.max_off} may be off)" if args.max_off else ""
        print(f"{len(results) - off} of {len(results)} records {verb}{allowed}")
    return 0 if ok else 1


def result_document(number: int, replayed: Replayed, compared: bool) -> Json:
    """The result of one record; ``detail`` says what is off the recording, what was hit and how it ran."""
    record, outcome = replayed.record, replayed.outcome
    differences = replayed.differences()
    notes = [f"line {record.line}", *([replayed.note] if replayed.note else [])]
    notes += differences if outcome is not None and record.result is not None else []
    notes += [f"hit {hit!r}" for hit in replayed.hits]
    figures: Json = {
        "tick": record.tick,
        **_figures(outcome, replayed.advance),
        "requested": record.requested,
        "recorded": None if record.result is None else _figures(record.result, replayed.recorded_advance),
    }
    return {
        "name": f"record {number}",
        "ok": not differences if compared else outcome is not None,
        "figures": figures,
        "detail": "; ".join(notes),
    }


def broken_document(number: int, record: BrokenRecord) -> Json:
    """The result of a line that is no record: failed, with the figures of a record that could not be run."""
    figures: Json = {"tick": None, **_figures(None, 0.0), "requested": None, "recorded": None}
    return {"name": f"record {number}", "ok": False, "figures": figures, "detail": record.reason}


def _figures(result: CaptureResult | None, advance: float) -> Json:
    if result is None:
        return dict.fromkeys(("cell", "position", "on_ground", "collided", "normal", "advance"))
    return {
        "cell": f"0x{result.cell:08X}",
        "position": list(result.position),
        "on_ground": result.on_ground,
        "collided": result.normal is not None,
        "normal": None if result.normal is None else list(result.normal),
        "advance": advance,
    }


def _line(result: Json, replayed: Replayed) -> str:
    verdict = "ok " if result["ok"] else "OFF"
    outcome, record = replayed.outcome, replayed.record
    if outcome is None:
        return f"{verdict} {result['name']}, tick {record.tick}: {result['detail']}"
    return (
        f"{verdict} {result['name']}, tick {record.tick}: 0x{outcome.cell:08X} {_place(outcome.position)}, "
        f"{replayed.advance:.3f} of {record.requested:.3f} m; {result['detail']}"
    )


def _place(p: Vec3) -> str:
    return f"[{p[0]:.4f} {p[1]:.4f} {p[2]:.4f}]"
