"""The command that draws again what a walk sees, for somebody else's terminal (views 8.2 no. 2)."""

from __future__ import annotations

import math
import shlex

from engine.dat.hex_id import hex_id
from engine.physics.simulation.simulation import Simulation
from engine.world.frame import Position
from engine.world.ids import block_of, rebase
from engine.world.location import format_location
from viewer.asking.blocked_shapes import blocked_shapes
from viewer.asking.door_stage import is_placed
from viewer.asking.saved_scene import standing_entities
from viewer.picture.horizon import blocks_in_sight, blocks_near
from viewer.picture.standing_states import state_words
from viewer.window.walking.walk import Walk

SAME_PLACE = 1e-9  # metres: what adding and taking away a sphere's height costs
DECIMALS = 12  # of what a picture is to be drawn from again: a micrometre can be a pixel


def render_command(walk: Walk, size: tuple[int, int]) -> str:
    """The ``holtwalk render`` that draws what a walk sees now.

    What is not as it was placed, doors in whatever they do, is set so before the body is put down. That
    stands where it is drawn: on its way from tick to tick, in the cell that it goes through there.
    """
    camera, clock = walk.camera, walk.clock
    position = _drawn_position(walk)
    place = format_location(position, DECIMALS)
    words = ["holtwalk", "render", *(_with_saved_scene(walk) or walk.world_words), "--at", place, "--exact"]
    words += ["--look", _numbers(camera.yaw, camera.pitch)]
    words += ["--view", "third" if camera.third_person else "first"]
    home = position.cell_id
    if walk.flight is not None and walk.seen is not None:
        view = walk.seen.view
        words += ["--eye", _numbers(*rebase(walk.flight.eye, walk.flight.cell_id, home))]
        words += ["--lock-root", place, "--lock-look", _numbers(*view.angles())]
        words += ["--lock-eye", _numbers(*rebase(view.eye, walk.seen.root, home))]
    elif walk.seen is not None and (camera.third_person or position != walk.simulation.position):
        words += ["--eye", _numbers(*rebase(walk.seen.view.eye, walk.seen.root, home))]
    if walk.fov is not None:
        words += ["--fov", _numbers(walk.fov)]
    if walk.options.strict_root:
        words += ["--root", "strict"]
    near = blocks_near(home)
    if walk.seen is not None:
        near.update(blocks_in_sight(walk.simulation.world, walk.seen, min(walk.distances.values())))
    for entity, state in state_words(walk.simulation.objects, walk.drawn_time):
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
    if _is_outlined(walk, walk.listing.selected):
        words += ["--select", hex_id(walk.listing.selected)]
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
    if _with_saved_scene(walk) is None:
        words += _doors_by_hand(walk.simulation)
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


def _doors_by_hand(simulation: Simulation) -> list[str]:
    """What the world's own files don't say of doors that were put down or taken away in the window."""
    came, there = _brought_and_there(simulation)
    doors = ", ".join(hex_id(entity) for entity in sorted(there ^ came))
    said = "which only a saved scene holds: save it, and give it with --scene"
    return [f"what was done by hand with door {doors} ({said})"] if doors else []


def _brought_and_there(simulation: Simulation) -> tuple[set[int], set[int]]:
    """The doors of the kind that is put down by hand: what the world's own files have, what there is now."""
    blocks = simulation.world.blocks.values()
    came = {p.object_id for block in blocks for p in block.entities if is_placed(p.object_id)}
    return came, {entity for entity in simulation.objects.placed if is_placed(entity)}


def _with_saved_scene(walk: Walk) -> list[str] | None:
    """The options that open the world as it was saved, where that has what was done by hand, else None."""
    came, there = _brought_and_there(walk.simulation)
    saved = walk.questions.doors.saved
    if came == there or saved is None or not saved.brings(standing_entities(walk.simulation)):
        return None
    by_hand = {item.entity_id for item in saved.objects if item.entity_id and is_placed(item.entity_id)}
    if by_hand != there or (came - there and "--scene" not in walk.world_words):
        return None
    return saved.with_words(walk.world_words)


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
    if _is_outlined(walk, walk.listing.lit):
        words.append("the outline of the cell that a list lights up")
    return words


def _is_outlined(walk: Walk, cell: int) -> bool:
    return bool(cell) and walk.simulation.world.get_visible(cell) is not None


def _drawn_position(walk: Walk) -> Position:
    """Where the feet of the picture are; what is seen while flying was seen from where they were then."""
    now, seen, line = walk.simulation.position, walk.seen, walk.line
    if seen is None or line is None:
        return now
    offset = walk.simulation.body.movement_spheres[0].center
    feet = tuple(a - b for a, b in zip(line.foot, offset, strict=True))
    x, y, z = rebase((feet[0], feet[1], feet[2]), seen.body_cell, now.cell_id)
    if seen.body_cell == now.cell_id and math.dist((x, y, z), now.frame.origin) < SAME_PLACE:
        return now
    origin = rebase((x, y, z), now.cell_id, seen.drawn_cell)
    return Position(seen.drawn_cell, now.frame.with_origin(origin))


def _numbers(*values: float) -> str:
    return ",".join(repr(value).removesuffix(".0") for value in values)
