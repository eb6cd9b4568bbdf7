"""Where the checkout, the demo world and the reference cases beside the project lie."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DEMO = ROOT / "assets" / "demo"
SHARED = ROOT.parent / "shared"
