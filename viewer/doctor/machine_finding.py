"""What one look at the machine came to, and how to get what is missing there."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

DEBIAN, WINDOWS, MACOS = "Debian, Ubuntu", "Windows", "macOS"


@dataclass(frozen=True, slots=True)
class Finding:
    """``ok`` is None for something that one can do without; ``lacks`` names what to get, of ``REMEDIES``."""

    name: str
    ok: bool | None
    detail: str
    figures: Mapping[str, object] = field(default_factory=dict)
    lacks: str = ""

    @property
    def remedy(self) -> str:
        """How to get what is missing here, on this system; empty where nothing is."""
        return REMEDIES[self.lacks][this_system()] if self.lacks else ""


FILE: Final = "which is its wheel, sdist or checkout"
REMEDIES: Final[dict[str, dict[str, str]]] = {
    "python": {
        DEBIAN: "apt install python3 python3-venv (Debian 12, Ubuntu 24.04), or uv python install 3.13",
        WINDOWS: "winget install Python.Python.3.13",
        MACOS: "brew install python@3.13",
    },
    "packages": {
        DEBIAN: f"python3 -m pip install FILE, {FILE}, in an environment, or python3 scripts/run.py",
        WINDOWS: f"py -m pip install FILE, {FILE}, in an environment, or py scripts\\run.py",
        MACOS: f"python3 -m pip install FILE, {FILE}, in an environment, or python3 scripts/run.py",
    },
    "files": {
        DEBIAN: f"install the program again: python3 -m pip install --force-reinstall FILE, {FILE}",
        WINDOWS: f"install the program again: py -m pip install --force-reinstall FILE, {FILE}",
        MACOS: f"install the program again: python3 -m pip install --force-reinstall FILE, {FILE}",
    },
    "gl": {
        DEBIAN: "apt install libegl1 libgl1 libgl1-mesa-dri, which draws in software too",
        WINDOWS: "install the graphics card's own driver; remote sessions may have OpenGL 1.1 only",
        MACOS: "OpenGL 4.1 is part of macOS; log in at the screen, not by ssh alone",
    },
    "code": {
        DEBIAN: "let it make code: MemoryDenyWriteExecute=no in its unit, setsebool -P allow_execmem on",
        WINDOWS: "allow the program to make code",
        MACOS: "allow the program to make code",
    },
    "display": {
        DEBIAN: "log in at a screen, or apt install xvfb and put xvfb-run -a in front of the command",
        WINDOWS: "log in at a screen, or by remote desktop",
        MACOS: "log in at the screen, not by ssh alone",
    },
    "compiled": {
        DEBIAN: "install a compiled wheel; from a checkout, python scripts/compile_hot.py with a C compiler "
        "(apt install gcc python3-dev)",
        WINDOWS: "install a compiled wheel; from a checkout, py scripts\\compile_hot.py with Visual Studio's "
        "C++ build tools",
        MACOS: "install a compiled wheel; from a checkout, python3 scripts/compile_hot.py with the command "
        "line tools (xcode-select --install)",
    },
    "dats": {
        DEBIAN: "copy client_portal.dat and client_cell_1.dat into a folder here, and name it by --dats",
        WINDOWS: "install the game and name its folder: set HOLTWALK_DATS=C:\\Turbine\\Asheron's Call",
        MACOS: "copy client_portal.dat and client_cell_1.dat into a folder here, and name it by --dats",
    },
    "settings": {
        DEBIAN: "mend the line that is named, or remove the file: it is written anew",
        WINDOWS: "mend the line that is named, or remove the file: it is written anew",
        MACOS: "mend the line that is named, or remove the file: it is written anew",
    },
    "home": {
        DEBIAN: "put HOME=FOLDER in front of the command, a folder that may be written",
        WINDOWS: "log in as a user with a profile",
        MACOS: "put HOME=FOLDER in front of the command, a folder that may be written",
    },
}


def this_system() -> str:
    """The system whose remedies fit best here."""
    return {"win32": WINDOWS, "darwin": MACOS}.get(sys.platform, DEBIAN)
