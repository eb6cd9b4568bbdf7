"""What a bug folder says to whoever unpacks it: the commands that show and run it, as they are typed."""

from __future__ import annotations

from typing import Final

from engine.replay.case_names import DUMPS_NAME, RECORDING_NAME, SCRIPT_NAME
from viewer.window.sharing.bug_facts import Facts
from viewer.window.sharing.bug_folder import CAPTURE_NAME, FACTS_NAME, PICTURE_NAME, REPORT_NAME, SCENE_NAME

README_NAME: Final = "README.txt"
OWN_DATS: Final = "--dats YOUR_DATS"


def commands(facts: Facts, *, everywhere: bool) -> tuple[tuple[str, str], ...]:
    """What is typed in the folder, with what it does; in a world that is ``everywhere``, or one of dats."""
    if everywhere:
        world = of_cases = " --demo"
    elif facts.dumps is not None:
        world, of_cases = f" --dumps {DUMPS_NAME}", ""
    else:
        world = of_cases = f" {OWN_DATS}"
    placed = f" --scene {SCENE_NAME}" if everywhere or facts.dumps is None else ""
    return (
        (f"holtwalk open .{world}", "shows it in the window, at its tick"),
        (f"holtwalk sim --cases .{of_cases}", f"runs {SCRIPT_NAME} and compares with {RECORDING_NAME}"),
        (
            f"holtwalk replay {CAPTURE_NAME} --compare capture{world}{placed}",
            "runs every record, beside what was recorded",
        ),
    )


def readme(facts: Facts, *, everywhere: bool) -> str:
    """The text of the file."""
    told = commands(facts, everywhere=everywhere)
    lines = [
        f"A bug folder of Holtwalk {facts.written_by}".rstrip() + ".",
        "",
        facts.asked,
        "",
        "Typed in this folder:",
        "",
        *(line for command, does in told for line in (f"    {command}", f"        {does}", "")),
    ]
    tried = [facts.told_again] + (
        [f"in its dumps, {facts.dumps.told_again}"] if facts.dumps is not None else []
    )
    lines += [f"When it was written: {'; '.join(tried)}.", ""]
    if any(OWN_DATS in command for command, _ in told):
        lines += [
            "YOUR_DATS is a folder with client_portal.dat and client_cell_1.dat of your own:",
            "this one holds none of their geometry.",
            "",
        ]
    lines += [
        f"{FACTS_NAME} tells more, {REPORT_NAME} all that was shown, {PICTURE_NAME} what was seen.",
        f"{SCENE_NAME} has the doors and objects as their world brought them, and not as they stood in the",
        f"tick that was shown: what became of them stands in {SCRIPT_NAME}, and {REPORT_NAME} has the doors.",
    ]
    return "\n".join(lines) + "\n"
