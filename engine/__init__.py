"""The Holtwalk engine: data, world, collision, physics and visibility, without any window or GL library."""

from pathlib import Path
from typing import Final

from engine.compiled_form import use_compiled_form

VERSION: Final = "0.1.0"
"""The program's version: the package, its docs and what it writes take it from here."""

FORM = use_compiled_form(Path(__file__).resolve().parents[1])
