"""Frames between two ticks while a body goes fast through every opening: their roots and their pixels."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.collision.cell_tree import point_inside_cell_bsp
from engine.physics.membership.cell_list import point_in_cell
from engine.physics.simulation.simulation import Simulation
from engine.physics.simulation.static_comparison import static_lookup
from engine.physics.transition.insertion import find_visible_child_cell
from engine.physics.transition.placement import adjust_position
from engine.replay.scenarios.call_count import counting_calls
from engine.replay.scenarios.passages import Passage, passages
from engine.visibility.picture_view import PictureView, ViewOptions
from engine.world.cells import Landblock
from engine.world.ids import is_outdoor, rebase
from viewer.verify.picture_stage import Onlooker

LOOKUPS = (point_in_cell, point_inside_cell_bsp, find_visible_child_cell, adjust_position, static_lookup)
SHARES = (0.0, 0.25, 0.5, 0.75)
PASSAGE_SIZE = (64, 40)
LOOKS = (0.0, 180.0, 60.0, -75.0)  # degrees from the way one goes, in turn


@dataclass(slots=True)
class BetweenTicks:
    """What came of the frames: the (cell, portal) pairs passed, and how many frames were wrong."""

    openings: set[tuple[int, int]] = field(default_factory=set)
    frames: int = 0
    elsewhere: int = 0  # the foot was drawn in another cell than the body's
    wrong: int = 0
    lookups: int = 0
    unpainted: int = 0


def holes_between_ticks(
    onlooker: Onlooker, simulation: Simulation, block: Landblock, found: BetweenTicks
) -> None:
    """Draw the frames of all passages and count those with unpainted pixels."""
    for passage, third, yaw in _moments(onlooker, simulation, block):
        picture, objects = onlooker.view(yaw, -15.0, third=third)
        holes = onlooker.unpainted(picture, objects)
        _note(found, passage, picture)
        found.wrong += holes > 0
        found.unpainted += holes


def roots_between_ticks(
    onlooker: Onlooker, simulation: Simulation, block: Landblock, found: BetweenTicks
) -> None:
    """Look at the frames of all passages: body's cell, drawn foot's, root, and look-ups for one in eight."""
    for passage, third, yaw in _moments(onlooker, simulation, block):
        if found.frames % 8 == 0:
            with counting_calls(*LOOKUPS) as count:
                picture, _ = onlooker.view(yaw, 0.0, third=False)
            found.lookups += sum(count.calls.values())
        picture, _ = onlooker.view(yaw, 0.0, third=third)
        strict, _ = onlooker.view(yaw, 0.0, third=third, options=ViewOptions(strict_root=True))
        _note(found, passage, picture)
        found.wrong += not (
            root_follows(simulation, picture)
            and drawn_on_the_way(simulation, picture, onlooker.share)
            and strict.root == strict.body_cell == simulation.position.cell_id
            and strict.drawn_cell == picture.drawn_cell
        )


def root_follows(simulation: Simulation, picture: PictureView) -> bool:
    """Whether body's cell, drawn foot's cell, crossings and root of a frame hang together."""
    body = simulation.body
    if body.cell is None or picture.body_cell != body.cell.id:
        return False
    if not picture.carried:
        return picture.root == picture.drawn_cell
    links = [cell for cell, _ in picture.carried]
    for (cell_id, index), then in itertools.pairwise([*picture.carried, (picture.root, -1)]):
        cell = simulation.world.env_cell(cell_id)
        if cell is not None:
            portal = cell.portals[index]
            if not (is_outdoor(then[0]) if portal.is_exit else then[0] == portal.other_cell_id):
                return False
        elif is_outdoor(then[0]):
            return False
    return links[0] == picture.drawn_cell


def drawn_on_the_way(simulation: Simulation, picture: PictureView, share: float) -> bool:
    """Whether the cell told of the drawn foot holds it, and it lies on the way that the tick took."""
    drawn = simulation.drawn(share)
    foot = simulation.body.movement_spheres[0].center
    x, y, z = (p + c for p, c in zip(drawn.feet, foot, strict=True))
    ends = {drawn.begin_cell, drawn.end_cell}
    cell = simulation.world.get_visible(picture.drawn_cell)
    if cell is None or (picture.drawn_cell not in ends and share > 0.0 and len(ends) == 1):
        return False
    if is_outdoor(cell.id):
        return any(is_outdoor(end) for end in ends)
    return point_in_cell(cell, *rebase((x, y, z), drawn.home, cell.id))


def _moments(
    onlooker: Onlooker, simulation: Simulation, block: Landblock
) -> Iterator[tuple[Passage, bool, float]]:
    """Each passage at each share in both persons, with a yaw; the onlooker's share is set."""
    for number, passage in enumerate(passages(simulation, block)):
        for turn, onlooker.share in enumerate(SHARES):
            for third in (False, True):
                yield passage, third, passage.heading + LOOKS[(number + turn + third) % len(LOOKS)]
    onlooker.share = 1.0


def _note(found: BetweenTicks, passage: Passage, picture: PictureView) -> None:
    found.openings.add((passage.cell_id, passage.portal))
    found.frames += 1
    found.elsewhere += picture.drawn_cell != picture.body_cell
