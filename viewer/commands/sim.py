"""``holtwalk sim``: a scripted movement, tick by tick (promises 4)."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from engine.dat.hex_id import hex_id
from engine.files.format_version import TICKS, FirstStamped
from engine.files.shown import name_of
from engine.physics.simulation.arrival import SimulationError
from engine.physics.simulation.asked_place import Arrival, StrayPlaceError
from engine.physics.simulation.blocked import Blocked, BlockedWatch
from engine.physics.simulation.last_move import LastMove, LastMoveWatch
from engine.physics.simulation.static_comparison import LookUp, StaticComparison
from engine.physics.simulation.tick_report import TickReport
from engine.replay.case_names import DUMPS_NAME, RECORDING_NAME, SCRIPT_NAME
from engine.replay.cases import CASE, CaseTask, case_folders, document_totals
from engine.replay.jobs.process_pool import Piece
from engine.replay.sim import (
    PLACED,
    Arrivals,
    RecordedTick,
    compare,
    not_compared,
    not_recorded,
    placement,
    read_recording,
    run_steps,
    start_script,
    to_compare,
)
from engine.replay.sim_script import read_script
from engine.world.sources.json_node import JsonError
from engine.world.sources.open_source import SCENE_NAME
from viewer.commands.groundwork.long_work import Listed, check_forms, in_pieces, print_line
from viewer.commands.groundwork.session import recording
from viewer.commands.groundwork.stamps import DUMP_FILES, stamp
from viewer.commands.groundwork.worlds import (
    open_world,
    report_problems,
    source_for_pieces,
    tell_problems,
    world_stamp,
)
from viewer.places import ANYWHERE, tell
from viewer.report.progress import PartsTold
from viewer.terminal import say
from viewer.user_error import UserError

WORTH_A_PROCESS = 8  # cases


def run(args: Namespace) -> int:
    """Run a script, or a folder of cases; 1 where a tick is off what was recorded."""
    if args.cases:
        if args.script or args.expect or args.record or args.trace:
            raise UserError(
                "--cases runs the scripts of a folder: they go with --json or --jsonl and how to work"
            )
        return run_cases(args)
    if not args.script:
        raise UserError("name a script, or a folder of recorded cases with --cases")
    try:
        script = read_script(Path(args.script))
        expected = read_recording(Path(args.expect)) if args.expect else {}
        told = PartsTold(args.command)
        world = open_world(args, told)
        arrived: list[Arrival] = []  # since the last tick
        arrivals = Arrivals(partial(_arrive, arrived), args.anywhere)
        simulation = start_script(world, script, trace=args.trace, arrivals=arrivals)
        comparison = StaticComparison(simulation) if args.trace else None
        last_move = LastMoveWatch(comparison)
        simulation.on_tick.append(last_move.tick)
        watch = BlockedWatch(simulation.registry)
        stamped = FirstStamped(TICKS)
        simulation.on_tick.append(watch.tick)
        report_problems(world, verbose=args.verbose)
        off, compared, ticks = 0, 0, 0
        recorded = to_compare(expected)
        put = placement(simulation, expected)
        if misplaced := "" if put is None or put.agrees else put.describe():
            if args.json:
                say(f"{args.expect}: {misplaced}")
            else:
                print(f"{PLACED:5d}  OFF: {misplaced}")
        with recording(simulation, args):
            for report in run_steps(simulation, script, arrivals):
                ticks += 1
                checked, line = _check(report, expected)
                compared += checked
                off += bool(line)
                told.make_way()
                looked_up = None if comparison is None else comparison.last
                _print(
                    report,
                    args,
                    off=line,
                    looked_up=looked_up,
                    arrived=arrived,
                    blocked=watch.now,
                    last_move=last_move.now,
                    stamped=stamped,
                )
                arrived.clear()
    except StrayPlaceError as error:
        raise UserError(f"{args.script}: {error}; {ANYWHERE} goes there all the same") from error
    except (JsonError, SimulationError, ValueError) as error:
        raise UserError(str(error)) from error
    if not args.json:
        last = simulation.report()
        x, y, z = last.position
        if comparison is not None:
            print(comparison.describe())
        print(f"{ticks} ticks, ends in {hex_id(last.cell)} at [{x:.3f} {y:.3f} {z:.3f}]")
        if args.expect:
            print(f"{compared - off} of {recorded} recorded ticks agree")
    unlike = not_compared(ticks, recorded=recorded, compared=compared) if args.expect else ""
    if args.expect and not unlike and (line := not_recorded(script, expected)):
        say(f"{args.expect}: {line}")
    if unlike and args.json:
        say(f"{args.expect}: {unlike}")
    elif unlike:
        print(unlike)
    return 1 if misplaced or off or unlike else 0


def _check(report: TickReport, expected: Mapping[int, RecordedTick]) -> tuple[bool, str]:
    """Whether a tick was recorded, and what is off, empty where it agrees."""
    for found in compare([report], expected):
        return True, "" if found.agrees else found.describe()
    return False, ""


def _arrive(arrived: list[Arrival], arrival: Arrival) -> None:
    tell(arrival)
    arrived.append(arrival)


def _print(
    report: TickReport,
    args: Namespace,
    *,
    off: str,
    looked_up: LookUp | None,
    arrived: list[Arrival],
    blocked: Blocked | None,
    last_move: LastMove | None,
    stamped: FirstStamped,
) -> None:
    if args.json:
        document = {**report.to_json(), "blocked": None if blocked is None else blocked.to_json()}
        document |= arrived[-1].to_json() if arrived else {}
        if looked_up is not None:
            document["trace"] = [] if report.trace is None else report.trace.to_json()
            document["static_lookup"] = looked_up.to_json()
            document["last_move"] = None if last_move is None else last_move.to_json()
        if args.expect:
            document["off"] = off or None
        print(json.dumps(stamped(document)))
        return
    x, y, z = report.position
    notes = ["" if report.ok else "refused", "" if report.on_ground else "in the air"]
    notes += [f"hit {hit!r}" for hit in report.hits]
    notes += [blocked.words] if blocked is not None and blocked.pushing else []
    notes += ["cell changed" if report.changed else "", f"OFF: {off}" if off else ""]
    place = f"[{x:.4f} {y:.4f} {z:.4f}]"
    print(f"{report.tick:5d}  {hex_id(report.cell)}  {place}  {'; '.join(filter(None, notes))}")
    if looked_up is not None:
        for step in [] if report.trace is None else report.trace.steps:
            print("\n".join(f"       {line}" for line in step.lines()))
        if looked_up.disagrees:
            print(f"       {looked_up.describe()}")


def run_cases(args: Namespace) -> int:
    """Run every case of a folder; 1 where one of them is off its recording."""
    check_forms(args)
    folder = Path(args.cases)
    if not folder.is_dir():
        raise UserError(
            f"--cases: {folder}: {'is no folder' if folder.exists() else 'there is no such folder'}"
        )
    folders = case_folders(folder)
    if not folders:
        raise UserError(f"--cases: {folder}: no folder in it holds {SCRIPT_NAME} and {RECORDING_NAME}")
    source = source_for_pieces(args)
    read = (path / name for path in folders for name in (SCRIPT_NAME, RECORDING_NAME, DUMPS_NAME, SCENE_NAME))
    names = [name_of(path) for path in folders]
    if names[0] in names[1:]:  # the folder itself and one in it
        names[0] += "/."
    work: dict[str, object] = {
        "world": world_stamp(args), "cases": stamp(args, read, endings=DUMP_FILES),
        "anywhere": args.anywhere,
        "naming of cases": names,  # results are kept by it, and a link's may lead elsewhere
    }  # fmt: skip
    documents = []
    said: set[str] = set()
    parts = Listed(lambda: [Piece(*named) for named in zip(names, folders, strict=True)])
    for piece, document in in_pieces(
        args, CaseTask(source, args.anywhere), parts, work, shape=CASE, least=WORTH_A_PROCESS
    ):
        documents.append(document)
        new = [line for line in dict.fromkeys(document["told"]) if line not in said]
        said.update(new)  # what is wrong with a world is so in each case
        tell_problems([f"{piece.key}: {line}" for line in new], verbose=args.verbose)
        if args.jsonl:
            print_line(document["result"])
        elif not args.json:
            print(document["line"], flush=True)
    results = [document["result"] for document in documents]
    passed = sum(result["ok"] for result in results)
    ok = passed == len(results)
    figures, line = document_totals(documents)
    if args.json:
        print(json.dumps({"ok": ok, "results": results, "figures": figures}))
    elif args.jsonl:
        print_line({"ok": ok, "figures": figures})
    else:
        print(f"{passed} of {len(results)} cases agree in every tick; {line}")
    return 0 if ok else 1
