"""The recorded cases of the traversal: their worlds and poses."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from engine.world.loading.world import World
from engine.world.sources.open_source import open_source

CASES = Path(__file__).resolve().parents[2].parent / "shared" / "cases_view"


def names():
    return sorted(p.parent.name for p in CASES.glob("*/poses.json"))


@cache
def world_of(name):
    folder = CASES / name / "dumps"
    if not folder.is_dir():
        folder = CASES / name / (CASES / name / "world").read_text().strip()
    return World(open_source(dumps=folder))


def poses():
    for name in names():
        for pose in json.loads((CASES / name / "poses.json").read_text()):
            yield pytest.param(name, pose, id=f"{name}-{pose['name']}")
