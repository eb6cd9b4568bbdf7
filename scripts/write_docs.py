"""Write what the docs take from the program's own tables: commands, keys, settings and drawing modes.

    python scripts/write_docs.py

Run it in the project's environment after changing one of these tables.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from engine.files.write import write_text  # noqa: E402
from viewer.tables.command_docs import command_reference, command_table  # noqa: E402
from viewer.tables.keys import key_reference  # noqa: E402
from viewer.tables.modes import mode_reference  # noqa: E402
from viewer.tables.settings import settings_reference  # noqa: E402

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


def main() -> None:
    """Write them."""
    for path, text in documents().items():
        path.parent.mkdir(exist_ok=True)
        write_text(path, text)


if __name__ == "__main__":
    main()
