"""The checks of ``holtwalk dat check`` on a file's blocks: owners and free ones (dat-format 1.4)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.dat.container.btree import DatEntry
from engine.dat.container.dat_file import DatFile
from engine.dat.errors import DatError

FindingText = tuple[str, str]  # kind and detail


class BlockUse:
    """Which blocks of a file are taken, one bit each; to be asked for every entry once."""

    def __init__(self, file: DatFile) -> None:
        self.file = file
        self._free: set[int] = set()
        self._taken = bytearray(file.size // file.header.block_size // 8 + 1)

    def header_findings(self) -> Iterator[FindingText]:
        """What is wrong with the header's file size and list of free blocks."""
        header = self.file.header
        if header.file_size != self.file.size & 0xFFFFFFFF:
            yield "inconsistent", f"the header says {header.file_size} bytes, the file has {self.file.size}"
        try:
            for offset in self.file.free_blocks():
                self._free.add(offset)
        except DatError as error:
            yield "damaged", f"offset 0x{error.offset or 0:X}: {error.reason}"
            return
        if len(self._free) != header.free_count:
            yield "inconsistent", f"{header.free_count} free blocks announced, {len(self._free)} listed"

    def entry_findings(self, entry: DatEntry) -> Iterator[FindingText]:
        """What is wrong with the blocks of a record; a chain that leads nowhere is found when it is read."""
        try:
            blocks = list(self.file.blocks(entry.offset, entry.size, entry.id))
        except DatError:
            return
        for block in blocks:
            byte, bit = divmod(block // self.file.header.block_size, 8)
            if self._taken[byte] >> bit & 1:
                yield "inconsistent", f"its block at 0x{block:X} belongs to another object too"
                return
            self._taken[byte] |= 1 << bit
        if any(block in self._free for block in blocks):
            yield "inconsistent", "it lies in free blocks"
