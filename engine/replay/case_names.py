"""What the files of a recorded case are called."""

from __future__ import annotations

from typing import Final

SCRIPT_NAME: Final = "sim.json"
RECORDING_NAME: Final = "expected.jsonl"
DUMPS_NAME: Final = "dumps"
