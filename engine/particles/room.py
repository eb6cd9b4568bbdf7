"""How many emitters and particles there may be, and be born: a small file could ask for more than fits.

Each emitter has its bound, but an owner has many, and a world many owners, three times over (generations).
All bounds are far above what any place of the game makes; what is beyond them is not born, which is told.
"""

from __future__ import annotations

from typing import Final

from engine.dat.hex_id import hex_id

MOST_EMITTERS: Final = 256
"""Emitters of one owner: a script that goes round and makes one each time would fill the memory."""
MOST_PARTICLES: Final = 8192
"""Particles that live at a time on one owner, seen or not."""
MOST_BIRTHS: Final = 65_536
"""Births on one owner while it bears: an emitter that is made anew all the time has few that live."""
MOST_EMITTERS_OF_ALL: Final = 16_384
MOST_PARTICLES_OF_ALL: Final = 131_072
MOST_BIRTHS_OF_ALL: Final = 2_000_000
"""Births of all owners from one tick that is shown to the next."""
MOST_WORK_OF_ALL: Final = 1 << 24
"""Hooks that are run and parts that are moved on all owners from one tick that is shown to the next: some
eight seconds. A fire takes none, a wheel that turns and smokes some ten thousand when it is first seen."""

_TOO_MUCH_WORK: Final = (
    f"effects: what scripts and animations do on all things together is over {MOST_WORK_OF_ALL} steps; "
    "the rest is not done"
)


class Room:
    """What is left for all owners together, in emitters, in particles, in births and in work."""

    __slots__ = ("_is_full", "_lacks", "births", "emitters", "particles", "work")

    def __init__(self) -> None:
        self.emitters = MOST_EMITTERS_OF_ALL
        self.particles = MOST_PARTICLES_OF_ALL
        self.births = MOST_BIRTHS_OF_ALL
        self.work = MOST_WORK_OF_ALL
        self._lacks: dict[str, None] = {}
        self._is_full = False

    def begin_tick(self) -> None:
        """As many may be born as ever, and as much be done."""
        self.births = MOST_BIRTHS_OF_ALL
        self.work = MOST_WORK_OF_ALL

    def take_work(self, steps: int) -> bool:
        """Whether so much more may be done."""
        self.work -= steps
        if self.work < 0:
            self._lacks[_TOO_MUCH_WORK] = None
        return self.work >= 0

    def lack(self, emitter_id: int, what: str) -> None:
        """Note that an emitter found no room on its owner."""
        self._lacks[f"object {hex_id(emitter_id)}: {what} on one thing; the rest is not born"] = None

    def lack_of_all(self, emitter_id: int, what: str) -> None:
        """Note that an emitter found no room in all, for the first time."""
        if not self._is_full:
            self._is_full = True
            line = f"object {hex_id(emitter_id)}: {what} on all things together; the rest is not born"
            self._lacks[line] = None

    def take_lacks(self) -> list[str]:
        """What was noted since the last time, a line each that begins with the emitter's record."""
        if not self._lacks:
            return []
        lines = list(self._lacks)
        self._lacks.clear()
        return lines


class OwnRoom:
    """What is left for one owner, of its own share and of what is left for all."""

    __slots__ = ("_all", "_is_told", "births", "particles")

    def __init__(self, of_all: Room) -> None:
        self.particles = MOST_PARTICLES
        self.births = MOST_BIRTHS
        self._all = of_all
        self._is_told = False

    def take(self) -> bool:
        """Whether a particle may be born; it lives until ``give_back``."""
        of_all = self._all
        if self.particles and self.births and of_all.particles and of_all.births:
            self.particles -= 1
            self.births -= 1
            of_all.particles -= 1
            of_all.births -= 1
            return True
        return False

    def give_back(self, count: int) -> None:
        """So many particles are no more."""
        self.particles += count
        self._all.particles += count

    def take_emitter(self, emitter_id: int, others: int) -> bool:
        """Whether the owner may have an emitter besides so many others; it lasts until ``end_emitter``."""
        if others >= MOST_EMITTERS:
            self._tell(emitter_id, f"over {MOST_EMITTERS} emitters")
            return False
        if self._all.emitters <= 0:
            self._all.lack_of_all(emitter_id, f"over {MOST_EMITTERS_OF_ALL} emitters")
            return False
        self._all.emitters -= 1
        return True

    def end_emitter(self) -> None:
        """An emitter is no more."""
        self._all.emitters += 1

    def lack(self, emitter_id: int) -> None:
        """Note that a particle of an emitter was not born."""
        if not self.particles:
            self._tell(emitter_id, f"over {MOST_PARTICLES} particles")
        elif not self.births:
            self._tell(emitter_id, f"over {MOST_BIRTHS} births")
        elif not self._all.particles:
            self._all.lack_of_all(emitter_id, f"over {MOST_PARTICLES_OF_ALL} particles")
        else:
            self._all.lack_of_all(emitter_id, f"over {MOST_BIRTHS_OF_ALL} births")

    def _tell(self, emitter_id: int, what: str) -> None:
        """Once for each owner: what else finds no room there hangs on the same."""
        if not self._is_told:
            self._is_told = True
            self._all.lack(emitter_id, what)
