"""Damaged containers raise DatError and nothing else, and never hang (dat-format 1)."""

import random
import struct

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dat.container.building import build_dat
from engine.dat.container.dat_file import DatFile
from engine.dat.errors import DatError
from engine.dat.object_types import DatKind

DAMAGED = 150
FILES = {3 * index + 1: struct.pack("<I", index) * (index % 300 + 1) for index in range(130)}


def visit(data):
    """Everything that can be read; the number of DatErrors."""
    errors = 0
    try:
        dat = DatFile(data, "damaged.dat")
    except DatError:
        return 1
    for walk in (dat.levels, lambda: list(dat.entries()), lambda: list(dat.entries(50, 90))):
        try:
            walk()
        except DatError:
            errors += 1
    for object_id in (*list(FILES)[::20], 2, 0xFFFF0001):
        try:
            if object_id in dat:
                dat.read(object_id)
        except DatError:
            errors += 1
    return errors


def test_a_whole_file_gives_no_error():
    assert visit(build_dat(FILES, DatKind.CELL)) == 0


def test_mutated_containers():
    dice = random.Random(1)
    data = build_dat(FILES, DatKind.CELL)
    dat = DatFile(data, "")
    # The header's first fields, and of every node the branches in use, the count and some entries.
    hot = [*range(0x140, 0x164)] * 4
    for node in (dat.header.root, *dat.tree.node(dat.header.root).children):
        hot += [*range(node, node + 16), *range(node + 252, node + 256 + 4 + 48)]
    failed = 0
    for _ in range(DAMAGED):
        damaged = bytearray(data)
        for _ in range(dice.randint(1, 5)):
            spot = dice.choice(hot) if dice.random() < 0.8 else dice.randrange(len(data))
            damaged[spot] = dice.choice((0, 1, 0x7F, 0x80, 0xCD, 0xFF, dice.randrange(256)))
        failed += visit(bytes(damaged)) > 0
    assert failed > DAMAGED // 4


def test_containers_cut_short():
    data = build_dat(FILES, DatKind.CELL)
    for length in range(0, len(data), 997):
        assert visit(data[:length]) > 0


SMALL = {
    kind: build_dat({3 * number + 1: bytes(number * 40) for number in range(70)}, kind) for kind in DatKind
}
words = (
    st.sampled_from([0, 1, 61, 62, 0x80000000, 0xFFFFFFFF])
    | st.integers(0, 0xFFFFFFFF)
    | st.integers(0, 2**15)
)


@settings(derandomize=True, max_examples=150, deadline=None)
@given(st.sampled_from(list(DatKind)), st.data())
def test_words_set_anywhere_give_dat_errors_only(kind, data):
    damaged = bytearray(SMALL[kind])
    header, anywhere = st.integers(0x50, 0x58), st.integers(0x50, len(damaged) // 4 - 1)
    for _ in range(data.draw(st.integers(1, 6))):
        struct.pack_into("<I", damaged, 4 * data.draw(header | anywhere), data.draw(words))
    visit(bytes(damaged))
