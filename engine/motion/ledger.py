"""Which commands are still on their way: it keeps quick changes from piling up links (motion 2.4)."""

from __future__ import annotations

from engine.motion.commands import ACTION, MODIFIER, STYLE, SUBSTATE


class Entry:
    """A command that was taken up, and how many link animations it brought."""

    __slots__ = ("command", "count")

    def __init__(self, command: int, count: int) -> None:
        self.command = command
        self.count = count


class Ledger:
    """One entry for each command taken up, done when its links are."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._done = 0

    def clear(self) -> None:
        """Forget everything."""
        self.entries.clear()
        self._done = 0

    def add(self, command: int, count: int) -> int:
        """Note a command; how many links before the cycle have become needless."""
        self.entries.append(Entry(command, max(0, count)))
        return self._needless()

    def finish(self) -> list[int]:
        """A link has been played; the commands that are done with it."""
        self._done += 1
        return self.settle()

    def settle(self) -> list[int]:
        """Let go of the entries that are done; their commands."""
        done: list[int] = []
        while self.entries and self.entries[0].count <= self._done:
            entry = self.entries.pop(0)
            self._done -= entry.count
            done.append(entry.command)
        if not self.entries:
            self._done = 0
        return done

    def _needless(self) -> int:
        entries = self.entries
        last = next((i for i in range(len(entries) - 1, -1, -1) if entries[i].count), None)
        if last is None:
            return 0
        command = entries[last].command
        if command & SUBSTATE and not command & MODIFIER:
            gives_up, any_count = STYLE | MODIFIER | ACTION, False
        elif command & STYLE:
            gives_up, any_count = SUBSTATE | MODIFIER | ACTION, True
        else:
            return 0
        for i in range(last - 1, -1, -1):
            entry = entries[i]
            if entry.command == command and (entry.count or any_count):
                after = entries[i + 1 :]
                needless = sum(e.count for e in after)
                for e in after:
                    e.count = 0
                return needless
            if entry.count and entry.command & gives_up:
                return 0
        return 0
