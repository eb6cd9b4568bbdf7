"""``holtwalk replay``: a capture's inputs, run again (promises 6, 4)."""

from __future__ import annotations

import json
import os
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engine.dat.hex_id import hex_id
from engine.dat.values import Vec3
from engine.files.json_form import Json
from engine.files.read_once import is_read_here_once
from engine.replay.capture import BrokenRecord, CaptureLines, CaptureRecord, CaptureResult
from engine.replay.jobs.process_pool import Piece, Tell, Work
from engine.replay.jobs.result_shape import Shape
from engine.replay.replay import COMPARED, Replayed, replay
from engine.world.loading.world import World
from engine.world.sources.json_node import JsonError
from engine.world.sources.open_source import SourceArguments
from viewer.commands import replay_window
from viewer.commands.groundwork.long_work import Listed, check_forms, in_pieces, print_line
from viewer.commands.groundwork.stamps import stamp
from viewer.commands.groundwork.worlds import (
    open_world,
    report_problems,
    source_for_pieces,
    world_stamp,
)
from viewer.report.progress import Progress
from viewer.terminal import say
from viewer.user_error import UserError

LISTED_OFF: Final = 5  # records that are off, told again at the end


def run(args: Namespace) -> int:
    """Replay captures; 1 when more than ``--max-off`` records are not ok. Several go in pieces, one each."""
    check_forms(args)
    if args.window:
        return replay_window.run(args)
    results: list[Json] = []  # a long capture's are many: kept only where they are printed at the end
    records = off = 0
    first_off: list[str] = []  # they drown among the lines of a long capture

    def show(result: Json, text: str) -> None:
        nonlocal records, off
        records += 1
        off += not result["ok"]
        if not result["ok"] and len(first_off) < LISTED_OFF:
            first_off.append(off_line(result))
        if args.json:
            results.append(result)
        elif args.jsonl:
            print_line(result)
        else:
            print(text, flush=True)

    compared = args.compare == "capture"
    if len(args.capture) == 1 and not args.state:
        progress = Progress(args.command, asked=args.progress)
        progress.total = 1.0
        world = open_world(args)
        for result, text in _replayed(
            world, Path(args.capture[0]), compared=compared, tell=progress.share(args.capture[0])
        ):
            progress.make_way()
            show(result, text)
        progress.make_way()
        report_problems(world, verbose=args.verbose)
    else:
        for result, text in _in_pieces(args, compared=compared):
            show(result, text)
    ok = off <= args.max_off
    if args.jsonl:
        print_line({"ok": ok, "figures": {"records": records, "off": off}})
    elif args.json:
        print(json.dumps({"ok": ok, "results": results}))
    else:
        verb = "agree with the recording" if compared else "could be run"
        allowed = f" ({args.max_off} may be off)" if args.max_off else ""
        for line in first_off:
            print(line)
        if off > len(first_off):
            print(f"OFF as well: {off - len(first_off)} more, above")
        print(f"{records - off} of {records} records {verb}{allowed}")
        if compared:
            print(COMPARED)
    return 0 if ok else 1


def off_line(result: Json) -> str:
    """One of the first records that are off, for the end: capture, record, its line of the file and what."""
    of_capture = f"{result['capture']}: " if "capture" in result else ""
    what = [note for note in result["detail"].split("; ") if not note.startswith("hit ")]
    return f"OFF {of_capture}{result['name']}, {', '.join(what)}"


def _replayed(world: World, capture: Path, *, compared: bool, tell: Tell) -> Iterator[tuple[Json, str]]:
    """Every record's result and line; ``tell`` hears what share of them came before."""
    one: list[CaptureRecord] = []
    run = replay(world, iter(one.pop, None))  # a record at a time, so that a long capture is never held
    try:
        records = CaptureLines(capture)
        for number, record in enumerate(records):
            tell(records.share)
            if isinstance(record, BrokenRecord):
                yield broken_document(number, record), f"OFF record {number}: {record.reason}"
            else:
                one.append(record)
                replayed = next(run)
                result = result_document(number, replayed, compared=compared)
                yield result, _line(result, replayed)
    except JsonError as error:
        raise UserError(str(error)) from error


def _in_pieces(args: Namespace, *, compared: bool) -> Iterator[tuple[Json, str]]:
    captures = list(dict.fromkeys(args.capture))
    for path in captures:
        try:
            os.stat(path)
        except (FileNotFoundError, NotADirectoryError):
            raise UserError(f"{path}: there is no such file") from None
        except OSError as error:
            raise UserError(f"{path}: can't be read ({error.strerror})") from error
    if any(is_read_here_once(Path(path)) for path in captures):
        args.jobs = 1
    source = source_for_pieces(args)
    work: dict[str, object] = {
        "world": world_stamp(args), "captures": stamp(args, map(Path, captures)), "compared": compared,
        "naming of captures": captures,  # results are kept by it, and elsewhere it may name others
    }  # fmt: skip
    pieces = Listed(lambda: [Piece(path, path, float(os.path.getsize(path))) for path in captures])
    said: set[str] = set()
    for piece, document in in_pieces(
        args, ReplayTask(source, compared), pieces, work, shape=REPLAYED, least=2
    ):
        for line in document["problems"]:
            if line not in said:
                said.add(line)
                say(line)
        for result, text in document["records"]:
            if len(args.capture) > 1:
                yield {**result, "capture": piece.key}, f"{piece.key}: {text}"
            else:
                yield result, text


REPLAYED: Final[Shape] = {
    "records": [({"name": str, "ok": bool, "figures": dict, "detail": str}, str)], "problems": [str],
}  # fmt: skip
"""What a capture's result looks like."""


@dataclass(frozen=True, slots=True)
class ReplayTask:
    """Replaying captures, each in a world of its own, so that none hears of the ones before it."""

    source: SourceArguments
    compared: bool

    def begin(self) -> Work:
        """Nothing is shared."""

        def work(path: str, tell: Tell) -> dict[str, Any]:
            world = World(self.source.open())
            records: list[tuple[Json, str]] = []
            try:
                for record in _replayed(world, Path(path), compared=self.compared, tell=tell):
                    records.append(record)  # noqa: PERF402 - those before an error count
            except UserError as error:  # the captures after it are run all the same
                broken = {"name": "capture", "ok": False, "figures": {}, "detail": str(error)}
                records.append((broken, f"OFF {error}"))
            return {"records": records, "problems": world.problems.since()}

        return work


def result_document(number: int, replayed: Replayed, *, compared: bool) -> Json:
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
        "hits": [hit.to_json() for hit in replayed.hits],
    }
    return {
        "name": f"record {number}",
        "ok": not differences if compared else outcome is not None,
        "figures": figures,
        "detail": "; ".join(notes),
    }


def broken_document(number: int, record: BrokenRecord) -> Json:
    """The result of a line that is no record: failed, with the figures of a record that could not be run."""
    nothing: Json = _figures(None, 0.0)
    figures: Json = {"tick": None, **nothing, "requested": None, "recorded": None, "hits": []}
    return {"name": f"record {number}", "ok": False, "figures": figures, "detail": record.reason}


def _figures(result: CaptureResult | None, advance: float) -> Json:
    if result is None:
        return dict.fromkeys(("cell", "position", "on_ground", "collided", "normal", "advance", "accepted"))
    return {
        "cell": hex_id(result.cell),
        "position": list(result.position),
        "on_ground": result.on_ground,
        "collided": result.normal is not None,
        "normal": None if result.normal is None else list(result.normal),
        "advance": advance,
        "accepted": result.ok,
    }


def _line(result: Json, replayed: Replayed) -> str:
    verdict = "ok " if result["ok"] else "OFF"
    outcome, record = replayed.outcome, replayed.record
    if outcome is None:
        return f"{verdict} {result['name']}, recorded tick {record.tick}: {result['detail']}"
    return (
        f"{verdict} {result['name']}, recorded tick {record.tick}: {hex_id(outcome.cell)} "
        f"{_place(outcome.position)}, "
        f"went {replayed.advance:.3f} m of the {record.requested:.3f} m asked for; {result['detail']}"
    )


def _place(p: Vec3) -> str:
    return f"[{p[0]:.4f} {p[1]:.4f} {p[2]:.4f}]"
