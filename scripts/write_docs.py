"""Write what the docs take from the program's own tables and code: commands, keys, settings, modes, schemas.

    python scripts/write_docs.py

Run it after changing one of these tables, a reader, or a report.
"""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

from scripts.start import RUNTIME, arguments_of, begin, finish

begin(__name__, RUNTIME)

from pathlib import Path

from engine.files.format_version import FORMATS, USER_FILES
from engine.files.read import read_text
from engine.files.write import write_text
from scripts.environment import ROOT, SetupError
from scripts.formats.schemas import SCHEMAS, schema_texts
from viewer.doctor.machine_finding import DEBIAN, MACOS, REMEDIES, WINDOWS
from viewer.tables.command_docs import command_reference, command_table
from viewer.tables.keys import key_reference
from viewer.tables.modes import mode_reference
from viewer.tables.settings import settings_reference

# Parts of pages that are written by hand.
COMMANDS, FORMATS_TABLE, REMEDIES_TABLE, SCRIPTS_TABLE = "commands", "formats", "remedies", "scripts"


def documents() -> dict[Path, str]:
    """Every made document and what it should hold."""
    readme, formats = ROOT / "README.md", ROOT / "docs" / "formats.md"
    installing, architecture = ROOT / "docs" / "installing.md", ROOT / "docs" / "architecture.md"
    return {
        readme: with_part(readme, COMMANDS, command_table()),
        formats: with_part(formats, FORMATS_TABLE, format_table()),
        installing: with_part(installing, REMEDIES_TABLE, remedy_table()),
        architecture: with_part(architecture, SCRIPTS_TABLE, script_table()),
        ROOT / "docs" / "commands.md": command_reference(),
        ROOT / "docs" / "keys.md": key_reference(),
        ROOT / "docs" / "modes.md": mode_reference(),
        ROOT / "docs" / "settings.md": settings_reference(),
        **schema_texts(),
    }


def with_part(path: Path, name: str, part: str) -> str:
    """A page whose part between two remarks is made, the rest written by hand."""
    start, end = f"<!-- {name}: made by scripts/write_docs.py -->\n", f"<!-- end of {name} -->\n"
    head, begun, rest = read_text(path).partition(start)
    _, ended, tail = rest.partition(end)
    if not (begun and ended):
        missing = end if begun else start
        raise SetupError(f"{path}: lacks the line '{missing.strip()}' in its place")
    return f"{head}{start}{part}{end}{tail}"


def script_table() -> str:
    """Every script with the first line of what it says of itself."""
    rows = ["| script | does |", "| --- | --- |"]
    for path in sorted((ROOT / "scripts").glob("*.py")):
        text = read_text(path, lossy=True, pipes=False)
        first = text.removeprefix('"""').partition("\n")[0].rstrip('"').replace("``", "`").rstrip(".")
        if text.endswith("    finish(main)\n") and first:
            rows.append(f"| `{path.name}` | {first[0].lower()}{first[1:]} |")
    return "\n".join(rows) + "\n"


def format_table() -> str:
    """Every form of files with its version, what it holds, and its schemas."""
    rows = ["| form | version | holds | schema |", "| --- | --- | --- | --- |"]
    for form in FORMATS:
        names = [schema.name for schema in SCHEMAS if schema.form is form]
        links = ", ".join(f"[{name}](schemas/{name}.schema.json)" for name in names)
        rows.append(f"| `{form.name}` | {form.version} | {form.holds} | {links} |")
    rows += [f"| `{form.name}` | {form.version} | {form.holds} | |" for form in USER_FILES]
    return "\n".join(rows) + "\n"


def remedy_table() -> str:
    """How to get what `holtwalk doctor` finds missing, by system."""
    systems = (DEBIAN, WINDOWS, MACOS)
    rows = [f"| missing | {' | '.join(systems)} |", "| --- | --- | --- | --- |"]
    for name, remedy in REMEDIES.items():
        rows.append(f"| {name} | {' | '.join(remedy[system] for system in systems)} |")
    return "\n".join(rows) + "\n"


def main(arguments: list[str]) -> int:
    """Write them."""
    arguments_of(__doc__).parse_args(arguments)
    for path, text in documents().items():
        path.parent.mkdir(exist_ok=True)
        write_text(path, text)
    return 0


if __name__ == "__main__":
    finish(main)
