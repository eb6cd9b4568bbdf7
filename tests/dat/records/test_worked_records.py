"""Records byte by byte, as the worked examples and field tables give them (dat-format 1.9, 3, 5.1, 5.2)."""

import struct

import pytest

from engine.dat.errors import DatError
from engine.dat.pieces.bsp_record import BspNode, PortalRef
from engine.dat.pieces.hooks import AnimationHook
from engine.dat.records.codecs import decode, encode
from engine.dat.records.env_cell import CellPortal
from engine.dat.records.iteration import Iteration, Run
from engine.dat.records.land_block_info import Stab
from engine.dat.records.motion_table import StyleDefault
from engine.dat.records.physics_script import PhysicsScript, ScriptItem
from engine.dat.values import Plane, Sphere, StoredFrame

ENV_CELL = bytes.fromhex(
    """
    00013412 03000000 00013412 02 01 0100 3400 3500 0100 0000
    00004041 0000C041 0000C040 0000803F 000000000000000000000000
    0300 0100 0101 0000 0101
    01000000 01000002 00004841 0000C041 0000C040 0000803F 000000000000000000000000
    """
)
ENVIRONMENT = bytes.fromhex(
    """
    0100000D 01000000 00000000
    02000000 01000000 01000000
    01000000 06000000
    0000 0100 000000C0 000000C0 00000000 00000000 00000000 0000803F 00000000 0000803F
    0100 0100 00000040 000000C0 00000000 00000000 00000000 0000803F 0000803F 0000803F
    0200 0100 00000040 00000040 00000000 00000000 00000000 0000803F 0000803F 00000000
    0300 0100 000000C0 00000040 00000000 00000000 00000000 0000803F 00000000 00000000
    0400 0000 000000C0 00000040 00004040 00000000 000080BF 00000000
    0500 0000 00000040 00000040 00004040 00000000 000080BF 00000000
    0000 04 00 00000000 0000 FFFF 0000 0100 0200 0300 00000000
    0100 04 04 00000000 0100 FFFF 0300 0200 0500 0400
    0100
    0000
    4C465042 00000000 00000000 0000803F 00000000
    0000 04 04 00000000 FFFF FFFF 0000 0100 0200 0300
    4E6E5042 00000000 00000000 0000803F 00000000
    4641454C 00000000 00000000 00000000000000000000000000000000 00000000
    4641454C 01000000 01000000 00000000 00000000 00000000 00004040 01000000 0000
    00000000 00000000 00000000 00004040
    01000000
    4C4F5042 00000000 00000000 0000803F 00000000 00000000 00000000 00000000 00004040 01000000 0000
    """
)
UP = Plane((0.0, 0.0, 1.0), 0.0)
UPRIGHT = (1.0, 0.0, 0.0, 0.0)


def test_the_worked_env_cell():
    assert len(ENV_CELL) == 98
    cell = decode("EnvCell", ENV_CELL, object_id=0x12340100)
    assert (cell.id, cell.flags, cell.id_again) == (0x12340100, 3, 0x12340100)
    assert cell.surface_ids == (0x08000034, 0x08000035)
    assert (cell.environment_id, cell.structure) == (0x0D000001, 0)
    assert cell.frame == StoredFrame((12.0, 24.0, 6.0), UPRIGHT)
    assert cell.portals == (CellPortal(3, 1, 0x0101, 0),)
    assert cell.visible == (0x0101,)
    assert cell.statics == (Stab(0x02000001, StoredFrame((12.5, 24.0, 6.0), UPRIGHT)),)
    assert cell.restriction is None
    assert encode(cell) == ENV_CELL


def test_the_worked_environment():
    assert len(ENVIRONMENT) == 468
    environment = decode("Environment", ENVIRONMENT, object_id=0x0D000001)
    (cell,) = environment.cells
    assert (cell.key, cell.num_polygons, cell.num_physics, cell.num_portals) == (0, 2, 1, 1)
    assert [vertex.key for vertex in cell.vertex_array.vertices] == list(range(6))
    assert cell.vertex_array.vertices[1].pos == (2.0, -2.0, 0.0)
    assert cell.vertex_array.vertices[1].uvs == ((1.0, 1.0),)
    assert cell.vertex_array.vertices[5].uvs == ()
    floor, portal = cell.polygons
    assert floor.pos_uv_indices == (0, 0, 0, 0)
    assert (portal.stippling, portal.pos_uv_indices, portal.vertex_ids) == (4, None, (3, 2, 5, 4))
    assert cell.portals == (1,)
    assert cell.cell_bsp == BspNode("BPFL", UP)
    empty = BspNode("LEAF", leaf_index=0, solid=0, sphere=Sphere((0.0, 0.0, 0.0), 0.0), polys=())
    ball = Sphere((0.0, 0.0, 0.0), 3.0)
    full = BspNode("LEAF", leaf_index=1, solid=1, sphere=ball, polys=(0,))
    assert cell.physics_bsp == BspNode(tag="BPnN", plane=UP, pos_child=empty, neg_child=full, sphere=ball)
    assert cell.drawing_bsp == BspNode(
        tag="BPOL", plane=UP, pos_child=None, neg_child=None, sphere=ball, polys=(0,)
    )
    assert encode(environment) == ENVIRONMENT


@pytest.mark.parametrize(
    ("stored", "iteration"),
    [
        ("18080000 E8F7FFFF 01000000", Iteration(2072, (Run(1, 2072),))),
        ("01000000 FFFFFFFF 01000000", Iteration(1, (Run(1, 1),))),
        ("05000000 FDFFFFFF 01000000 FEFFFFFF 09000000", Iteration(5, (Run(1, 3), Run(9, 2)))),
    ],
)
def test_iteration_records(stored, iteration):
    data = bytes.fromhex(stored)
    assert decode("Iteration", data) == iteration
    assert encode(iteration) == data


def test_single_iterations_are_read_and_written_as_pairs():
    read = decode("Iteration", struct.pack("<iiii", 3, 5, 7, 9))
    assert read == Iteration(3, (Run(5, 1), Run(7, 1), Run(9, 1)))
    assert encode(read) == struct.pack("<7i", 3, -1, 5, -1, 7, -1, 9)


def test_a_single_iteration_with_bit_30_has_bit_31():
    assert decode("Iteration", struct.pack("<ii", 1, 0x40000005)).runs == (Run(0xC0000005, 1),)


def test_a_land_block_is_252_bytes_with_y_fastest():
    terrain, heights = range(81), range(100, 181)
    data = struct.pack("<II81H81Bx", 0x9AB1FFFF, 0, *terrain, *heights)
    assert len(data) == 252
    block = decode("LandBlock", data, object_id=0x9AB1FFFF)
    assert block.terrain[3 * 9 + 5] == 32
    assert block.height[80] == 180
    assert encode(block) == data


def test_an_odd_stab_list_of_a_building_portal_is_padded():
    frame = struct.pack("<7f", 0, 0, 0, 1, 0, 0, 0)
    portals = struct.pack("<HHhHH2xHHhHHH", 3, 0x104, 1, 1, 0x100, 1, 0x105, -1, 2, 0x101, 0x102)
    building = struct.pack("<I", 0x010011A9) + frame + struct.pack("<II", 127, 2) + portals
    table = struct.pack("<HHII", 1, 8, 0, 0x7526200C)
    data = struct.pack("<IIIHH", 0x1455FFFE, 5, 0, 1, 1) + building + table
    info = decode("LandBlockInfo", data, object_id=0x1455FFFE)
    assert (info.num_cells, info.num_buildings, info.mask) == (5, 1, 1)
    first, second = info.buildings[0].portals
    assert (first.flags, first.other_cell, first.other_portal, first.stabs) == (3, 0x104, 1, (0x100,))
    assert (second.other_portal, second.stabs) == (-1, (0x101, 0x102))
    assert info.restrictions.buckets == 8
    assert encode(info) == data


def test_a_surface_has_no_id_and_a_colour_only_without_image():
    textured = struct.pack("<IIIfff", 0x4, 0x05000001, 0x04000001, 0.5, 0.0, 1.0)
    plain = struct.pack("<IIfff", 0x11, 0x80402010, 1.0, 0.0, 0.0)
    read = decode("Surface", textured)
    assert (read.type, read.texture, read.palette, read.color) == (4, 0x05000001, 0x04000001, None)
    assert read.drawn_type == 0x14
    read = decode("Surface", plain)
    assert (read.texture, read.palette, read.color) == (None, None, 0x80402010)
    assert encode(decode("Surface", textured)) == textured
    assert encode(read) == plain


def test_a_surface_texture_is_unaligned_after_its_type():
    data = struct.pack("<IIBiII", 0x05000001, 0, 2, 2, 0x06000001, 0x06000002)
    assert len(data) == 21
    assert decode("SurfaceTexture", data).textures == (0x06000001, 0x06000002)
    assert encode(decode("SurfaceTexture", data)) == data


def test_motion_data_pads_its_three_bytes():
    motion = struct.pack("<IBBBxIiif3f", 0x003D000B, 1, 2, 1, 0x03000001, 2, -1, -30.0, 0.0, 1.0, 0.0)
    data = struct.pack("<IIIIIII", 0x09000001, 0x8000003D, 1, 0x8000003D, 0x4000000C, 1, 0)[:-4]
    data += motion + struct.pack("<II", 0, 0)
    table = decode("MotionTable", data, object_id=0x09000001)
    cycle = table.cycle(0x8000003D, 0x4000000B)
    assert (cycle.num_anims, cycle.bits, cycle.flags) == (1, 2, 1)
    assert (cycle.anims[0].low, cycle.anims[0].high, cycle.anims[0].fps) == (2, -1, -30.0)
    assert (cycle.velocity, cycle.omega) == ((0.0, 1.0, 0.0), None)
    assert table.style_defaults == (StyleDefault(0x8000003D, 0x4000000C),)
    assert encode(table) == data


@pytest.mark.parametrize(("part", "offset", "padding"), [(3, 0, 1), (3, 0x4000, 3)])
def test_the_replace_object_hook_is_padded_to_four(part, offset, padding):
    packed = struct.pack("<H", offset) if offset < 0x4000 else struct.pack("<HH", 0x8000, offset)
    hook = struct.pack("<IiB", 5, 0, part) + packed + bytes(padding)
    data = struct.pack("<IId", 0x33000001, 1, 0.5) + hook
    script = decode("PhysicsScript", data)
    expected = ScriptItem(0.5, AnimationHook(5, 0, (part, 0x01000000 + offset)))
    assert script == PhysicsScript(0x33000001, (expected,))
    assert script.items[0].hook.payload()["part"] == part
    assert encode(script) == data


def test_a_port_pair_is_polygon_then_portal():
    plane, ball = struct.pack("<4f", 0, 0, 1, 0), struct.pack("<4f", 0, 0, 0, 3)
    leaf = b"FAEL" + struct.pack("<i", 0)
    tree = b"TROP" + plane + leaf + leaf + ball + struct.pack("<IIHHH", 1, 1, 4, 7, 2)
    vertices = struct.pack("<iI", 1, 0)
    data = struct.pack("<IIB", 0x01000001, 2, 0) + vertices + struct.pack("<3fB", 0, 0, 0, 0) + tree
    gfx_obj = decode("GfxObj", data)
    assert gfx_obj.drawing_bsp.polys == (4,)
    assert gfx_obj.drawing_bsp.portals == (PortalRef(7, 2),)
    assert encode(gfx_obj) == data


def test_an_unknown_tag_is_a_childless_plane_node_and_no_word_is_none():
    plane, ball = struct.pack("<4f", 0, 0, 1, 0), struct.pack("<4f", 0, 0, 0, 3)
    vertices = struct.pack("<iI", 1, 0)
    head = struct.pack("<IIB", 0x01000001, 2, 0) + vertices + struct.pack("<3fB", 0, 0, 0, 0)
    data = head + b"zyxW" + plane + ball + struct.pack("<I", 0)
    assert decode("GfxObj", data).drawing_bsp.tag == "Wxyz"
    assert encode(decode("GfxObj", data)) == data
    with pytest.raises(DatError, match="is no tree node's tag"):
        decode("GfxObj", head + b"zy\0W" + plane + ball + struct.pack("<I", 0))


def test_the_id_in_a_record_must_be_the_one_it_is_stored_under():
    with pytest.raises(DatError, match="the record says it is 0x12340100") as caught:
        decode("EnvCell", ENV_CELL, "cell.dat", 0x12340101)
    assert (caught.value.object_id, caught.value.offset) == (0x12340101, 0)


def test_the_second_id_of_a_cell_must_be_its_first():
    with pytest.raises(DatError, match="the id's second place says 0x12340101"):
        decode("EnvCell", ENV_CELL[:8] + b"\1" + ENV_CELL[9:])


def test_bytes_after_a_record_are_an_error():
    with pytest.raises(DatError, match="1 bytes after the record's last field"):
        decode("EnvCell", ENV_CELL + b"\0")


def test_of_structures_with_the_same_odd_key_the_first_is_meant():
    environment = decode("Environment", ENVIRONMENT, object_id=0x0D000001)
    one, two = (environment.cells[0]._replace(key=700, portals=(number,)) for number in (1, 2))
    odd = environment._replace(cells=(one, two))
    assert odd.cell(700) is one
    assert odd.cell(0) is None
