"""Iteration, 0xFFFF0001: which patches a dat has (dat-format 1.9)."""

from __future__ import annotations

from engine.dat.primitives import Reader, Writer
from engine.named_tuple import NamedTuple

_BIT_30, _BIT_31 = 1 << 30, 1 << 31


class Run(NamedTuple):
    """``length`` iterations starting at ``first``."""

    first: int
    length: int


class Iteration(NamedTuple):
    """The number of iterations in the set and the runs that make it up: one run in a complete file."""

    iterations: int
    runs: tuple[Run, ...]


def read_iteration(reader: Reader) -> Iteration:
    """An Iteration record: pairs (−length, first), or single iterations."""
    total = reader.i32()
    if total < 0:
        reader.fail(f"a set of {total} iterations", 0)
    runs: list[Run] = []
    seen = 0
    while seen < total:
        item = reader.i32()
        if item < 0:
            run = Run(reader.u32(), -item)
        else:
            run = Run(item | _BIT_31 if item & _BIT_30 else item, 1)
        runs.append(run)
        seen += run.length
    if seen != total:
        reader.fail(f"runs of {seen} iterations in a set of {total}")
    return Iteration(total, tuple(runs))


def write_iteration(writer: Writer, iteration: Iteration) -> None:
    """An Iteration record; every run is a pair, also one of length 1, as all readers accept that."""
    writer.require(
        sum(run.length for run in iteration.runs) == iteration.iterations, "runs and their sum disagree"
    )
    writer.i32(iteration.iterations)
    for run in iteration.runs:
        writer.i32(-run.length)
        writer.u32(run.first)
