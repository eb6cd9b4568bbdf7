"""Damage dat records and containers at random and see that the reader takes it or refuses it in one way.

    python scripts/fuzz_dats.py [--records N] [--containers N] [--seed S] [--part K/N] [--dats DIR ...]

Every input must either be read or raise DatError, within SECONDS and within MEGABYTES of memory above
what the process began with. Anything else is printed with what makes it again, and the exit code is 1.
The same arguments always make the same inputs. Run it in the project's environment.
"""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

from scripts.start import RUNTIME, arguments_of, begin, finish

begin(__name__, RUNTIME)

import json
import struct
import time
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from random import Random

from engine.dat.check.everything import check
from engine.dat.check.listing import list_entries, show_all
from engine.dat.check.record_json import dumps, to_fields
from engine.dat.container.btree import NODE_SIZE
from engine.dat.container.building import build_dat
from engine.dat.container.dat_file import COMPRESSED, HEADER_OFFSET, DatFile
from engine.dat.container.installation import DatFiles
from engine.dat.errors import DatError
from engine.dat.hex_id import hex_id
from engine.dat.object_types import DatKind
from engine.dat.records.codecs import CODECS, decode, encode
from engine.dat.records.palette import Palette
from engine.dat.records.pixels import decode_pixels
from engine.dat.records.render_surface import RenderSurface
from scripts.environment import ROOT, SetupError
from scripts.fuzzing.damage import mutate
from scripts.fuzzing.numbers import read_count, read_part
from scripts.fuzzing.trying import Tally, limit_memory
from scripts.long_work.telling import telling
from viewer.renderer.images.images import decode_jpeg

FOLDERS = (ROOT / "assets" / "demo", ROOT.parent / "shared" / "examples" / "dats")
PALETTE = Palette(0x04000001, tuple(range(256)))


@dataclass(frozen=True, slots=True)
class Stored:
    """A sound record: where it comes from and its bytes."""

    type: str
    object_id: int
    data: bytes


def use_record(stored: Stored, data: bytes) -> None:
    """Everything that is done with a record: decoded, shown, its pixels, written and read back."""
    record = decode(stored.type, data, "fuzz.dat", stored.object_id)
    dumps(to_fields(record))
    if isinstance(record, RenderSurface):
        decode_pixels(record, PALETTE, jpeg=decode_jpeg)
    written = encode(record)
    if encode(decode(stored.type, written, "fuzz.dat", stored.object_id)) != written:
        raise AssertionError("what was written reads as something else")


def fuzz_records(stored: list[Stored], count: int, part: tuple[int, int], seed: int) -> Tally:
    """``count`` damaged records: every one at least once, the rest shared by the types, small ones first."""
    by_type: dict[str, list[Stored]] = defaultdict(list)
    for item in sorted(stored, key=lambda item: len(item.data)):
        by_type[item.type].append(item)
    small = {name: items[: max(4, len(items) // 3)] for name, items in by_type.items()}
    turns = zip(*(cycle(items) for items in small.values()), strict=False)
    rest = (item for turn in turns for item in turn)
    tally = Tally()
    which, parts = part
    tried = enumerate(islice((each for some in (stored, rest) for each in some), count))
    for number, item in telling("records", tried, count):
        if number % parts != which:
            continue
        dice = Random(f"{seed}/{number}")
        data = mutate(item.data, dice.choice(by_type[item.type]).data, dice)
        name = f"record {number} of seed {seed}, {item.type} {hex_id(item.object_id)}"
        tally.try_one(name, lambda item=item, data=data: use_record(item, data))  # type: ignore[misc]
    return tally


def sound_containers(stored: list[Stored]) -> list[bytes]:
    """Small containers of both block sizes: few and many records, with free blocks, compressed."""
    some = [item for item in stored if len(item.data) < 3000]
    in_cell = [item for item in some if item.type in ("LandBlock", "LandBlockInfo", "EnvCell")]
    in_portal = [item for item in some if item not in in_cell]
    out = []
    for kind, items in ((DatKind.PORTAL, in_portal), (DatKind.CELL, in_cell)):
        out += [build_dat({item.object_id: item.data for item in items[:most]}, kind) for most in (20, 150)]
        out.append(_with_free_blocks(out[-1]))
        packed = {item.object_id: _compressed(item.data) for item in items[:20]}
        out.append(_all_compressed(build_dat(packed, kind)))
    return out


def _compressed(data: bytes) -> bytes:
    return struct.pack("<I", len(data)) + zlib.compress(data)


def _all_compressed(data: bytes) -> bytes:
    """A built one-node dat with the compressed flag in every entry."""
    out, dat = bytearray(data), DatFile(data, "")
    size = dat.header.block_size
    for index in range(len(dat.tree.node(dat.header.root).ids) - 1):
        place = 252 + 24 * index
        at = dat.header.root + place // (size - 4) * size + 4 + place % (size - 4)
        out[at] |= COMPRESSED
    return bytes(out)


def _with_free_blocks(data: bytes, count: int = 4) -> bytes:
    size = DatFile(data, "").header.block_size
    places = [len(data) + size * number for number in range(count)]
    out = bytearray(data) + bytes(size * count)
    for place, following in zip(places, [*places[1:], 0], strict=True):
        struct.pack_into("<I", out, place, 0x80000000 | following)
    struct.pack_into("<III", out, HEADER_OFFSET + 0x14, places[0], places[-1], count)
    struct.pack_into("<I", out, HEADER_OFFSET + 8, len(out))
    return bytes(out)


def hot_places(data: bytes) -> tuple[int, ...]:
    """Where a container's own numbers lie: header, next pointers, and what is used of the nodes."""
    dat = DatFile(data, "")
    size = dat.header.block_size
    hot = [*range(HEADER_OFFSET, HEADER_OFFSET + 0x24)] * 4
    hot += [*range(0x400, len(data), size)]
    nodes = [dat.header.root]
    for offset in nodes:
        node = dat.tree.node(offset)
        nodes += node.children
        used = (*range(0, 4 * len(node.children) + 8), *range(248, 252 + 24 * len(node.ids)))
        hot += [offset + place // (size - 4) * size + 4 + place % (size - 4) for place in used]
        hot += [offset + block * size for block in range(-(-NODE_SIZE // (size - 4)))]
    return tuple(hot)


def use_container(data: bytes, *, thorough: bool) -> None:
    """Everything that is done with a container; raises the first DatError at the end."""
    dat = DatFile(data, "fuzz.dat")
    told: list[DatError] = []

    def attempt(use: Callable[[], object]) -> None:
        try:
            use()
        except DatError as error:
            told.append(error)

    attempt(dat.levels)
    attempt(lambda: list(dat.free_blocks()))
    attempt(lambda: list(dat.entries()))
    attempt(lambda: list(dat.entries(0x02000000, 0x08FFFFFF)))
    for entry in dat.entries(skipped=told.append):
        attempt(lambda entry=entry: dat.read_entry(entry))  # type: ignore[misc]
        attempt(lambda entry=entry: dat.entry(entry.id + 1))  # type: ignore[misc]
    if dat.header.kind is None:
        attempt(lambda: dat.kind)
    elif thorough:
        files = DatFiles(dat, dat)
        for _ in list_entries(files, "EnvCell", told.append):
            pass
        for _ in show_all(files, skipped=told.append):
            pass
        report = check(files)
        for finding in report.findings:
            if "internal error" in finding.detail:
                raise RuntimeError(str(finding))
        if not report.ok:
            told.append(DatError("", None, None, "found by check"))
    if told:
        raise told[0]


def fuzz_containers(stored: list[Stored], count: int, part: tuple[int, int], seed: int) -> Tally:
    """``count`` damaged containers; every eighth is shown and checked from end to end."""
    sound = sound_containers(stored)
    hot = [hot_places(data) for data in sound]
    tally = Tally()
    which, parts = part
    for number in telling("containers", range(which, count, parts), count // parts):
        dice = Random(f"{seed}/container/{number}")
        pick = dice.randrange(len(sound))
        data = mutate(sound[pick], dice.choice(sound), dice, hot[pick])
        thorough = number % 8 == 0
        tally.try_one(
            f"container {number} of seed {seed}",
            lambda data=data, thorough=thorough: use_container(data, thorough=thorough),  # type: ignore[misc]
        )
    return tally


def stored_records(folders: list[Path]) -> list[Stored]:
    """Every record of some folders of dats that has a codec."""
    out = []
    for folder in folders:
        with DatFiles.open(folder) as files:
            out += [
                Stored(listed.type, listed.entry.id, listed.file.read_entry(listed.entry))
                for listed in list_entries(files)
                if listed.type in CODECS
            ]
    return out


def main(arguments: list[str]) -> int:
    """Run it; prints one JSON line with the counts, and on stderr what went wrong."""
    parser = arguments_of(__doc__)
    parser.add_argument(
        "--records", type=read_count, default=20_000, help="damaged records, all parts together"
    )
    parser.add_argument("--containers", type=read_count, default=2_000, help="damaged containers")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--part", type=read_part, default=(0, 1), help="K/N: every N-th input, from the K-th on"
    )
    parser.add_argument("--dats", type=Path, nargs="*", default=[f for f in FOLDERS if f.is_dir()])
    args = parser.parse_args(arguments)
    try:
        stored = stored_records(args.dats)
    except DatError as error:
        raise SetupError(str(error)) from error
    limit_memory()
    start = time.perf_counter()
    tallies = {
        "records": fuzz_records(stored, args.records, args.part, args.seed),
        "containers": fuzz_containers(stored, args.containers, args.part, args.seed),
    }
    counts = {
        name: {"inputs": t.inputs, "read": t.read, "refused": t.refused, "slowest": round(t.slowest, 3)}
        for name, t in tallies.items()
    }
    types = dict(sorted(Counter(item.type for item in stored).items()))
    print(json.dumps({**counts, "sound records": types, "seconds": round(time.perf_counter() - start, 1)}))
    wrong = [line for tally in tallies.values() for line in tally.wrong]
    print("".join(f"{line}\n" for line in wrong[:20]), end="", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    finish(main)
