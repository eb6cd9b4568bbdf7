"""What the panels' buttons do, as actions by a key or from the palette.

A button knows what it stands beside; an action takes what is picked, selected or ahead in its place, and says
what is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from engine.dat.hex_id import hex_id
from viewer.overlay.command_palette import Entry
from viewer.report.door_reporting import DoorReporter
from viewer.report.picked import PickAnswer
from viewer.report.picture_report import DoorReport, front_first
from viewer.tables.option_values import object_id
from viewer.window.parts import Parts

STATE: Final = "state"
HOW_TO_STATE: Final = "write state and then a word of hexadecimal: state 0x10008"
NOT_PICKED: Final = "nothing is picked: point at it and press {key}"
NOT_SELECTED: Final = "no cell is selected: click one in the panels Visible or Map, or pick something in it"
SCRUB: Final = 0.1  # of a door's clip, a step


class PanelDeeds:
    """Does what panels offer.

    ``copy`` takes a text and what it is called, ``show_panel`` brings a panel to the front by its title,
    ``go`` goes to a place, or complains.
    """

    def __init__(
        self,
        parts: Parts,
        *,
        copy: Callable[[str, str], None],
        show_panel: Callable[[str], None],
        go: Callable[[str], str],
    ) -> None:
        self._parts = parts
        self._copy = copy
        self._show_panel = show_panel
        self._go = go
        walk = parts.walk
        self.by_name: dict[str, Callable[[], None]] = {
            "why": self._why,
            "select": self._select,
            "select_nothing": lambda: walk.select(walk.listing.selected) if walk.listing.selected else None,
            "go_selected": lambda: self._with_cell(lambda cell: self._say(self._go(hex_id(cell)))),
            "follow": self._follow,
            "follow_nothing": lambda: walk.questions.follow(0),
            "copy_pick": lambda: self._with_pick(self._copy_pick),
            "copy_id": lambda: self._with_pick(self._copy_id),
            "copy_followed": self._copy_followed,
            "copy_blocked": self._copy_blocked,
            "copy_log": self._copy_log,
            "finding_next": partial(self._to_finding, 1),
            "finding_back": partial(self._to_finding, -1),
            "probe_again": self._probe_again,
            "map_up": partial(self._raise_map, 3.0),
            "map_down": partial(self._raise_map, -3.0),
            "door_use": lambda: self._with_door(lambda door: walk.use(door.entity)),
            "door_ethereal": lambda: self._with_door(self._turn_ethereal),
            "door_lock": lambda: self._with_door(self._turn_lock),
            "door_pose_on": lambda: self._with_door(partial(self._scrub, SCRUB)),
            "door_pose_back": lambda: self._with_door(partial(self._scrub, -SCRUB)),
            "door_state": self._how_to_state,
            "branch": self._take_branch,
            "start_here": self._start_here,
        }

    def entries(self, text: str) -> Iterator[Entry]:
        """What can be done with the parts of what is picked, and with a state word that is typed."""
        word, _, value = text.strip().partition(" ")
        door = self.door()
        if word.lower() == STATE and value.strip() and door is not None and _is_word(value):
            yield Entry(
                f"State word {value.strip()} for door {door.entity}, {door.where}",
                "",
                partial(self._parts.walk.questions.type_door_state, door.entity, value),
            )
        picked = self._parts.walk.questions.picked
        if picked is None:
            return
        for name, value, record in picked.rows:
            yield Entry(f"Picked: copy {name}: {value}", "", partial(self._copy, value, value))
            if record:
                yield Entry(
                    f"Picked: fields of {name} {value}, as dat show prints them", "",
                    partial(self._follow_record, record), also="follow",
                )  # fmt: skip

    # -- what an action is about

    def door(self) -> DoorReport | None:
        """The door that is picked, else the one ahead, else the nearest; None where no door is near by."""
        walk = self._parts.walk
        simulation, picked = walk.simulation, walk.questions.picked
        doors = front_first(
            DoorReporter().reports(simulation.doors.values(), simulation.body, simulation.time)
        )
        owner = 0 if picked is None or picked.facet is None else picked.facet.owner
        return next((door for door in doors if door.entity == owner), doors[0] if doors else None)

    def cell(self) -> int:
        """The cell that is selected, else the one that is picked; 0 for none."""
        picked = self._parts.walk.questions.picked
        in_pick = 0 if picked is None or picked.facet is None else picked.facet.cell
        return self._parts.walk.listing.selected or in_pick

    def _with_door(self, act: Callable[[DoorReport], object]) -> None:
        door = self.door()
        if door is None:
            self._say("no door near by")
        else:
            act(door)

    def _with_cell(self, act: Callable[[int], object]) -> None:
        if cell := self.cell():
            act(cell)
        else:
            self._say(NOT_SELECTED)

    def _with_pick(self, act: Callable[[PickAnswer], object]) -> None:
        picked = self._parts.walk.questions.picked
        if picked is None:
            self._say(NOT_PICKED.format(key=self._parts.walk.key_of("inspect") or "Alt+click"))
        else:
            act(picked)

    # -- cells and what is picked

    def _why(self) -> None:
        self._with_cell(self._parts.walk.questions.ask_why)

    def _select(self) -> None:
        self._with_pick(self._select_picked)

    def _select_picked(self, picked: PickAnswer) -> None:
        if picked.facet is None or picked.facet.cell & 0xFFFF < 0x100:
            self._say("what is picked is in no cell that can be selected")
        elif picked.facet.cell != self._parts.walk.listing.selected:
            self._parts.walk.select(picked.facet.cell)

    def _copy_pick(self, picked: PickAnswer) -> None:
        self._copy("\n".join(picked.words), "all that is told of what is picked")

    def _copy_id(self, picked: PickAnswer) -> None:
        if picked.facet is None:
            self._say("what is picked has no id")
        else:
            self._copy(hex_id(picked.facet.owner), hex_id(picked.facet.owner))

    def _follow(self) -> None:
        def first(picked: PickAnswer) -> None:
            record = next((record for _, _, record in picked.rows if record), 0)
            if record:
                self._follow_record(record)
            else:
                self._say("what is picked leads to no record")

        self._with_pick(first)

    def _follow_record(self, record: int) -> None:
        self._parts.walk.questions.follow(record)
        self._show_panel("Inspect")

    def _copy_followed(self) -> None:
        followed = self._parts.walk.questions.followed
        if followed is None:
            self._say("no record's fields are shown")
        else:
            self._copy(hex_id(followed.id), hex_id(followed.id))

    def _copy_blocked(self) -> None:
        blocked = self._parts.walk.blocked
        if blocked:
            self._copy(blocked, blocked)
        else:
            self._say("nothing blocks the body")

    def _copy_log(self) -> None:
        self._copy("\n".join(line.text for line in self._parts.walk.questions.log.report().shown), "the log")

    # -- audit, probe, map

    def _to_finding(self, by: int) -> None:
        self._say(self._parts.walk.questions.go_to_next(by))

    def _probe_again(self) -> None:
        questions = self._parts.walk.questions
        if questions.probed:
            questions.probe(questions.probed)
        else:
            self._say("nothing was probed yet")

    def _raise_map(self, metres: float) -> None:
        self._parts.walk.questions.raise_map(metres)
        self._show_panel("Map")

    # -- doors

    def _turn_ethereal(self, door: DoorReport) -> None:
        self._parts.walk.set_ethereal(door.entity, ethereal=not door.ethereal)

    def _turn_lock(self, door: DoorReport) -> None:
        self._parts.walk.questions.lock_door(door.entity, locked=not door.is_locked)
        self._say(f"{door.entity} is {'unlocked' if door.is_locked else 'locked'} now")

    def _scrub(self, by: float, door: DoorReport) -> None:
        share = max(0.0, min(door.open_share + by, 1.0))
        self._parts.walk.questions.pose_door(door.entity, share)
        self._say(f"{door.entity} stands {share:.1f} open; its state word stays")

    def _how_to_state(self) -> None:
        def tell(door: DoorReport) -> None:
            self._show_panel("Doors")
            self._say(f"{HOW_TO_STATE}; it is for {door.entity}, {door.where}")

        self._with_door(tell)

    # -- time and settings

    def _take_branch(self) -> None:
        walk = self._parts.walk
        count = len(walk.history.branches)
        self._say(walk.travel.take_branch(count - 1) if count else "no branch was left")

    def _start_here(self) -> None:
        place = self._parts.walk.location()
        unkept = self._parts.walk.settings.set_and_keep("start", place)
        self._say(f"the start can't be kept: {unkept}" if unkept else f"the next walk starts at {place}")

    def _say(self, words: str) -> None:
        if words:
            self._parts.message.say(words)


def _is_word(text: str) -> bool:
    try:
        object_id(text)
    except ValueError:
        return False
    return True
