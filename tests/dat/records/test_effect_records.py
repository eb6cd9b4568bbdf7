"""ParticleEmitter, PhysicsScript and PhysicsScriptTable byte by byte (particles 1, 10.1)."""

import struct

import pytest

from engine.dat.check.everything import check
from engine.dat.check.listing import show
from engine.dat.check.references import references
from engine.dat.errors import DatError
from engine.dat.pieces.hooks import AnimationHook
from engine.dat.records.codecs import decode, encode
from engine.dat.records.physics_script import PhysicsScript, ScriptItem
from engine.dat.values import IDENTITY_FRAME
from tests.dat import sample_motions
from tests.dat.small_world import opened

EMITTER = bytes.fromhex(
    """
    23010032 00000000 01000000 03000000
    BC0A0001 BD0A0001 9A9999999999A93F
    28000000 0A000000 00000000 00000000
    00000000 000000000000F83F 00000000
    0000E03F 00000000 00000000 0000803F
    CDCCCC3D 9A99993E 00000000 00000000
    00000040 CDCC4C3F 9A99993F 00000000
    00000000 000080BF 0000803F 0000803F
    00000000 00000000 00000000 00000000
    00000000 0000003F 0000C03F CDCCCC3D
    CDCC4C3E 0000803F 00000000 01000000
    """
)
SCRIPT = bytes.fromhex(
    """
    AA0A0033 03000000 0000000000000000
    0D000000 00000000 23010032 FFFFFFFF
    00000000 00000000 0000C03F 0000803F
    00000000 00000000 00000000 07000000
    0000000000000440 0F000000 00000000
    07000000 0000000000001040 13000000
    00000000 AA0A0033 00000000
    """
)
TABLE = bytes.fromhex(
    """
    AA0A0034 01000000 4B000000 03000000
    00000000 8F010033 0000003F 90010033
    0000803F 91010033
    """
)


def single(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def test_R1_the_worked_emitter():
    assert len(EMITTER) == 176
    emitter = decode("ParticleEmitter", EMITTER, object_id=0x32000123)
    assert (emitter.id, emitter.unknown, emitter.emitter_type, emitter.particle_type) == (0x32000123, 0, 1, 3)
    assert (emitter.gfxobj, emitter.hw_gfxobj, emitter.birthrate) == (0x01000ABC, 0x01000ABD, 0.05)
    assert (emitter.max_particles, emitter.initial_particles, emitter.total_particles) == (40, 10, 0)
    assert (emitter.total_seconds, emitter.lifespan, emitter.lifespan_rand) == (0.0, 1.5, 0.5)
    assert emitter.offset_dir == (0.0, 0.0, 1.0)
    assert (emitter.min_offset, emitter.max_offset) == (single(0.1), single(0.3))
    assert (emitter.a, emitter.min_a, emitter.max_a) == ((0.0, 0.0, 2.0), single(0.8), single(1.2))
    assert (emitter.b, emitter.min_b, emitter.max_b) == ((0.0, 0.0, -1.0), 1.0, 1.0)
    assert (emitter.c, emitter.min_c, emitter.max_c) == ((0.0, 0.0, 0.0), 0.0, 0.0)
    assert (emitter.start_scale, emitter.final_scale, emitter.scale_rand) == (0.5, 1.5, single(0.1))
    assert (emitter.start_trans, emitter.final_trans, emitter.trans_rand) == (single(0.2), 1.0, 0.0)
    assert (emitter.parent_local, emitter.is_endless) == (1, True)
    assert encode(emitter) == EMITTER


# Offset, struct code, field: every one of the record.
FIELDS = (
    (0x04, "I", "unknown"), (0x08, "i", "emitter_type"), (0x0C, "i", "particle_type"), (0x10, "I", "gfxobj"),
    (0x14, "I", "hw_gfxobj"), (0x18, "d", "birthrate"), (0x20, "i", "max_particles"),
    (0x24, "i", "initial_particles"), (0x28, "i", "total_particles"), (0x2C, "d", "total_seconds"),
    (0x34, "d", "lifespan"), (0x3C, "d", "lifespan_rand"), (0x44, "3f", "offset_dir"),
    (0x50, "f", "min_offset"), (0x54, "f", "max_offset"), (0x58, "3f", "a"), (0x64, "f", "min_a"),
    (0x68, "f", "max_a"), (0x6C, "3f", "b"), (0x78, "f", "min_b"), (0x7C, "f", "max_b"), (0x80, "3f", "c"),
    (0x8C, "f", "min_c"), (0x90, "f", "max_c"), (0x94, "f", "start_scale"), (0x98, "f", "final_scale"),
    (0x9C, "f", "scale_rand"), (0xA0, "f", "start_trans"), (0xA4, "f", "final_trans"),
    (0xA8, "f", "trans_rand"), (0xAC, "i", "parent_local"),
)  # fmt: skip


@pytest.mark.parametrize(("offset", "code", "name"), FIELDS, ids=[name for _, _, name in FIELDS])
def test_R2_a_field_lies_at_its_offset(offset, code, name):
    values = (0.5, -1.25, 3.0)[: int(code[:-1] or 1)] if code[-1] in "fd" else (7,)
    data = bytearray(EMITTER)
    struct.pack_into("<" + code, data, offset, *values)
    changed = decode("ParticleEmitter", bytes(data))
    expected = values if len(values) > 1 else values[0]
    assert getattr(changed, name) == expected
    assert changed._replace(**{name: getattr(decode("ParticleEmitter", EMITTER), name)}) == decode(
        "ParticleEmitter", EMITTER
    )
    assert encode(changed) == bytes(data)


def test_an_emitter_is_neither_longer_nor_shorter():
    with pytest.raises(DatError, match="1 bytes after"):
        decode("ParticleEmitter", EMITTER + b"\0")
    with pytest.raises(DatError):
        decode("ParticleEmitter", EMITTER[:-1])
    with pytest.raises(DatError, match="the record says it is 0x32000123") as caught:
        decode("ParticleEmitter", EMITTER, "portal.dat", 0x32000124)
    assert caught.value.offset == 0


def test_R3_the_worked_script():
    assert len(SCRIPT) == 108
    script = decode("PhysicsScript", SCRIPT, object_id=0x33000AAA)
    assert [(item.start, item.hook.type) for item in script.items] == [(0.0, 0x0D), (2.5, 0x0F), (4.0, 0x13)]
    create, stop, call = (item.hook.payload() for item in script.items)
    assert create == {
        "emitter_info": 0x32000123,
        "part": 0xFFFFFFFF,
        "offset": IDENTITY_FRAME._replace(origin=(0.0, 0.0, 1.5)),
        "emitter_id": 7,
    }
    assert (stop, call) == ({"emitter_id": 7}, {"script": 0x33000AAA, "pause": 0.0})
    assert script.length == 4.0
    assert encode(script) == SCRIPT


PORTAL_SOUND = AnimationHook(0x15, 0, (0x0A00038E, 1.0, 0.0, 0.05))


def swirl(emitter):
    offset = IDENTITY_FRAME._replace(origin=(0.0, 0.0, 0.15))
    return AnimationHook(0x0D, 0, (emitter, 0, offset, 0))


def laid_out(script_id, *items):
    """A script by hand: its bytes, and the record that they are."""
    script = PhysicsScript(script_id, tuple(ScriptItem(at, hook) for at, hook in items))
    data = encode(script)
    read = decode("PhysicsScript", data, object_id=script_id)
    assert [(i.start, i.hook.type) for i in read.items] == [(at, hook.type) for at, hook in items]
    return data, read


def test_R4_the_script_of_a_towns_portal():
    data, script = laid_out(
        0x3300067A, (0.0, swirl(0x320002CD)), (0.0, swirl(0x320002D6)), (0.0, PORTAL_SOUND),
        (2.7, AnimationHook(0x13, 0, (0x330006DA, 0.0))),
    )  # fmt: skip
    assert (len(data), script.length) == (176, 2.7)
    assert [item.hook.type for item in script.in_order()] == [0x0D, 0x0D, 0x15, 0x13]


def test_R5_the_loop_that_it_calls():
    data, script = laid_out(0x330006DA, (0.0, PORTAL_SOUND), (2.7, AnimationHook(0x13, 0, (0x330006DA, 0.0))))
    assert (len(data), script.length) == (64, 2.7)
    assert script.items[-1].hook.payload()["script"] == script.id


def hook(number):
    return AnimationHook(0x0E, 0, (number,))


def test_items_are_played_by_time_and_those_of_one_time_as_stored():
    times = (1.0, 0.0, 1.0, 0.5)
    script = PhysicsScript(1, tuple(ScriptItem(time, hook(n)) for n, time in enumerate(times)))
    assert [item.hook.payload()["emitter_id"] for item in script.in_order()] == [1, 3, 0, 2]
    assert (script.length, PhysicsScript(1, ()).length) == (1.0, 0.0)


def test_R6_the_worked_table():
    assert len(TABLE) == 40
    table = decode("PhysicsScriptTable", TABLE, object_id=0x34000AAA)
    assert encode(table) == TABLE
    wanted = {-1: 0x18F, 0: 0x18F, 0.25: 0x190, 0.5: 0x190, 0.75: 0x191, 1: 0x191}
    for intensity, script in wanted.items():
        assert table.choose(0x4B, intensity) == 0x33000000 + script
    assert table.choose(0x4B, 1.01) is None
    assert table.choose(0x4C, 0.0) is None


def test_of_a_type_that_is_there_twice_the_first_stands():
    data = TABLE[:4] + b"\2" + TABLE[5:] + struct.pack("<IIfI", 0x4B, 1, 9.0, 0x33000001)
    table = decode("PhysicsScriptTable", data)
    assert len(table.plays) == 2
    assert table.choose(0x4B, 1.01) is None


def test_what_effects_name_is_looked_for():
    emitter = decode("ParticleEmitter", EMITTER)
    assert list(references(emitter)) == [
        (0x01000ABC, ("GfxObj",), "gfxobj"),
        (0x01000ABD, ("GfxObj",), "hw_gfxobj"),
    ]
    script = decode("PhysicsScript", SCRIPT)
    assert list(references(script)) == [
        (0x32000123, ("ParticleEmitter",), "items[0].emitter_info"),
        (0x33000AAA, ("PhysicsScript",), "items[2].script"),
    ]
    table = decode("PhysicsScriptTable", TABLE)
    assert [named.id for named in references(table)] == [0x3300018F, 0x33000190, 0x33000191]


def call(script, pause=0.0):
    return AnimationHook(0x13, 0, (script, pause))


def found_in(folder, records):
    with opened(folder, {record.id: record for record in records}) as files:
        return [(f.kind, f.object_id, f.detail) for f in check(files).findings]


def test_check_knows_the_types_and_counts_of_emitters(tmp_path):
    sound = sample_motions.EMITTER
    assert found_in(tmp_path, [sound]) == []
    changes = (
        ({"emitter_type": 4}, "emitter type 4"), ({"particle_type": 13}, "particle type 13"),
        ({"max_particles": -1}, "-1 particles at a time"), ({"lifespan": -2.0}, "lifespan -2"),
        ({"max_particles": 2**31 - 1}, "2147483647 particles at a time"),
    )  # fmt: skip
    for number, (change, detail) in enumerate(changes):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert found_in(folder, [sound._replace(**change)]) == [("out of range", sound.id, detail)]


@pytest.mark.parametrize(
    ("scripts", "found"),
    [
        ({1: [(0.0, call(0x33000001))]}, {0x33000001}),
        ({1: [(0.0, call(0x33000002))], 2: [(0.0, call(0x33000001))]}, {0x33000001, 0x33000002}),
        ({1: [(0.0, call(0x33000002))], 2: [(1.0, call(0x33000001))]}, set()),
        ({1: [(0.0, call(0x33000001, 30.0))]}, set()),
        ({1: [(0.0, call(0x33000002))], 2: [(0.0, call(0x33000002))]}, {0x33000002}),
    ],
    ids=["itself", "each other", "one takes time", "with a pause", "only the second"],
)
def test_check_knows_scripts_that_loop_in_no_time(tmp_path, scripts, found):
    records = [
        PhysicsScript(0x33000000 + n, tuple(ScriptItem(*item) for item in items))
        for n, items in scripts.items()
    ]
    findings = found_in(tmp_path, records)
    assert {object_id for kind, object_id, _ in findings if kind == "cyclic"} == found
    assert len(findings) == len(found)


def test_show_knows_them(tmp_path):
    with opened(
        tmp_path, {0x32000001: sample_motions.EMITTER, 0x34000001: sample_motions.SCRIPT_TABLE}
    ) as files:
        shown = show(files, 0x32000001)
        assert (shown["type"], shown["fields"]["hw_gfxobj"]) == ("ParticleEmitter", 0x01000010)
        table = show(files, 0x34000001)["fields"]
    assert table["plays"][0] == {
        "type": 0x4B,
        "choices": [{"threshold": 0.0, "script": 0x33000001}, {"threshold": 1.0, "script": 0x33000001}],
    }
