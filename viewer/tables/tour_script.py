"""The tour's script: where it goes in the demo world, what it does and shows, and the files it writes."""

from __future__ import annotations

from pathlib import Path

from engine.named_tuple import NamedTuple

NORTH, EAST, SOUTH, WEST = 0.0, 90.0, 180.0, 270.0
COTTAGE_DOOR = 0x7A9B4015


class Go(NamedTuple):
    """Walk to named places, one after the other, as far as one comes."""

    places: tuple[str, ...]


class Jump(NamedTuple):
    """Teleport to a named place."""

    place: str


class Back(NamedTuple):
    """Step back some metres: what was pushed against leaves a sliding normal that only this frees."""

    metres: float


class Use(NamedTuple):
    """Use a door and let some seconds pass."""

    entity: int
    seconds: float


class Wait(NamedTuple):
    """Let some seconds pass."""

    seconds: float


class Shot(NamedTuple):
    """A picture: its title, person, and where it looks, in degrees.

    Without a yaw that is along the last steps, without a pitch as the person does by itself.
    """

    title: str
    yaw: float | None = None
    pitch: float | None = None
    third: bool = False


Step = Go | Jump | Back | Use | Wait | Shot

STEPS: tuple[Step, ...] = (
    Jump("street before the cottage"),
    Shot("the cottage, its door closed", third=True),
    Go(("cottage vestibule",)),
    Shot("walking at the closed door: blocked", third=True),
    Back(0.5),
    Use(COTTAGE_DOOR, 0.6),
    Shot("the door opens, passable from this moment"),
    Wait(1.0),
    Go(("cottage vestibule",)),
    Shot("in the vestibule"),
    Go(("cottage main room",)),
    Shot("the main room", third=True),
    Shot("looking out: the landscape through the door", NORTH),
    Go(("cottage doorway", "cottage side room")),
    Shot("the side room", EAST),
    Go(("cottage doorway", "cottage hatch lip")),
    Shot("at the hatch, the ramp ahead", WEST, -25.0),
    Go(("cottage cellar",)),
    Shot("down in the cellar", EAST, 15.0),
    Go(("cottage cellar bottom",)),
    Shot("the cellar, looking back to the ramp", 135.0, 15.0),
    Go(("cottage cellar", "cottage hatch lip", "cottage doorway", "cottage main room", "cottage stair foot")),
    Shot("up again, at the foot of the stair", SOUTH, 10.0),
    Go(("cottage stair top", "cottage loft")),
    Shot("the loft"),
    Go(("cottage stair top", "cottage stair foot", "cottage main room")),
    Wait(15.0),
    Shot("the door has closed by itself", NORTH),
    Go(("cottage vestibule",)),
    Use(COTTAGE_DOOR, 1.6),
    Go(("street before the cottage",)),
    Shot("out again", NORTH, third=True),
    Jump("inn large view"),
    Shot("the inn", NORTH),
    Jump("dungeon entrance"),
    Shot("in the dungeon by teleport: no sky, no grass"),
    Jump("dungeon long view"),
    Shot("the long view down the dungeon"),
)


TRANSCRIPT = "transcript.txt"


def files_of(folder: Path) -> list[Path]:
    """The files that a tour writes into its folder."""
    shots = [step for step in STEPS if isinstance(step, Shot)]
    return [folder / name for name in [*map(picture_name, range(1, len(shots) + 1), shots), TRANSCRIPT]]


def picture_name(number: int, shot: Shot) -> str:
    """The file of a picture, by its number and title."""
    name = shot.title.split(",")[0].split(":")[0].replace(" ", "-")
    return f"{number:02d}-{name}.png"
