"""What packed records are made of: numbers, frames, vertices, polygons, trees; each with its values."""

import struct

from hypothesis import strategies as st

u8, u16, u32 = (st.integers(0, 2**bits - 1) for bits in (8, 16, 32))
i16, i32 = (st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (16, 32))
f32 = st.floats(width=32, allow_nan=False, allow_infinity=False)
stale = st.binary(min_size=3, max_size=3)
cuint_sizes = st.sampled_from([1, 2, 4])
PLANE_TAGS = {  # tag: positive and negative child (dat-format 3.8)
    "PORT": (1, 1), "BPnn": (1, 0), "BPIn": (1, 0), "BpIN": (0, 1), "BpnN": (0, 1), "BPIN": (1, 1),
    "BPnN": (1, 1), "BPOL": (0, 0), "BPFL": (0, 0), "BpIn": (0, 0), "Bpnn": (0, 0),
}  # fmt: skip


def p(layout, *values):
    return struct.pack("<" + layout, *values)


def some(items, most=3, least=0):
    return st.lists(items, min_size=least, max_size=most)


def cuint(value, size):
    """A compressed integer in 1, 2 or 4 bytes, also a longer form than it needs (dat-format 2.2)."""
    if size == 1 and value < 0x80:
        return bytes([value])
    if size <= 2 and value < 0x4000:
        return bytes([0x80 | value >> 8, value & 0xFF])
    return bytes([0xC0 | value >> 24, value >> 16 & 0xFF, value & 0xFF, value >> 8 & 0xFF])


def padding(draw, place):
    """What brings a place to a multiple of four: stale bytes, as some writers leave them there."""
    return draw(stale)[: -place % 4]


@st.composite
def numbers(draw, count):
    values = [draw(f32) for _ in range(count)]
    return p(f"{count}f", *values), values


@st.composite
def frames(draw):
    data, values = draw(numbers(7))
    return data, {"origin": values[:3], "orientation": values[3:]}


@st.composite
def planes(draw):
    data, values = draw(numbers(4))
    return data, {"normal": values[:3], "d": values[3]}


@st.composite
def spheres(draw):
    data, values = draw(numbers(4))
    return data, {"center": values[:3], "radius": values[3]}


@st.composite
def vertex_arrays(draw):
    """Vertices with any number of UV pairs, none included, in any mixture."""
    kind, items = draw(i32), []
    data = b""
    counts = draw(some(st.sampled_from([0, 0, 1, 1, 1, 2, 5, 57]), 7))
    for count in counts:
        key = draw(u16)
        body, values = draw(numbers(6 + 2 * count))
        data += p("HH", key, count) + body
        uvs = [values[place : place + 2] for place in range(6, len(values), 2)]
        items.append({"key": key, "pos": values[:3], "normal": values[3:6], "uvs": uvs})
    return p("iI", kind, len(items)) + data, {"type": kind, "vertices": items}


@st.composite
def polygons(draw):
    """A polygon with none, one or both of the UV lists, any sides type and negative slots and keys."""
    key, count = draw(u16), draw(st.integers(0, 6))
    stippling, sides = draw(st.sampled_from([0, 1, 4, 8, 12, 31])), draw(st.sampled_from([0, 1, 2, 2, 3, -1]))
    pos, neg = draw(i16), draw(i16)
    ids = draw(some(i16, count, count))
    data = p("HBBihh", key, count, stippling, sides, pos, neg) + p(f"{count}h", *ids)
    out = {
        "key": key, "stippling": stippling, "sides_type": sides, "pos_surface": pos, "neg_surface": neg,
        "vertex_ids": ids,
    }  # fmt: skip
    if not stippling & 4:
        out["pos_uv_indices"] = draw(some(u8, count, count))
        data += bytes(out["pos_uv_indices"])
    if sides == 2 and not stippling & 8:
        out["neg_uv_indices"] = draw(some(u8, count, count))
        data += bytes(out["neg_uv_indices"])
    return data, out


def joined(cases):
    return b"".join(data for data, _ in cases), [fields for _, fields in cases]


@st.composite
def keys(draw, most=4):
    values = draw(some(u16, most))
    return p("I", len(values)) + p(f"{len(values)}H", *values), values


@st.composite
def trees(draw, kind, depth=4):
    """A tree of one kind: leaves with and without polygons, chains, PORT nodes, every tag there is."""
    tags = [tag for tag in PLANE_TAGS if kind == "drawing" or tag != "PORT"]
    tag = (
        draw(st.sampled_from(["LEAF", *tags, *tags[:2]]))
        if depth
        else draw(st.sampled_from(["LEAF", "BPOL", "BPFL"]))
    )
    data, out = tag.encode()[::-1], {"tag": tag}
    if tag == "LEAF":
        out["index"] = draw(i32)
        data += p("i", out["index"])
        if kind == "physics":
            solid = draw(i32)
            sphere, out["sphere"] = draw(spheres())
            polys, out["polys"] = draw(keys())
            out["solid"] = solid
            data += p("i", solid) + sphere + polys
        return data, out
    plane, out["plane"] = draw(planes())
    data += plane
    for name, there in zip(("pos_child", "neg_child"), PLANE_TAGS[tag], strict=True):
        if there:
            child, out[name] = draw(trees(kind, depth - 1))
            data += child
    if kind != "cell":
        sphere, out["sphere"] = draw(spheres())
        data += sphere
    if kind == "drawing":
        out["polys"] = draw(some(u16, 4))
        data += p("I", len(out["polys"]))
        count = draw(st.integers(0, 2)) if tag == "PORT" else 0
        portals = draw(some(st.tuples(u16, u16), count, count))
        data += p("I", len(portals)) if tag == "PORT" else b""
        data += p(f"{len(out['polys'])}H", *out["polys"])
        if tag == "PORT":
            out["portals"] = [{"polygon": polygon, "portal": portal} for polygon, portal in portals]
            data += b"".join(p("HH", *pair) for pair in portals)
    return data, out
