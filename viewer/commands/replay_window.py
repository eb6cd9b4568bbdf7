"""``holtwalk replay CAPTURE --window``: a capture played in the window, as it is or as it grows."""

from __future__ import annotations

import time
from argparse import Namespace
from pathlib import Path

from engine.replay.capture import NO_RECORDS, CaptureLines, CaptureRecord
from engine.replay.follow import STANDARD_INPUT, CaptureTail
from engine.replay.replay import COMPARED
from engine.world.frame import Frame, Position
from engine.world.location import format_location
from engine.world.sources.json_node import JsonError
from viewer.commands import walk
from viewer.commands.groundwork.worlds import world_words
from viewer.tables.arguments import parse
from viewer.terminal import say
from viewer.user_error import UserError
from viewer.window.walking.capture_player import CapturePlayer
from viewer.window.walking.walk import Walk

PATIENCE = 600.0  # seconds until the first record of a capture that is followed has to be there
QUIET = 1.0  # seconds of that until it is said what is waited for


def run(args: Namespace) -> int:
    """Open the window where the capture begins, and play it."""
    if len(args.capture) != 1:
        raise UserError("--window plays one capture")
    name = args.capture[0]
    try:
        if not args.follow and name != STANDARD_INPUT:
            lines = CaptureLines(Path(name))  # it says in one line what is wrong with it
            lines.close()
            if lines.is_empty:
                raise JsonError(f"{name}: {NO_RECORDS}: there is nothing to play")
        tail = CaptureTail(name)
        first = _first(tail)
    except JsonError as error:
        raise UserError(str(error)) from error
    start = format_location(Position(first.cell, Frame(first.current)))
    words = ["walk", "--at", start, "--anywhere", "--view", "third", *world_words(args)]
    words += ["--size", "{}x{}".format(*args.size)] if args.size else []
    words += ["--report", args.report] if args.report else []
    _, walk_args = parse(words)
    walk.take_window_options(walk_args, args)

    def play(walking: Walk) -> str:
        player = CapturePlayer(walking, tail)
        walking.play_capture(player)
        say(f"{player.name}: {COMPARED}")
        player.take(first)
        return f"{name}: P goes on from the tick shown by your own keys"

    return walk.run(walk_args, play)


def _first(tail: CaptureTail) -> CaptureRecord:
    """The first record, for which a capture that is not yet written is waited."""
    began, is_told = time.monotonic(), False
    while (waited := time.monotonic() - began) < PATIENCE:
        is_over = tail.is_over
        for record in tail.poll(1):
            if isinstance(record, CaptureRecord):
                return record
            raise JsonError(record.reason)
        if is_over:
            raise JsonError("standard input ended before a whole record had come")
        if waited > QUIET and not is_told:
            is_told = True
            say(f"{tail.name}: waiting for its first record, for {PATIENCE:.0f} s at most")
        time.sleep(0.1)
    raise JsonError(f"{tail.name}: no record came in {PATIENCE:.0f} s")
