"""Dats for tests, written as files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from engine.dat.container.building import build_dat
from engine.dat.object_types import DatKind


def write_dat(path: Path, files: Mapping[int, bytes], kind: DatKind, block_size: int | None = None) -> None:
    path.write_bytes(build_dat(files, kind, block_size))
