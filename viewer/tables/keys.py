"""What keys do: one table of actions that the window, the F1 help, the docs and the key file share."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from viewer.tables.modes import ALL_OFF, MODES, key_name

CTRL = "CTRL+"


@dataclass(frozen=True, slots=True)
class Action:
    """Something that can be done, by its key where it has one; ``held`` ones last as long as it is down.

    ``also`` are other words by which the palette finds it.
    """

    name: str
    key: str
    help: str
    group: str
    held: bool = False
    also: str = ""
    called: str = ""

    @property
    def title(self) -> str:
        """What it does at its shortest: as it is ``called``, else its help up to where details begin."""
        return self.called or re.split(r"[:;,(?]", self.help, maxsplit=1)[0].strip()


ACTIONS = (
    Action("forward", "W", "walk forward", "Move", held=True),
    Action("back", "S", "walk back", "Move", held=True),
    Action("left", "A", "side-step left", "Move", held=True),
    Action("right", "D", "side-step right", "Move", held=True),
    Action("turn_left", "LEFT", "turn left", "Move", held=True),
    Action("turn_right", "RIGHT", "turn right", "Move", held=True),
    Action("walk", "LEFT_SHIFT", "walk instead of run while held", "Move", held=True),
    Action("jump", "SPACE", "jump; the longer it is held, the higher", "Move", held=True),
    Action("use", "E", "use the door under the cross-hair (or click while the mouse is caught)", "Move"),
    Action("person", "V", "first or third person", "Look"),
    Action("zoom_in", "PAGE_UP", "third person: move the camera nearer (so does the wheel)", "Look"),
    Action("zoom_out", "PAGE_DOWN", "third person: move the camera farther off (so does the wheel)", "Look"),
    Action("look_up", "UP", "look up", "Look", held=True),
    Action("look_down", "DOWN", "look down", "Look", held=True),
    Action(
        "fly",
        "F",
        "fly: the camera leaves the body, what is visible stays as the body sees it; or fly no longer",
        "Look",
    ),
    Action("fly_up", "R", "fly higher", "Look", held=True),
    Action("fly_down", "C", "fly lower", "Look", held=True),
    Action("come_here", "H", "the body comes to where the camera has flown", "Look"),
    Action("lock", "U", "lock the visible list and walk on, or unlock it", "Look"),
    Action(
        "inspect",
        "I",
        "what is this? under the cross-hair, or under the free pointer (so does Alt+click)",
        "Answer",
        also="pick point pixel object polygon texture surface",
    ),
    Action("inspect_nothing", "", "let go of what was picked", "Answer", also="inspect unpick clear"),
    Action("why", "", "why is the cell that is selected, or picked, seen or not?", "Answer", also="visible"),
    Action("why_nothing", "", "stop asking why a cell is seen, or not", "Answer", also="clear"),
    Action("select", "", "select the cell of what is picked", "Answer", also="outline highlight"),
    Action("select_nothing", "", "let go of the selected cell", "Answer", also="clear deselect"),
    Action("go_selected", "", "go to the cell that is selected, or picked", "Answer", also="teleport"),
    Action("follow", "", "show the fields of what is picked, as dat show prints them", "Answer"),
    Action("follow_nothing", "", "close the fields again", "Answer", also="record"),
    Action("copy_pick", "", "copy all that is told of what is picked", "Answer", also="clipboard inspect"),
    Action("copy_id", "", "copy the id of what is picked", "Answer", also="clipboard inspect"),
    Action("copy_followed", "", "copy the id of the record whose fields are shown", "Answer"),
    Action("copy_blocked", "", "copy what holds the body, in words", "Answer", also="clipboard blocked hit"),
    Action("copy_log", "", "copy the lines of the log that are shown", "Answer", also="clipboard"),
    Action(
        "audit",
        "CTRL+U",
        "what is wrong with this world? look all of it over, while the window goes on",
        "Answer",
        also="audit errors faults check",
    ),
    Action(
        "audit_block",
        "",
        "what is wrong with this landblock? look over the one that you are in",
        "Answer",
        also="audit errors faults check here",
    ),
    Action("audit_stop", "", "stop looking for what is wrong", "Answer", also="audit end cancel"),
    Action("finding_next", "", "go to the next finding", "Answer", also="audit wrong error"),
    Action("finding_back", "", "go to the finding before", "Answer", also="audit wrong error"),
    Action("map_here", "", "the map follows the body", "Answer", also="center"),
    Action("map_world", "", "the map shows the whole world", "Answer", also="zoom out landblocks"),
    Action("map_up", "", "the map shows the cells 3 m higher", "Answer", also="slice height"),
    Action("map_down", "", "the map shows the cells 3 m lower", "Answer", also="slice height"),
    Action(
        "probe",
        "",
        "does this door block across its whole doorway: probe the one ahead",
        "World",
        also="opening pins sweeps gap leak",
        called="does this door block across its whole doorway, probe the one ahead",
    ),
    Action("probe_again", "", "probe again what was probed last", "World", also="pins sweeps"),
    Action("probe_nothing", "", "let go of the last probe", "World", also="clear pins"),
    Action(
        "place_door",
        "",
        "place a house door where the picked thing is, else before the body",
        "World",
        also="put spawn add",
    ),
    Action(
        "remove_door",
        "CTRL+Z",
        "remove the picked door, where it was placed by hand, else the one that was placed last",
        "World",
        also="undo delete take away placed",
    ),
    Action(
        "save_scene",
        "",
        "save scene: a file with every door and entity as it stands now",
        "World",
        also="write",
    ),
    Action("door_use", "", "use the door that is picked, else the one ahead", "World", also="open close"),
    Action(
        "door_ethereal",
        "",
        "make the door that is picked, else the one ahead, ethereal or solid",
        "World",
        also="pass passable bit",
    ),
    Action("door_lock", "", "lock or unlock the door that is picked, else the one ahead", "World"),
    Action(
        "door_pose_on",
        "",
        "open that door's pose a tenth of its clip farther; its state word stays",
        "World",
        also="scrub animation",
    ),
    Action(
        "door_pose_back",
        "",
        "close that door's pose by a tenth of its clip; its state word stays",
        "World",
        also="scrub animation",
    ),
    Action(
        "door_state",
        "",
        "give that door another state word, which is written behind the word state",
        "World",
        also="flags hex bits physics state",
    ),
    Action("pause", "P", "pause or go on", "Time"),
    Action(
        "step", "N", "one tick on while paused; after the last kept tick the keys that are held count", "Time"
    ),
    Action("step_back", "Y", "one tick back; what goes on from there is a branch", "Time"),
    Action("first_tick", "", "go to the first tick that is kept", "Time", also="start begin rewind"),
    Action("last_tick", "", "go to the last tick", "Time", also="end now present"),
    Action("mark_back", "CTRL+Y", "back to the last tick in which something happened", "Time"),
    Action(
        "blocked",
        "",
        "back to where something blocked the body last",
        "Time",
        also="hit stopped held stuck collided",
    ),
    Action("mark_next", "CTRL+N", "on to the next tick in which something happened", "Time"),
    Action(
        "difference",
        "CTRL+J",
        "to where a recorded client differs next, while a capture is played",
        "Time",
        also="where does another client differ capture replay compare",
    ),
    Action("branch", "", "go to the branch that was left last, with its ticks ahead", "Time", also="undo"),
    Action("play", "J", "play the kept ticks from here, or stop", "Time"),
    Action("slower", "LEFT_BRACKET", "let time pass more slowly", "Time", also="slow motion"),
    Action("faster", "RIGHT_BRACKET", "let time pass faster", "Time"),
    Action("day", "K", "let the day pass as in the game, in two minutes, or not at all", "Time"),
    *(Action(f"draw-{m.name}", m.key, f"{m.name}: {m.help}", "Draw") for m in MODES),
    *(Action(f"draw-{m.name}-back", m.back, f"{m.name}: the one before", "Draw") for m in MODES if m.back),
    Action(
        "modes_off",
        ALL_OFF,
        "all modes off; what you asked is let go, too: why, pick, probe, finding, the selected cell",
        "Draw",
        also="clear deselect select nothing",
    ),
    Action("mouse", "TAB", "free the mouse for the panels, or catch it to look around", "Window"),
    Action("teleport", "T", "open the teleport box", "Window"),
    Action("place_back", "CTRL+LEFT", "back to the place before", "Window"),
    Action("place_forth", "CTRL+RIGHT", "forth again to the place that was left", "Window"),
    Action("copy_place", "L", "copy and print this place, as the game prints it", "Window"),
    Action("copy_command", "CTRL+L", "copy and print the command that draws this picture", "Window"),
    Action(
        "bug",
        "CTRL+B",
        "write a bug folder: the last seconds, for somebody else to see and run",
        "Window",
        also="how do I hand this to somebody share send report",
    ),
    Action("screenshot", "F12", "save this picture, without the panels", "Window"),
    Action("screenshot_panels", "CTRL+F12", "save this picture with the panels around it", "Window"),
    Action("movie", "CTRL+M", "save the last five seconds as a film, without the panels", "Window"),
    Action("palette", "CTRL+P", "everything that can be done, by typing some of its words", "Window"),
    Action("full_screen", "F11", "fill the whole screen, or be a window again", "Window"),
    Action("choose_dats", "CTRL+D", "choose the folder of your own dats, for the next start", "Window"),
    Action("start_here", "", "let walks start where the body is now", "Window", also="home setting begin"),
    Action("panels", "F2", "show or hide the panels", "Window"),
    Action("reset_panels", "CTRL+R", "put all panels back where they first stood", "Window", also="layout"),
    Action(
        "quit",
        "ESCAPE",
        "free the mouse; then let go of what is asked or selected; then ask whether to leave",
        "Window",
    ),
    Action("help", "F1", "show the keys", "Help"),
    Action(
        "first_steps",
        "CTRL+F1",
        "show the card of the first start again: five keys, and what was found",
        "Help",
    ),
)

ACTION_BY_NAME = {action.name: action for action in ACTIONS}


FIRST_STEPS = (
    (("forward", "left", "back", "right"), "walk; the mouse looks around"),
    (("use",), "open the door under the cross-hair"),
    (("inspect",), "what is this? under the cross-hair"),
    (("mouse",), "free the mouse for the panels, which say why things are as they are"),
    (("palette",), "everything else, by typing some of its words"),
)
"""What the card of the first minute tells: actions, and what they are for."""


def first_steps(keys: Mapping[str, str]) -> list[tuple[str, str]]:
    """The rows of the card: keys as they are bound, and what they do; without what is bound to nothing."""
    rows = ((" ".join(key_name(keys[n]) for n in names if keys[n]), text) for names, text in FIRST_STEPS)
    return [row for row in rows if row[0]]


def default_keys() -> dict[str, str]:
    """Key name by action name, as shipped."""
    return {action.name: action.key for action in ACTIONS}


def shared_keys(keys: Mapping[str, str]) -> list[str]:
    """One line for each key that several actions are bound to."""
    by_key: dict[str, list[str]] = {}
    for action in ACTIONS:
        by_key.setdefault(keys[action.name], []).append(action.name)
    return [
        f"'{key}' is bound to {' and '.join(names)}; it does both"
        if len(names) == 2
        else f"'{key}' is bound to {', '.join(names[:-1])} and {names[-1]}; it does them all"
        for key, names in by_key.items()
        if key and len(names) > 1
    ]


def key_rows(keys: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Group, key and what it does, in the table's order, for the F1 panel and the docs."""
    return [(a.group, key_name(keys[a.name]), a.help) for a in ACTIONS]


def key_reference() -> str:
    """The keys in Markdown, for docs/keys.md."""
    lines = [
        "# Keys\n",
        "Made from the table of actions by `scripts/write_docs.py`. `keys.toml` in the",
        "platform's configuration folder (on Linux `~/.config/holtwalk/`) can bind others; one that binds",
        "none is written on the first start. While the mouse is caught it looks around, and its left",
        "button uses what the cross-hair is on; while it is free, a click on the picture only catches it.",
        "What has no key is done from a panel and from the palette.\n",
        "A key is known by what the layout prints on it. Where that is bound to nothing, as under a Russian,",
        "Greek or Hebrew layout, it is known by its place on a US keyboard, and the row of digits is digits",
        "under AZERTY, too. The window names a key that nothing is bound to, so that `keys.toml` can bind",
        "it.\n",
        "| | key | does | in `keys.toml` |",
        "| --- | --- | --- | --- |",
    ]
    lines += [f"| {a.group} | {key_name(a.key)} | {a.help} | `{a.name}` |" for a in ACTIONS]
    return "\n".join(lines) + "\n"
