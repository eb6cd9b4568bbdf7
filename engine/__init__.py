"""The Holtwalk engine: data, world, collision, physics and visibility, without any window or GL library."""

from pathlib import Path

from engine.compiled_form import use_compiled_form

FORM = use_compiled_form(Path(__file__).resolve().parents[1])
