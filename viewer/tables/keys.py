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

    @property
    def title(self) -> str:
        """What it does at its shortest: its help up to where that goes into details."""
        return re.split(r"[:;,(?]", self.help, maxsplit=1)[0].strip()


ACTIONS = (
    Action("forward", "W", "walk forward", "Move", held=True),
    Action("back", "S", "walk back", "Move", held=True),
    Action("left", "A", "side-step left", "Move", held=True),
    Action("right", "D", "side-step right", "Move", held=True),
    Action("turn_left", "LEFT", "turn left", "Move", held=True),
    Action("turn_right", "RIGHT", "turn right", "Move", held=True),
    Action("walk", "LEFT_SHIFT", "walk instead of run while held", "Move", held=True),
    Action("jump", "SPACE", "jump; the longer it is held, the higher", "Move", held=True),
    Action("use", "E", "use the door under the cross-hair (so does a click)", "Move"),
    Action("person", "V", "first or third person", "Look"),
    Action("zoom_in", "PAGE_UP", "third person: nearer (so does the wheel)", "Look"),
    Action("zoom_out", "PAGE_DOWN", "third person: farther (so does the wheel)", "Look"),
    Action("look_up", "UP", "look up", "Look", held=True),
    Action("look_down", "DOWN", "look down", "Look", held=True),
    Action("fly", "F", "fly: the camera leaves body and visibility root behind", "Look"),
    Action("fly_up", "R", "fly: up", "Look", held=True),
    Action("fly_down", "C", "fly: down", "Look", held=True),
    Action(
        "inspect",
        "I",
        "what is this? under the cross-hair, or under the free pointer (so does Alt+click)",
        "Look",
        also="pick point pixel object polygon texture surface",
    ),
    Action("inspect_nothing", "", "let go of what was picked", "Look", also="inspect unpick clear"),
    Action("why_nothing", "", "ask no more why a cell is seen, or not", "Look", also="clear"),
    Action(
        "audit",
        "CTRL+U",
        "what is wrong with this world: look all of it over, beside the window",
        "Look",
        also="audit errors faults check",
    ),
    Action(
        "audit_block",
        "",
        "what is wrong with this landblock: look over the one that you are in",
        "Look",
        also="audit errors faults check here",
    ),
    Action("audit_stop", "", "stop looking over what is wrong", "Look", also="audit end cancel"),
    Action("map_here", "", "the map follows the body", "Look", also="center"),
    Action("map_world", "", "the map shows the whole world", "Look", also="zoom out landblocks"),
    Action("come_here", "H", "the body comes to where the camera has flown", "Look"),
    Action("lock", "U", "lock the visible list and walk on, or let it go", "Look"),
    Action(
        "probe",
        "",
        "does this door block across its whole doorway: probe the one ahead",
        "World",
        also="opening pins sweeps gap leak",
    ),
    Action("probe_nothing", "", "let go of the last probe", "World", also="clear pins"),
    Action(
        "place_door",
        "",
        "place a door where the picked thing is, else before the body",
        "World",
        also="put spawn add",
    ),
    Action("save_scene", "", "save scene: every door and entity as it stands now", "World", also="write"),
    Action("pause", "P", "pause or go on", "Time"),
    Action("step", "N", "one tick on while paused; after the last one by the keys that are held", "Time"),
    Action("step_back", "Y", "one tick back; P goes on from there as a branch", "Time"),
    Action("first_tick", "", "to the first tick that is kept", "Time", also="start begin rewind"),
    Action("last_tick", "", "to the last tick", "Time", also="end now present"),
    Action("mark_back", "CTRL+Y", "back to where something happened before", "Time"),
    Action(
        "blocked",
        "",
        "back to where something blocked the body last: stood in its way",
        "Time",
        also="hit stopped held stuck collided",
    ),
    Action("mark_next", "CTRL+N", "on to where something happened next", "Time"),
    Action(
        "difference",
        "CTRL+J",
        "to where a recorded client differs, of a capture that is played",
        "Time",
        also="where does another client differ capture replay compare",
    ),
    Action("play", "J", "show the kept ticks one after another", "Time"),
    Action("slower", "LEFT_BRACKET", "slow motion", "Time"),
    Action("faster", "RIGHT_BRACKET", "faster", "Time"),
    Action("day", "K", "let the day pass: as in the game, in two minutes, or not", "Time"),
    *(Action(f"draw-{m.name}", m.key, f"{m.name}: {m.help}", "Draw") for m in MODES),
    *(Action(f"draw-{m.name}-back", m.back, f"{m.name}: the one before", "Draw") for m in MODES if m.back),
    Action("modes_off", ALL_OFF, "all modes off; what a probe, a pick or a finding shows goes, too", "Draw"),
    Action("mouse", "TAB", "free the mouse for the panels, or catch it to look around", "Window"),
    Action("teleport", "T", "open the teleport box", "Window"),
    Action("place_back", "CTRL+LEFT", "back to the place before", "Window"),
    Action("place_forth", "CTRL+RIGHT", "and forth again", "Window"),
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
    Action("full_screen", "F11", "the whole screen, or a window again", "Window"),
    Action("choose_dats", "CTRL+D", "choose the folder of your own dats, for the next start", "Window"),
    Action("panels", "F2", "show or hide the panels", "Window"),
    Action("reset_panels", "CTRL+R", "put the panels back where they first stood", "Window"),
    Action("quit", "ESCAPE", "free the mouse; once it is free, ask whether to leave", "Window"),
    Action("help", "F1", "show the keys", "Help"),
    Action(
        "first_steps", "CTRL+F1", "the card of the first start again: five keys, and what was found", "Help"
    ),
)


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
        "none is written on the first start. The mouse looks around, its left button uses what the",
        "cross-hair is on. What has no key is done from a panel and from the palette.\n",
        "A key is known by what the layout prints on it. Where that is bound to nothing, as under a Russian,",
        "Greek or Hebrew layout, it is known by its place on a US keyboard, and the row of digits is digits",
        "under AZERTY, too. The window names a key that nothing is bound to, so that `keys.toml` can bind",
        "it.\n",
        "| | key | does | in `keys.toml` |",
        "| --- | --- | --- | --- |",
    ]
    lines += [f"| {a.group} | {key_name(a.key)} | {a.help} | `{a.name}` |" for a in ACTIONS]
    return "\n".join(lines) + "\n"
