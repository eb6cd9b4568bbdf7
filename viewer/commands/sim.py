"""``holtwalk sim``: a scripted movement, tick by tick (design 4, decision 27)."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path

from engine.physics.simulation import SimulationError
from engine.physics.tick_report import TickReport
from engine.physics.trace import SweepTrace
from engine.replay.sim import RecordedTick, compare, read_recording, run_steps, start_script
from engine.replay.sim_script import read_script
from engine.world.json_node import JsonError
from viewer.errors import UserError
from viewer.worlds import open_world, report_problems

Json = dict[str, object]


def run(args: Namespace) -> int:
    """Run a script; with ``--expect`` exit 1 where a tick is off."""
    try:
        script = read_script(Path(args.script))
        recording = read_recording(Path(args.expect)) if args.expect else {}
        world = open_world(args)
        simulation = start_script(world, script, args.trace)
        report_problems(world, args.verbose)
        off, compared, ticks = 0, 0, 0
        for report in run_steps(simulation, script):
            ticks += 1
            checked, line = _check(report, recording)
            compared += checked
            off += bool(line)
            _print(report, args, line)
    except (JsonError, SimulationError, ValueError) as error:
        raise UserError(str(error)) from error
    if not args.json:
        last = simulation.report()
        x, y, z = last.position
        print(f"{ticks} ticks, ends in 0x{last.cell:08X} at [{x:.3f} {y:.3f} {z:.3f}]")
        if args.expect:
            print(f"{compared - off} of {compared} recorded ticks agree")
    return 1 if off or (args.expect and not compared) else 0


def _check(report: TickReport, recording: Mapping[int, RecordedTick]) -> tuple[bool, str]:
    """Whether a tick was recorded, and what is off, empty where it agrees."""
    for found in compare([report], recording):
        return True, "" if found.agrees else found.describe()
    return False, ""


def _print(report: TickReport, args: Namespace, off: str) -> None:
    if args.json:
        document = report.to_json()
        if args.trace:
            document["trace"] = trace_document(report.trace)
        if args.expect:
            document["off"] = off or None
        print(json.dumps(document))
        return
    x, y, z = report.position
    notes = ["" if report.ok else "refused", "" if report.on_ground else "in the air"]
    notes += [f"hit {hit!r}" for hit in report.hits]
    notes += ["cell changed" if report.changed else "", f"OFF: {off}" if off else ""]
    print(
        f"{report.tick:5d}  0x{report.cell:08X}  [{x:.4f} {y:.4f} {z:.4f}]  {'; '.join(filter(None, notes))}"
    )
    if args.trace and report.trace is not None:
        for step in trace_document(report.trace):
            print(f"       {json.dumps(step)}")


def trace_document(trace: SweepTrace | None) -> list[Json]:
    """The sub-steps of a sweep: what was tried, which cells were candidates, what came of it."""
    if trace is None:
        return []
    return [
        {
            "step": step.index,
            "cell": f"0x{step.cell_id:08X}",
            "start": list(step.start),
            "offset": list(step.offset),
            "adjusted": list(step.adjusted),
            "picks": [
                {
                    "center": list(pick.center),
                    "picked": f"0x{pick.picked:08X}" if pick.picked else None,
                    "candidates": [
                        {
                            "cell": f"0x{c.cell_id:08X}",
                            "why": c.why,
                            "in_stab_list": c.in_stab_list,
                            "picked": c.picked,
                        }
                        for c in pick.candidates
                    ],
                }
                for pick in step.picks
            ],
            "responses": step.responses,
            "hits": [hit.to_json() for hit in step.hits],
            "result": "advance" if step.advanced else "reset",
            "end": list(step.end),
            "end_cell": f"0x{step.end_cell_id:08X}",
        }
        for step in trace.steps
    ]
