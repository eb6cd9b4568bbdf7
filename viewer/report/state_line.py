"""What a picture starts from, in two lines, and the command that draws it again (rendering 8.2 no. 2)."""

from __future__ import annotations

import math
import shlex
import textwrap
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.visibility.frame_view import FrameView
from engine.visibility.report import hex_id
from engine.world.ids import block_of, rebase
from engine.world.location import format_location
from viewer.picture.horizon import blocks_in_sight, blocks_near
from viewer.picture.standing_states import state_words
from viewer.renderer.options import RenderOptions
from viewer.tables.modes import restrictions

if TYPE_CHECKING:
    from viewer.window.walk import Walk

_LETTER, _FEWEST = 9.0, 20  # pixels of a letter, about; letters of a line in the smallest picture
DECIMALS = 12  # of what a picture is to be drawn from again: a micrometre can be a pixel


def state_text(frame: FrameView, hour: float) -> str:
    """The body's cell, the drawn foot's where that is another, the root and how it was carried there.

    In a second line the path, the exits' share of the screen, the cells and the hour.
    """
    frame = frame.frozen if frame.frozen is not None else frame
    carried = " ".join(f"{cell & 0xFFFF:04X}/{portal}" for cell, portal in frame.carried) or "nowhere"
    share = 100.0 * sum(view.area() for view in frame.outside) / 4.0
    minutes = math.floor(60.0 * hour + 1e-6)
    blocked = ", pulled in" if frame.blocked else ""
    drawn = "" if frame.drawn_cell == frame.body_cell else f"  drawn {hex_id(frame.drawn_cell)}"
    return (
        f"body {hex_id(frame.body_cell)}{drawn}  root {hex_id(frame.root)}  carried {carried}{blocked}\n"
        f"{frame.path}  outside {share:.1f} %  {len(frame.cells)} cells  "
        f"{minutes // 60:02d}:{minutes % 60:02d}"
    )


def captioned(options: RenderOptions, frame: FrameView, hour: float) -> RenderOptions:
    """Options whose caption says what the picture is not by itself, and the state where it is wanted.

    That the eye is detached where it is, and the modes by which less is shown than there is.
    """
    lines = []
    if frame.frozen is not None:
        lines.append(f"DETACHED: the visible list is that of {hex_id(frame.frozen.root)}")
    modes = restrictions(options)
    if modes:
        width = max(_FEWEST, int(frame.view.width / _LETTER))
        lines += textwrap.wrap("modes: " + ", ".join(modes), width, break_on_hyphens=False)
    if options.state:
        text = state_text(frame, hour)
        lines.append(text.replace("  ", "\n") if options.split else text)  # half a picture has little room
    return replace(options, caption="\n".join(lines), caption_at=1.0 if options.split else 0.5)


def render_command(walk: Walk, size: tuple[int, int]) -> str:
    """The ``holtwalk render`` that draws what a walk sees now.

    What is not as it was placed, doors in whatever they do, is set so before the body is put down.
    """
    camera, clock = walk.camera, walk.clock
    place = format_location(walk.simulation.position, DECIMALS)
    words = ["holtwalk", "render", *walk.world_words, "--at", place, "--exact"]
    words += ["--look", _numbers(camera.yaw, camera.pitch)]
    words += ["--view", "third" if camera.third_person else "first"]
    home = walk.simulation.position.cell_id
    if walk.flight is not None and walk.seen is not None:
        view = walk.seen.view
        words += ["--eye", _numbers(*rebase(walk.flight.eye, walk.flight.cell_id, home))]
        words += ["--lock-root", place, "--lock-look", _numbers(*view.angles())]
        words += ["--lock-eye", _numbers(*rebase(view.eye, walk.seen.root, home))]
    elif walk.seen is not None and camera.third_person:
        words += ["--eye", _numbers(*rebase(walk.seen.view.eye, walk.seen.root, home))]
    if walk.options.strict_root:
        words += ["--root", "strict"]
    near = blocks_near(home)
    if walk.seen is not None:
        near.update(blocks_in_sight(walk.simulation.world, walk.seen, min(walk.distances.values())))
    for entity, state in state_words(walk.simulation.objects, walk.drawn_time):
        if block_of(walk.simulation.registry.objects[entity].position.cell_id) in near:
            words += ["--state", state]
    words += ["--time", _numbers(clock.hour), "--clouds", _numbers(clock.clouds)]
    words += ["--day-group", str(clock.group)]
    words += [w for name, landblocks in walk.distances.items() for w in (f"--{name}", str(landblocks))]
    words += ["--size", f"{size[0]}x{size[1]}"]
    if walk.modes:
        words += ["--mode", ",".join(walk.modes)]
    return shlex.join([*words, "--out", "picture.png"])


def _numbers(*values: float) -> str:
    return ",".join(repr(value).removesuffix(".0") for value in values)
