"""What the palette can do: actions and modes, panels, places, bookmarks, doors, questions about cells."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial

from engine.replay.history.marks import KINDS
from engine.world.ids import rebase
from engine.world.location import format_location, place_of
from viewer.overlay.command_palette import Entry
from viewer.overlay.panel_table import PANELS
from viewer.report.door_reporting import DoorReporter
from viewer.report.picture_report import DoorReport, front_first, nearest_first
from viewer.tables.keys import ACTIONS
from viewer.tables.modes import key_name
from viewer.tables.settings import SETTINGS, Setting
from viewer.window.parts import Parts
from viewer.window.walking.going import Bookmarks, Visited, is_place

BOOKMARK = "bookmark"
HOW_TO_MARK = "write bookmark and then a name"
BEFORE_A_DOOR = (1.5, -1.5, 2.5, -2.5)  # metres, from a door towards the body or away from it


class PaletteEntries:
    """The entries for a window; ``do`` does an action by its name, ``go`` goes to a place or complains."""

    def __init__(
        self, parts: Parts, visited: Visited, bookmarks: Bookmarks, *, do: Callable[[str], None],
        go: Callable[[str], str],
    ) -> None:  # fmt: skip
        self._parts = parts
        self._visited = visited
        self._bookmarks = bookmarks
        self._do = do
        self._go = go

    def entries(self, text: str) -> list[Entry]:
        """All that can be done, with what the typed text makes possible."""
        parts = self._parts
        entries = [
            Entry(
                text=f"{a.group}: {a.help}",
                key=key_name(parts.keys[a.name]),
                run=partial(self._do, a.name),
                title=f"{a.group}: {a.title}",
                also=a.also,
                mode=a.name.startswith("draw-"),
            )
            for a in ACTIONS
            if not a.held and a.name != "palette"
        ]
        entries += self._marking(text)
        entries += [
            Entry(
                text=f"Panel: {p.title}: {p.tells}",
                key="",
                run=partial(self.show_panel, p.title),
                title=f"Panel: {p.title}",
                also=p.also,
            )
            for p in PANELS
        ]
        entries += [
            Entry(f"Time: back to where {text}", "", partial(self._to_mark, kind, -1), also=kind)
            for kind, text in KINDS.items()
        ]
        entries += [
            Entry(f"Time: on to where {text}", "", partial(self._to_mark, kind, 1), also=kind)
            for kind, text in KINDS.items()
        ]
        entries += [self._of_setting(setting) for setting in SETTINGS]
        entries += [self._as_usual(setting) for setting in SETTINGS if self._is_set(setting)]
        entries.append(
            Entry(f"Start: go to where it began, {parts.walk.began}", "", self._to(parts.walk.began))
        )
        for name, place in self._bookmarks.places.items():
            entries.append(Entry(f"Go: {name}, {place}", "", self._to(place), also="bookmarks"))
            entries.append(
                Entry(f"Forget bookmark: {name}", "", partial(self._forget, name), also="bookmarks")
            )
        held = parts.walk.watch.now
        for door in nearest_first(self._doors(), () if held is None else held.holders):
            entries += self._of_door(door)
        entries += [Entry(said, "", ask) for said, ask in parts.walk.questions.offers(text)]
        places = [*reversed(self._visited.behind), *([parts.walk.meant(text)] if is_place(text) else [])]
        return entries + [Entry(f"Go: {place}", "", self._to(place)) for place in places]

    def _marking(self, text: str) -> Iterator[Entry]:
        """To keep this place under a name: where one asks for it by its word, and never by mistake."""
        word, _, name = text.strip().partition(" ")
        name = name.strip()
        if word.lower() != BOOKMARK or not name:
            yield Entry(
                f"Bookmark this place: {HOW_TO_MARK}", "", partial(self._say, HOW_TO_MARK), also="bookmarks"
            )
        elif not is_place(name):
            yield Entry(f"Bookmark this place: {name}", "", partial(self._mark, name))

    def of_bookmarks(self) -> list[Entry]:
        """What a menu of them has: to make one, to go where it all began, and to each of them."""
        began = self._parts.walk.began
        entries = [
            Entry(
                "bookmark this place: the palette takes its name", "", self._begin_marking, title="bookmark"
            ),
            Entry(f"where it began, {began}", "", self._to(began), title="bookmark start"),
        ]
        return entries + [
            Entry(f"{name}, {place}", "", self._to(place), title=f"bookmark {name}")
            for name, place in self._bookmarks.places.items()
        ]

    def _begin_marking(self) -> None:
        self._parts.controls.free_for_box()
        self._parts.boxes.palette.open(f"{BOOKMARK} ")

    def _doors(self) -> tuple[DoorReport, ...]:
        simulation = self._parts.walk.simulation
        return DoorReporter().reports(simulation.doors.values(), simulation.body, simulation.time)

    def _of_door(self, door: DoorReport) -> Iterator[Entry]:
        called = f"Door {door.entity}, {door.where}, {door.phase}"
        walk = self._parts.walk
        yield Entry(f"{called}: look at it", "", partial(self._look_at, door))
        yield Entry(f"{called}: go to it", "", partial(self._go_to_door, door))
        yield Entry(f"{called}: use it", "", lambda: self._say(walk.use(door.entity)), also="open close")
        yield Entry(f"{called}: probe its whole doorway", "", partial(self._probe, door.entity))
        words = "make it solid, not ethereal" if door.ethereal else "make it ethereal"
        yield Entry(
            f"{called}: {words}", "",
            lambda: self._say(walk.set_ethereal(door.entity, ethereal=not door.ethereal)),
        )  # fmt: skip
        yield Entry(
            f"{called}: {'unlock' if door.is_locked else 'lock'} it", "",
            partial(walk.questions.lock_door, door.entity, locked=not door.is_locked),
        )  # fmt: skip

    def _of_setting(self, setting: Setting) -> Entry:
        """To switch it, where it is either on or off; else to where it is set."""
        value, named = self._parts.walk.settings[setting.name], setting.name.replace("_", " ")
        if not setting.is_switch:
            return Entry(f"Setting: {setting.help}", "", partial(self.show_panel, "Settings"), also=named)
        switch = partial(self._parts.walk.set_setting, setting.name, not value)
        return Entry(f"Setting: {setting.help}; now {'on' if value else 'off'}", "", switch, also=named)

    def _is_set(self, setting: Setting) -> bool:
        """Whether a setting has a value that can be taken back."""
        return self._parts.walk.settings[setting.name] is not None and setting.default is None

    def _as_usual(self, setting: Setting) -> Entry:
        named = setting.name.replace("_", " ")
        usual = partial(self._parts.walk.set_setting, setting.name, None)
        return Entry(f"Setting: {named} as usual, {setting.usual}", "", usual, also="reset unset")

    def probe_ahead(self) -> None:
        """Probe the door that is ahead, else the nearest."""
        doors = front_first(self._doors())
        if doors:
            self._probe(doors[0].entity)
        else:
            self._say("no door near by")

    def _probe(self, entity: int) -> None:
        self._parts.walk.questions.probe(entity)
        self.show_panel("Probe")

    def show_panel(self, title: str) -> None:
        """Bring a panel to the front, with the mouse free for it."""
        self._parts.controls.free_for_typing()
        self._parts.layout.show(title)

    def _to_mark(self, kind: str, by: int) -> None:
        self._say(self._parts.walk.travel.to_mark(by, kind))

    def _look_at(self, door: DoorReport) -> None:
        x, y, z = door.position
        self._parts.walk.look_toward(door.cell, (x, y, z + 1.0))

    def _go_to_door(self, door: DoorReport) -> None:
        """Stand before a door, on the body's side of it where there is room, and look at it."""
        position = self._parts.walk.simulation.position
        x, y, z = door.position
        here = rebase(position.frame.origin, position.cell_id, door.cell)
        away = math.hypot(here[0] - x, here[1] - y) or 1.0
        east, north = (here[0] - x) / away, (here[1] - y) / away
        complaint = ""
        for step in BEFORE_A_DOOR:
            for cell in dict.fromkeys((position.cell_id, door.cell, *door.cells)):
                at = rebase((x + step * east, y + step * north, z), door.cell, cell)
                complaint = self._go(format_location(place_of(cell, at, ())))
                if not complaint:
                    self._look_at(door)
                    return
        self._say(complaint)

    def _to(self, place: str) -> Callable[[], None]:
        return lambda: self._say(self._go(place))

    def _mark(self, name: str) -> None:
        self._say(self._bookmarks.put(name, self._parts.walk.location()))

    def _forget(self, name: str) -> None:
        self._say(self._bookmarks.forget(name))

    def _say(self, words: str) -> None:
        if words:
            self._parts.message.say(words)
