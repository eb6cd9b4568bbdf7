"""The command that draws again what a walk sees, for somebody else's terminal (views 8.2 no. 2)."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from engine.dat.hex_id import hex_id
from engine.files.read_once import is_read_here_once
from engine.named_tuple import NamedTuple
from engine.physics.simulation.simulation import Simulation
from engine.visibility.picture_view import PictureView
from engine.visibility.view_modes import word_of
from engine.world.frame import Position
from engine.world.ids import block_of, rebase
from engine.world.location import format_location
from viewer.asking.blocked_shapes import blocked_shapes
from viewer.asking.door_stage import is_placed
from viewer.asking.saved_scene import standing_entities
from viewer.picture.horizon import blocks_in_sight, blocks_near
from viewer.picture.standing_states import state_words
from viewer.window.walking.walk import Walk

PLACING = ("--scene", "--spawns")
DECIMALS = 12  # of what a picture is to be drawn from again: a micrometre can be a pixel


def render_command(walk: Walk, size: tuple[int, int]) -> str:
    """The ``holtwalk render`` that draws what a walk sees now.

    What is not as it was placed, doors in whatever they do, is set so before the body is put down. That
    stands where it is drawn: on its way from tick to tick, in the cell that it goes through there.
    """
    camera, clock = walk.camera, walk.clock
    position = walk.drawn_position()
    place = format_location(position, DECIMALS)
    saved = _with_saved_scene(walk)
    opened = walk.world_words if saved is None else saved.words
    read_once = _read_once(opened)
    words = ["holtwalk", "render", *_without(opened, read_once)]
    words += ["--at", place, "--exact"]
    words += ["--look", _numbers(camera.yaw, camera.pitch)]
    words += ["--view", "third" if camera.third_person else "first"]
    home = position.cell_id
    if walk.flight is not None and walk.seen is not None:
        words += ["--eye", _numbers(*rebase(walk.flight.eye, walk.flight.cell_id, home))]
        words += _lock_words(walk.seen, position)
    elif walk.seen is not None:
        is_locked = walk.locked is not None and not _why_lock_is_left_out(walk)
        if is_locked or camera.third_person or position != walk.simulation.position:
            words += ["--eye", _numbers(*rebase(walk.seen.view.eye, walk.seen.root, home))]
        if is_locked and walk.locked is not None:
            words += _lock_words(*walk.locked)
    if walk.fov is not None:
        words += ["--fov", _numbers(walk.fov)]
    if walk.options.strict_root:
        words += ["--root", "strict"]
    near = _blocks_near(walk)
    for entity, state in state_words(walk.simulation.objects, walk.drawn_time, saved.states if saved else {}):
        if saved is None and read_once:
            continue  # what no file brings there can't be set
        if block_of(walk.simulation.registry.objects[entity].position.cell_id) in near:
            words += ["--state", state]
    words += ["--time", _numbers(clock.hour), "--clouds", _numbers(clock.clouds)]
    words += ["--effects", _numbers(walk.burning_time)]
    player = walk.motions.player
    is_drawn = camera.third_person or walk.flight is not None or "split" in walk.modes
    if player is not None and player.shown[0] and is_drawn:
        animation, frame = player.shown
        words += ["--pose", f"{hex_id(animation)}:{frame}"]
    words += ["--day-group", str(clock.group)]
    words += [w for name, landblocks in walk.distances.items() for w in (f"--{name}", str(landblocks))]
    words += ["--weather", "on" if walk.settings["weather"] else "off"]
    words += ["--samples", str(round(walk.settings.number("samples", 1)))]
    words += ["--size", f"{size[0]}x{size[1]}"]
    if selected := _selected_word(walk):
        words += ["--select", selected]
    if walk.modes:
        words += ["--mode", ",".join(walk.modes)]
    return shlex.join([*words, "--out", "picture.png"])


def left_out(walk: Walk) -> str:
    """What of the picture no command can draw again, in words; empty where it draws all of it."""
    tells_of_tick = "body" in walk.modes or ("state" in walk.modes and walk.blocked)
    words = ["what the last tick did"] if tells_of_tick else []
    if walk.settings["smooth_motion"]:
        words.append("what figures do between two frames")
    if walk.modes and walk.text_scale != 1.0:
        words.append("the size of its words")
    words += _why_lock_is_left_out(walk)
    saved = _with_saved_scene(walk)
    if saved is None:
        words += _doors_by_hand(walk.simulation)
    for option in _read_once(walk.world_words if saved is None else saved.words):
        words.append(f"what {option} brought, which was a pipe and is read once only")
    words += _marked(walk)
    *most, last = words or [""]
    before = f"{', '.join(most)} and " if most else ""
    return f"without {before}{last}" if words else ""


def told_of_command(walk: Walk) -> str:
    """What is said of a command that was copied: what it leaves out, and that the picture goes on."""
    without = left_out(walk)
    said = "the command that draws this picture" + (f", {without}" if without else "")
    key = walk.key_of("pause")
    if walk.paused or not key:
        return said
    return f"{said}; the picture goes on, its clouds too: {key} first for another to compare it with"


def _read_once(words: Sequence[str]) -> list[str]:
    """The options of a world whose files no other program can read again."""
    return [option for option, name in pairwise(words) if option in PLACING and is_read_here_once(Path(name))]


def _without(words: Sequence[str], options: Sequence[str]) -> list[str]:
    """A world's words without some of its options; no doors of ours come in for theirs."""
    kept = list(words)
    for option in options:
        at = kept.index(option)
        del kept[at : at + 2]
    return kept if not options or "--no-doors" in kept else [*kept, "--no-doors"]


def _doors_by_hand(simulation: Simulation) -> list[str]:
    """What the world's own files don't say of doors that were put down or taken away in the window."""
    came, there = _brought_and_there(simulation)
    doors = ", ".join(hex_id(entity) for entity in sorted(there ^ came))
    said = "which only a saved scene holds: save it, and give it with --scene"
    return [f"what was done by hand with door {doors} ({said})"] if doors else []


def _brought_and_there(simulation: Simulation) -> tuple[set[int], set[int]]:
    """The doors of the kind that is put down by hand: what the world's own files have, what there is now."""
    objects = simulation.objects
    came, there = ({n for n in ids if is_placed(n)} for ids in (objects.brought, objects.placed))
    return came, there


class _SavedWorld(NamedTuple):
    """The options that open a world as it was saved, and the states that its entities begin with."""

    words: list[str]
    states: dict[int, int]


def _with_saved_scene(walk: Walk) -> _SavedWorld | None:
    """The world as it was saved, where that has what was done by hand, else None."""
    came, there = _brought_and_there(walk.simulation)
    saved = walk.questions.doors.saved
    if came == there or saved is None or not saved.brings(standing_entities(walk.simulation)):
        return None
    by_hand = {item.entity_id for item in saved.objects if item.entity_id and is_placed(item.entity_id)}
    if by_hand != there or (came - there and "--scene" not in walk.world_words):
        return None
    words = saved.with_words(walk.world_words)
    return None if words is None else _SavedWorld(words, saved.states)


def _marked(walk: Walk) -> list[str]:
    """What is drawn over the scene because somebody asked for it, or something was met, in words."""
    if walk.seen is None:
        return []
    words = [name for name, _ in walk.questions.named_shapes(walk.seen)]
    if walk.player is not None:
        words.append("the recorded body")
    blocked = walk.watch.now
    if blocked is not None and blocked_shapes(walk.simulation, blocked, walk.seen.root, walk.seen.view):
        words.append("the red fill and the outlines of what blocked")
    if _is_outlined(walk, walk.listing.selected) and not _selected_word(walk):
        words.append("the outline of the selected cell")
    if _is_outlined(walk, walk.listing.lit):
        words.append("the outline of the cell that a list lights up")
    return words


def _is_outlined(walk: Walk, cell: int) -> bool:
    return bool(cell) and walk.simulation.world.get_visible(cell) is not None


def _selected_word(walk: Walk) -> str:
    """What names the selected cell where that is outlined; empty where no option can."""
    cell = walk.listing.selected
    if not _is_outlined(walk, cell):
        return ""
    word = word_of(walk.drawn_position().cell_id, cell)
    return f"0x{word}" if cell > 0xFFFF else word


def _lock_words(seen: PictureView, at: Position) -> list[str]:
    """The options that draw the list of a picture, seen by a body whose feet are at a place."""
    eye = rebase(seen.view.eye, seen.root, at.cell_id)
    place = format_location(at, DECIMALS)
    return [
        "--lock-root", place, "--lock-look", _numbers(*seen.view.angles()), "--lock-eye", _numbers(*eye)
    ]  # fmt: skip


def _why_lock_is_left_out(walk: Walk) -> list[str]:
    """What keeps a command from drawing the list that is locked, in words; nothing where it draws it."""
    if walk.locked is None or walk.seen is None or walk.flight is not None:
        return []
    locked, view = walk.locked.seen, walk.seen.view
    if not {block_of(cell) for flood in locked.floods for cell in flood.order} <= _blocks_near(walk):
        return ["the locked list, of a place far from here"]
    if (locked.view.tan_y, locked.view.width, locked.view.height) != (view.tan_y, view.width, view.height):
        return ["the locked list, which another field of view has seen"]
    return []


def _blocks_near(walk: Walk) -> set[int]:
    """The landblocks that a picture from where the body is drawn has loaded."""
    near = blocks_near(walk.drawn_position().cell_id)
    if walk.seen is not None:
        near.update(blocks_in_sight(walk.simulation.world, walk.seen, min(walk.distances.values())))
    return near


def _numbers(*values: float) -> str:
    return ",".join(repr(value).removesuffix(".0") for value in values)
