"""Spawn lists: world-database exports of ACE servers into scene objects (sources 5)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import NoReturn

from engine.dat.hex_id import hex_id
from engine.dat.values import StoredFrame, Vec3
from engine.files.below import files_below
from engine.files.read import ReadError, read_text
from engine.files.shown import shown
from engine.world.location import place_of
from engine.world.physics_state import CLOSED_DOOR, ETHEREAL, REPORT_COLLISIONS
from engine.world.source import DOOR_WEENIE, DoorFacts, Problems, SceneObject
from engine.world.sources.ace_tables import INSTANCES, OTHERS, PROPERTIES, TABLES, WEENIES
from engine.world.sources.json_node import single
from engine.world.sources.sql_rows import NEARLY, SqlRow, insert_rows
from engine.world.sources.sql_values import Expression

SETUP_DID, MOTION_TABLE_DID = 1, 2
PHYSICS_STATE_INT = 93
OPEN_BOOL, ETHEREAL_BOOL, DEFAULT_OPEN_BOOL, DEFAULT_LOCKED_BOOL = 2, 13, 34, 35
RESET_INTERVAL_FLOAT, DEFAULT_SCALE_FLOAT = 11, 39

HOUSE_DOOR = 412
SHOWN_CLASSES = 5
ROOM = 8_000_000  # letters of problems: those of the world that it is laid over find room behind them
ZEROS, MOST = 0.25, 0.9  # of a text's signs, and of its zeros at every other: as with two bytes a letter

Number = int | float
Hear = Callable[[float], None]


class SpawnError(Exception):
    """A spawn list that can't be read: one line saying which file and why."""


class _BadRowError(Exception):
    """Why a row makes no sense."""


@dataclass(slots=True)
class Weenie:
    """What a spawn list says about a class of objects; type 0 is unknown, 19 a door."""

    class_id: int
    name: str = ""
    type: int = 0
    dids: dict[int, Number] = field(default_factory=dict)
    ints: dict[int, Number] = field(default_factory=dict)
    bools: dict[int, Number] = field(default_factory=dict)
    floats: dict[int, Number] = field(default_factory=dict)

    def model(self) -> int:
        """The Setup, 0 for none; the house door has one of its own."""
        fallback = 0x020019FF if self.class_id == HOUSE_DOOR else 0
        return int(self.dids.get(SETUP_DID, fallback))

    def motion_table(self) -> int:
        """The motion table, 0 for none named."""
        fallback = 0x09000202 if self.class_id == HOUSE_DOOR else 0
        return int(self.dids.get(MOTION_TABLE_DID, fallback))

    @property
    def is_door(self) -> bool:
        """Whether it is a door: of that type, or the house door where no type is given."""
        return self.type == DOOR_WEENIE or (self.type == 0 and self.class_id == HOUSE_DOOR)

    def state(self) -> int | None:
        """The physics state of a new object; None where it is to be computed."""
        stored = self.ints.get(PHYSICS_STATE_INT)
        passable = bool(self.bools.get(ETHEREAL_BOOL, 0)) or (self.is_door and self._is_open())
        if stored is None and not passable:
            return None
        state = CLOSED_DOOR if self.is_door else REPORT_COLLISIONS
        if stored is not None:
            state = int(stored) & 0xFFFFFFFF
        return state | ETHEREAL if passable else state

    def door(self) -> DoorFacts | None:
        """What a door is like; None for anything else."""
        if not self.is_door:
            return None
        return DoorFacts(
            default_open=bool(self.bools.get(DEFAULT_OPEN_BOOL, self._is_open())),
            locked=bool(self.bools.get(DEFAULT_LOCKED_BOOL, 0)),
            reset_interval=self.floats.get(RESET_INTERVAL_FLOAT, DoorFacts().reset_interval),
        )

    def scale(self) -> float:
        """The scale of a new object."""
        return self.floats.get(DEFAULT_SCALE_FLOAT, 1.0)

    def placed(self, item: Instance) -> SceneObject:
        """An object of this class where an instance says."""
        return SceneObject(
            model_id=self.model(),
            cell_id=item.cell_id,
            frame=item.frame,
            entity_id=item.guid,
            state=self.state(),
            motion_table=self.motion_table(),
            scale=self.scale(),
            name=self.name,
            weenie_type=self.type,
            door=self.door(),
            where=item.where,
        )

    def _is_open(self) -> bool:
        return bool(self.bools.get(OPEN_BOOL, 0) or self.bools.get(DEFAULT_OPEN_BOOL, 0))


@dataclass(frozen=True, slots=True)
class Instance:
    """One spawned object: its guid, class, cell (full id) and place."""

    guid: int
    class_id: int
    cell_id: int
    frame: StoredFrame
    where: str = field(compare=False)


@dataclass(frozen=True, slots=True)
class SpawnList:
    """What the files of a spawn list hold, by guid and by class, and what made no sense: ``noted``.

    ``twice`` are the classes of which they say two things: as in a database that they are read into one by
    one, the last counts. ``met`` are the tables of which there is a row, if only a damaged one.
    """

    instances: dict[int, Instance] = field(default_factory=dict)
    weenies: dict[int, Weenie] = field(default_factory=dict)
    noted: Problems = field(default_factory=lambda: Problems(ROOM))
    twice: set[int] = field(default_factory=set)
    met: set[str] = field(default_factory=set)

    @property
    def problems(self) -> list[str]:
        """What made no sense, as far as it is kept."""
        return self.noted.lines

    def scene_objects(self) -> tuple[SceneObject, ...]:
        """The objects that can be placed; what can't is added to the problems, a line a reason."""
        out: list[SceneObject] = []
        unknown: dict[int, int] = {}
        bare: dict[int, int] = {}
        for item in self.instances.values():
            weenie = self.weenies.get(item.class_id)
            if weenie is None and item.class_id == HOUSE_DOOR:
                weenie = Weenie(HOUSE_DOOR, "door")
            if weenie is None or not weenie.model():
                counts = unknown if weenie is None else bare
                counts[item.class_id] = counts.get(item.class_id, 0) + 1
                continue
            out.append(weenie.placed(item))
        self._left_out(unknown, "whose class has no weenie rows")
        self._left_out(bare, "whose class has no Setup")
        return tuple(out)

    def add_file(self, path: Path, hear: Hear) -> None:
        """Read one file; ``hear`` is told what share is done. Raises SpawnError where it can't be opened."""
        try:
            text = read_text(path, lossy=True)
        except ReadError as error:
            raise SpawnError(str(error)) from None

        zeros = text.count("\0")
        if zeros > ZEROS * len(text) and max(text[::2].count("\0"), text[1::2].count("\0")) > MOST * zeros:
            self.noted.report(f"{path}: every other byte is zero, as in UTF-16 without its mark; left out")
            return

        def report(line: int, reason: str) -> None:
            self.noted.report(f"{path}, line {line}: {reason}")

        if zeros:
            line = text.count("\n", 0, text.index("\0")) + 1
            report(line, f"{zeros} bytes are zero here and behind, as where a piece of the file was lost")
        rows = insert_rows(text, TABLES, report, lambda at: hear(at / max(1, len(text))), others=OTHERS)
        for row in rows:
            try:
                self._add_row(row, f"{path}, line {row.line}")
            except _BadRowError as error:
                report(row.line, f"{row.table}: {error}; left out")

    def _add_row(self, row: SqlRow, where: str) -> None:
        self.met.add(row.table)
        if row.table == INSTANCES:
            item = _instance(row, where)
            known = self.instances.get(item.guid)
            if known is not None and known != item:
                raise _BadRowError(f"guid {hex_id(item.guid)} stands in {known.where} already")
            self.instances[item.guid] = item
        elif row.table == WEENIES:
            weenie = self._weenie(_integer(row, "class_id"))
            kind = _integer(row, "type")
            if weenie.type not in (0, kind):
                self.twice.add(weenie.class_id)
            weenie.type = kind
            name = row.values.get("class_name")
            weenie.name = name if isinstance(name, str) else ""
            if name is not None and not isinstance(name, str):
                self.noted.report(f"{where}: {WEENIES}: class_name is no text; the class has no name")
            elif "class_name" not in row.values and get_close_matches("class_name", row.values, 1, NEARLY):
                self.noted.report(f"{where}: {WEENIES}: a column is nearly class_name; the class has no name")
        else:
            weenie = self._weenie(_integer(row, "object_id"))
            properties: dict[int, Number] = getattr(weenie, PROPERTIES[row.table])
            key = _integer(row, "type")
            value = _checked(row, key)
            if properties.get(key, value) != value:
                self.twice.add(weenie.class_id)
            properties[key] = value

    def _weenie(self, class_id: int) -> Weenie:
        return self.weenies.setdefault(class_id, Weenie(class_id))

    def tell_of_twice(self) -> None:
        """Add to the problems that two things were said of some classes."""
        if self.twice:
            classes = _classes(self.twice)
            self.noted.report(f"spawn list: two things are said of some classes; the last counts ({classes})")

    def _left_out(self, counts: dict[int, int], why: str) -> None:
        if counts:
            self.noted.report(
                f"spawn list: {sum(counts.values())} objects {why} are left out ({_classes(counts)})"
            )


def _classes(ids: Collection[int]) -> str:
    """The first few of some classes in words."""
    more = " …" if len(ids) > SHOWN_CLASSES else ""
    return f"class {' '.join(map(str, sorted(ids)[:SHOWN_CLASSES]))}{more}"


def read_spawns(path: Path, hear: Hear = lambda _: None) -> SpawnList:
    """The spawn list of a file, or of all ``.sql`` files in a folder and below. Raises SpawnError.

    ``hear`` is told what share of it is done, 0 to 1, now and then.
    """
    spawns = SpawnList()
    files = list(_files(path))
    for number, file in enumerate(files):

        def hear_of_file(share: float, number: int = number) -> None:
            hear((number + share) / len(files))

        hear_of_file(0.0)  # an empty file says nothing of itself
        spawns.add_file(file, hear_of_file)
    hear(1.0)
    spawns.tell_of_twice()
    if INSTANCES not in spawns.met:
        why = f" that can be read: {spawns.problems[0]}" if spawns.problems else " in it"
        raise SpawnError(f"{path}: there are no {INSTANCES} rows{why}")
    return spawns


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        if not path.exists():
            raise SpawnError(f"{path}: there is no such file or folder")
        yield path
        return
    files = sorted(file for file in files_below(path, _refuse) if file.suffix.lower() == ".sql")
    for file in files:
        if not file.is_file():
            raise SpawnError(f"{file}: {'is no file' if file.exists() else 'leads to no file'}")
    if not files:
        raise SpawnError(f"{path}: there is no .sql file in it")
    yield from files


def _refuse(error: OSError) -> NoReturn:
    raise SpawnError(f"{error.filename}: can't be read ({error.strerror})") from None


def _instance(row: SqlRow, where: str) -> Instance:
    guid = _integer(row, "guid", 1, 0xFFFFFFFF)
    class_id = _integer(row, "weenie_class_id")
    cell_id = _integer(row, "obj_cell_id", 1, 0xFFFFFFFF)
    x, y, z = _place(row)
    turn = [float(_number(row, f"angles_{axis}")) for axis in "wxyz"]
    try:
        place = place_of(cell_id, (x, y, z), turn)
    except ValueError as error:
        raise _BadRowError(str(error)) from None
    px, py, pz = place.frame.origin
    qw, qx, qy, qz = place.frame.quat
    frame = StoredFrame(
        (single(px), single(py), single(pz)), (single(qw), single(qx), single(qy), single(qz))
    )
    return Instance(guid=guid, class_id=class_id, cell_id=place.cell_id, frame=frame, where=where)


def _place(row: SqlRow) -> Vec3:
    return (
        float(_number(row, "origin_x")),
        float(_number(row, "origin_y")),
        float(_number(row, "origin_z")),
    )


def _checked(row: SqlRow, key: int) -> Number:
    """The value of a property; those that are used must make sense."""
    if row.table == "weenie_properties_d_i_d" and key == SETUP_DID:
        setup = _integer(row, "value")
        if setup >> 24 not in (0x01, 0x02):
            raise _BadRowError(f"{hex_id(setup)} is neither a Setup nor a GfxObj")
        return setup
    if row.table == "weenie_properties_float" and key in (DEFAULT_SCALE_FLOAT, RESET_INTERVAL_FLOAT):
        number = _number(row, "value")
        if number <= 0.0:
            raise _BadRowError(f"value {number} of property {key} is not above 0")
        return number
    if row.table == "weenie_properties_float":
        return _number(row, "value")
    return _integer(row, "value", -(1 << 31))


def _integer(row: SqlRow, column: str, low: int = 0, high: int = 0xFFFFFFFF) -> int:
    value = _number(row, column)
    if value != int(value) or not low <= value <= high:
        raise _BadRowError(f"{column} {shown(value)} is no number from {low} to {high}")
    return int(value)


def _number(row: SqlRow, column: str) -> Number:
    if column not in row.values:
        raise _BadRowError(f"there is no column {column}")
    value = row.values[column]
    if isinstance(value, str):
        value = _from_text(value)
    if isinstance(value, Expression):
        raise _BadRowError(f"{column} is '{shown(value.text)}', not a number")
    if not isinstance(value, int | float) or not abs(value) <= 3e38:  # not NaN either
        raise _BadRowError(f"{column} is {'NULL' if value is None else shown(value)}, not a number")
    return value


def _from_text(text: str) -> Number | Expression:
    """A number that stands in quotes, or is one of a bit's two values as mysqldump writes them."""
    if text in ("\0", "\1"):
        return ord(text)
    for read in (lambda: int(text, 0), lambda: float(text)):
        try:
            return read()
        except ValueError:
            continue
    return Expression(text)
