"""Write what the docs take from the program's own tables: commands, keys, settings and drawing modes.

    python scripts/write_docs.py

Run it in the project's environment after changing one of these tables.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts.start import RUNTIME, arguments_of, begin, finish

begin(__name__, RUNTIME)

from engine.files.write import write_text
from scripts.environment import ROOT
from viewer.tables.command_docs import command_reference, command_table
from viewer.tables.keys import key_reference
from viewer.tables.modes import mode_reference
from viewer.tables.settings import settings_reference

START = "<!-- commands: made by scripts/write_docs.py -->\n"
END = "<!-- end of commands -->\n"


def documents() -> dict[Path, str]:
    """Every made document and what it should hold."""
    readme = ROOT / "README.md"
    text = readme.read_text(encoding="utf-8")
    head, rest = text.split(START)
    tail = rest.split(END)[1]
    return {
        readme: f"{head}{START}{command_table()}{END}{tail}",
        ROOT / "docs" / "commands.md": command_reference(),
        ROOT / "docs" / "keys.md": key_reference(),
        ROOT / "docs" / "modes.md": mode_reference(),
        ROOT / "docs" / "settings.md": settings_reference(),
    }


def main(arguments: list[str]) -> int:
    """Write them."""
    arguments_of(__doc__).parse_args(arguments)
    for path, text in documents().items():
        path.parent.mkdir(exist_ok=True)
        write_text(path, text)
    return 0


if __name__ == "__main__":
    finish(main)
