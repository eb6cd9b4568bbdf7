"""What panels may do and ask: the walk and its questions are such things."""

from __future__ import annotations

from typing import Protocol

from engine.replay.audit.finding import Finding
from viewer.tables.settings import Value


class Ask(Protocol):
    """What panels can ask of the world."""

    def ask_why(self, cell: int) -> None:
        """Ask why a cell is seen or not, 0 to ask no more."""

    def type_why(self, text: str, *, entered: bool = False) -> None:
        """What is typed into the box for a cell."""

    def inspect_nothing(self) -> None:
        """Let go of what was picked."""

    def tell(self, line: str) -> None:
        """Say what came of a click."""

    def probe(self, entity: int) -> None:
        """Probe a doorway, 0 to let go of the last probe."""

    def audit(self, block: int | None) -> None:
        """Look over a landblock, or the whole world for None."""

    def stop_audit(self) -> None:
        """End the audit that is under way."""

    def look_at_map(self, size: tuple[float, float]) -> None:
        """The map is looked at, in so many pixels."""

    def zoom_map(self, notches: float, at: tuple[float, float]) -> None:
        """The wheel turned over a place of the map."""

    def drag_map(self, right: float, down: float) -> None:
        """The map was pulled."""

    def center_map(self) -> None:
        """Let the map follow the body."""

    def show_world(self) -> None:
        """Let the map show the whole world."""

    def raise_map(self, metres: float) -> None:
        """Look at a slice of heights so much higher or lower."""

    def cell_on_map(self, at: tuple[float, float]) -> int:
        """The cell at a place of the map; 0 for none."""

    def go_on_map(self, at: tuple[float, float]) -> None:
        """Go to a place of the map."""

    def filter_log(self, text: str) -> None:
        """Show the lines of the log alone that hold a text."""

    def show_kind(self, kind: str) -> None:
        """Show findings of one kind alone, all for an empty one."""

    def go_to_finding(self, finding: Finding) -> None:
        """Go where a finding is and frame what it is about."""

    def lock_door(self, entity: int, *, locked: bool) -> None:
        """Lock a door, or unlock it."""

    def pose_door(self, entity: int, share: float) -> None:
        """Pose a door, 0 closed to 1 open; its state word stays."""

    def type_door_state(self, entity: int, text: str) -> None:
        """Give a door the state word that was typed; its pose stays."""

    def place_door(self) -> None:
        """Put a door down where the picked thing is, else before the body."""

    def remove_door(self, entity: int = 0) -> None:
        """Take a door away that was put down by hand."""

    def save_scene(self) -> None:
        """Save every entity as it stands into a scene file."""

    def follow(self, record: int) -> None:
        """Show the fields of a record, 0 for none."""

    def shown_panels(self) -> list[str]:
        """The panels that are to come to the front; asked once a frame."""


class Travel(Protocol):
    """Going back and forth in the ticks that are kept."""

    def show(self, tick: int) -> object:
        """Go to a tick, or the nearest that is kept."""

    def back(self) -> object:
        """Go to the tick before."""

    def to_mark(self, by: int, kind: str = "") -> str:
        """Go to the next mark (of a kind), or the one before; a line that says where."""

    def to_blocked(self) -> str:
        """Go back to where something stood in the way last; a line that says where."""

    def take_branch(self, number: int) -> object:
        """Go to where a branch left, with its ticks ahead."""

    def toggle_play(self) -> object:
        """Show kept ticks one after another, or stop."""

    def change_speed(self, by: int) -> object:
        """Let time pass faster or slower by a step."""


class OverlayActions(Protocol):
    """What panels can do to the walk."""

    @property
    def travel(self) -> Travel:
        """The ticks that are kept."""

    def toggle_pause(self) -> None:
        """Stop, or go on from the tick shown."""

    def step_on(self) -> None:
        """One tick on; after the last one that is kept by the keys that are held."""

    @property
    def questions(self) -> Ask:
        """What can be asked."""

    def use(self, entity: int) -> object:
        """Use a door, as a click on it does."""

    def set_ethereal(self, entity: int, *, ethereal: bool) -> object:
        """Set or clear the Ethereal bit of a door at once."""

    def toggle_mode(self, name: str) -> None:
        """Switch a drawing mode on or off."""

    def modes_off(self) -> None:
        """Switch every drawing mode off, those with a value as well."""

    def set_distance(self, name: str, landblocks: int) -> None:
        """Set one of the distances that the report names."""

    def key_of(self, action: str) -> str:
        """The key that an action of the table is bound to, as it is shown; empty for none."""

    def do(self, action: str) -> None:
        """Ask the window for an action of the table."""

    def set_setting(self, name: str, value: Value) -> None:
        """Change a setting."""

    def select(self, cell: int) -> None:
        """Select a cell; the selected one again selects none."""

    def light_up(self, cell: int) -> None:
        """Show a cell in the next picture, 0 for none."""

    def filter_list(self, text: str) -> None:
        """Let the list show the rows alone in which a text stands."""
