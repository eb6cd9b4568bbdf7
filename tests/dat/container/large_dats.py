"""Dat files too large to be built by ``build_dat``: moved past 2 GiB, or with a million entries."""

import struct

import numpy as np

from engine.dat.container.btree import ENTRY, NODE_SIZE
from engine.dat.container.building import DATA_START
from engine.dat.container.dat_file import HEADER_OFFSET, DatFile

FIRST_ENTRY = 4 * 62 + 4
FANOUT, LEVELS = 32, 4  # a perfect tree: 31 entries a node
MILLION = FANOUT**LEVELS - 1  # 1 048 575 entries


def poke(data, offset, value):
    struct.pack_into("<I", data, offset, value)


def peek(data, offset):
    return struct.unpack_from("<I", data, offset)[0]


def write_moved(path, data, shift):
    """Write a built dat with everything after its header ``shift`` bytes further back, as a sparse file."""
    dat, out = DatFile(data, ""), bytearray(data)
    size, payload = dat.header.block_size, dat.header.block_size - 4
    nodes = [dat.header.root]
    for offset in nodes:
        node = dat.tree.node(offset)
        nodes += node.children
        places = [4 * index for index in range(len(node.children))]
        places += [FIRST_ENTRY + ENTRY.size * index + 8 for index in range(len(node.ids))]
        for place in places:  # a built node lies in adjacent blocks
            at = offset + place // payload * size + 4 + place % payload
            poke(out, at, peek(out, at) + shift)
    for block in range(DATA_START, len(out), size):
        if peek(out, block):
            poke(out, block, peek(out, block) + shift)
    poke(out, HEADER_OFFSET + 0x20, dat.header.root + shift)
    poke(out, HEADER_OFFSET + 0x08, len(data) + shift & 0xFFFFFFFF)
    with open(path, "wb") as file:
        file.write(out[:DATA_START])
        file.seek(DATA_START + shift)
        file.write(out[DATA_START:])


def id_of(number):
    """The id of the entry with that number in ascending order."""
    return 4096 * number + 17


def write_million(path, header, block_size, last_bytes):
    """A dat whose B-tree has MILLION entries on four levels; they all share one block, ``last_bytes``.

    ``header`` is the first part of a built dat of the wanted kind and block size.
    """
    payload = block_size - 4
    blocks = -(-NODE_SIZE // payload)
    counts = [FANOUT**level for level in range(LEVELS)]
    starts = np.cumsum([0, *counts]) * blocks * block_size + DATA_START + block_size
    logical = np.zeros((sum(counts), blocks * payload // 4), "<u4")
    row = 0
    for level, count in enumerate(counts):
        below = FANOUT ** (LEVELS - level - 1)  # entries between two neighbours of this level, plus one
        numbers = np.arange(count)[:, None] * below * FANOUT + np.arange(1, FANOUT) * below - 1
        nodes = logical[row : row + count]
        nodes[:, FIRST_ENTRY // 4 - 1] = FANOUT - 1
        entries = nodes[:, FIRST_ENTRY // 4 :][:, : 6 * (FANOUT - 1)].reshape(count, FANOUT - 1, 6)
        entries[...] = (2 << 16, 0, DATA_START, len(last_bytes), 0, 1)
        entries[..., 1] = id_of(numbers)
        nodes[:, FIRST_ENTRY // 4 :][:, : 6 * (FANOUT - 1)] = entries.reshape(count, -1)
        if level + 1 < LEVELS:
            children = np.arange(count * FANOUT) * blocks * block_size + starts[level + 1]
            nodes[:, :FANOUT] = children.reshape(count, FANOUT)
        row += count
    stored = np.zeros((sum(counts), blocks, block_size // 4), "<u4")
    stored[..., 1:] = logical.reshape(sum(counts), blocks, payload // 4)
    offsets = starts[0] + np.arange(sum(counts) * blocks).reshape(-1, blocks) * block_size
    stored[:, :-1, 0] = offsets[:, 1:]
    head = bytearray(header[:DATA_START])
    poke(head, HEADER_OFFSET + 0x20, int(starts[0]))
    with open(path, "wb") as file:
        file.write(head)
        file.write(struct.pack("<I", 0) + last_bytes.ljust(payload, b"\0"))
        file.write(stored.tobytes())
