"""What an option and a command are: the rows of the table of commands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from engine.named_tuple import NamedTuple

# What the help lists commands under, in this order.
WALK_AND_LOOK, ASK, REPEAT, CHECK = "walk and look", "ask why", "repeat and compare", "check"
DATS, ABOUT = "look into dat files", "this installation"
GROUPS = (WALK_AND_LOOK, ASK, REPEAT, CHECK, DATS, ABOUT)


class Option(NamedTuple):
    """One option of a command, or an argument where ``name`` has no dashes.

    ``metavar`` is empty for a switch. ``words`` marks a value that may come as several words (a location
    typed without quotes); they are joined by spaces. ``needs`` names the option that it means nothing
    without. The help names the limits of a value: it is what is said of one beyond them.

    Of a path, ``reads`` says that it is read, and which endings the files have that are read where it is a
    folder, ``deep`` down to the last one; ``writes`` that it is written, and ``makes`` which files come of
    it where it is a folder. What is written is compared with what is read before a command begins.
    ``suggests`` are values that a shell may complete.
    """

    name: str
    help: str
    metavar: str = ""
    kind: Callable[[str], object] = str
    choices: tuple[str, ...] = ()
    default: object = None
    required: bool = False
    words: bool = False
    many: bool = False
    needs: str = ""
    reads: tuple[str, ...] | None = None
    deep: bool = False
    writes: bool = False
    makes: Callable[[Path], list[Path]] | None = None
    suggests: tuple[str, ...] = ()

    @property
    def is_argument(self) -> bool:
        """Whether it is given by place and not by name."""
        return not self.name.startswith("-")

    @property
    def is_path(self) -> bool:
        """Whether its value is a file or a folder, which has a name."""
        return self.writes or self.reads is not None

    @property
    def form(self) -> str:
        """How one writes it."""
        if self.is_argument:
            return self.metavar
        return f"{self.name} {'|'.join(self.choices) or self.metavar}".rstrip()

    @property
    def usage(self) -> str:
        """How the usage line writes it."""
        return self.form if self.required else f"[{self.form}]"


class Command(NamedTuple):
    """One command: its name (two words for a command of a group), what it does, where its code is.

    ``module`` is a module of ``viewer.commands``, or ``folder.module`` there, with
    ``run(args: Namespace) -> int``. The help lists it under its ``group``; ``example`` is a command line
    that does something as it stands, or nearly. One that ``opens_window`` may be silent as long as the
    user likes; another does so with its option ``--window``.
    """

    name: str
    summary: str
    module: str
    options: tuple[Option, ...]
    group: str
    example: str
    takes_world: bool = True
    opens_window: bool = False

    @property
    def usage(self) -> str:
        """The command with its own options, as the docs show it."""
        return " ".join(["holtwalk", self.name, *(option.usage for option in self.options)])
