"""Bytes packed by hand from dat-format's tables, each with the fields it must read as.

Nothing here uses the codecs: a case is (bytes, fields), made by a strategy over what is unusual but legal.
Cases that are aligned take the place in the record where they begin.
"""

import struct

from hypothesis import strategies as st

u8, u16, u32 = (st.integers(0, 2**bits - 1) for bits in (8, 16, 32))
i16, i32 = (st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (16, 32))
f32 = st.floats(width=32, allow_nan=False, allow_infinity=False)
stale = st.binary(min_size=3, max_size=3)
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


cuint_sizes = st.sampled_from([1, 2, 4])


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


@st.composite
def gfx_objs(draw):
    """Any of its parts, none included; counts as compressed integers of every length."""
    flags = draw(st.integers(0, 15))
    out = {"id": draw(u32), "flags": flags, "surfaces": draw(some(u32))}
    vertices, out["vertex_array"] = draw(vertex_arrays())
    count = len(out["surfaces"])
    data = p("II", out["id"], flags) + cuint(count, draw(cuint_sizes)) + p(f"{count}I", *out["surfaces"])
    data += vertices
    if flags & 1:
        stored, out["physics_polygons"] = joined(draw(some(polygons())))
        tree, out["physics_bsp"] = draw(trees("physics"))
        data += cuint(len(out["physics_polygons"]), draw(cuint_sizes)) + stored + tree
    center, out["sort_center"] = draw(numbers(3))
    data += center
    if flags & 2:
        stored, out["polygons"] = joined(draw(some(polygons())))
        tree, out["drawing_bsp"] = draw(trees("drawing"))
        data += cuint(len(out["polygons"]), draw(cuint_sizes)) + stored + tree
    if flags & 8:
        out["degrade"] = draw(u32)
        data += p("I", out["degrade"])
    return data, out


@st.composite
def environments(draw):
    """Structures whose trees begin at every residue before their align4, with stale padding bytes."""
    out = {"id": draw(u32), "cells": []}
    count = draw(st.integers(0, 3))
    data = p("II", out["id"], count)
    for _ in range(count):
        key, portals = draw(u32), draw(some(u16))
        vertices, array = draw(vertex_arrays())
        drawn, drawing = joined(draw(some(polygons())))
        stored, physics = joined(draw(some(polygons())))
        cell_tree, cell_bsp = draw(trees("cell"))
        physics_tree, physics_bsp = draw(trees("physics"))
        has_drawing = draw(st.integers(0, 1))
        data += p("IIII", key, len(drawing), len(physics), len(portals)) + vertices + drawn
        data += p(f"{len(portals)}H", *portals)
        data += padding(draw, len(data))
        data += cell_tree + stored + physics_tree + p("I", has_drawing)
        cell = {
            "key": key, "num_polygons": len(drawing), "num_physics": len(physics),
            "num_portals": len(portals), "vertex_array": array, "polygons": drawing, "portals": portals,
            "cell_bsp": cell_bsp, "physics_polygons": physics, "physics_bsp": physics_bsp,
            "has_drawing": has_drawing,
        }  # fmt: skip
        if has_drawing:
            tree, cell["drawing_bsp"] = draw(trees("drawing"))
            data += tree
        data += padding(draw, len(data))
        out["cells"].append(cell)
    return data, out


@st.composite
def stabs(draw):
    object_id = draw(u32)
    data, frame = draw(frames())
    return p("I", object_id) + data, {"id": object_id, "frame": frame}


@st.composite
def env_cells(draw):
    """Odd numbers of 16-bit values, so that statics lie at addresses that are not multiples of four."""
    cell_id, flags = draw(u32), draw(st.integers(0, 15))
    surfaces, visible = draw(some(u16)), draw(some(u16))
    portals = draw(some(st.tuples(u16, u16, u16, i16)))
    environment, structure = draw(u16), draw(u16)
    place, frame = draw(frames())
    data = p("IIIBBH", cell_id, flags, cell_id, len(surfaces), len(portals), len(visible))
    data += p(f"{len(surfaces)}HHH", *surfaces, environment, structure) + place
    data += b"".join(p("HHHh", *portal) for portal in portals) + p(f"{len(visible)}H", *visible)
    names = ("flags", "polygon", "other_cell", "other_portal")
    out = {
        "id": cell_id, "flags": flags, "id_again": cell_id, "num_surfaces": len(surfaces),
        "num_portals": len(portals), "num_visible": len(visible), "surfaces": surfaces,
        "environment": environment, "structure": structure, "frame": frame,
        "portals": [dict(zip(names, portal, strict=True)) for portal in portals], "visible": visible,
    }  # fmt: skip
    if flags & 2:
        stored, out["statics"] = joined(draw(some(stabs())))
        data += p("I", len(out["statics"])) + stored
    if flags & 8:
        out["restriction"] = draw(u32)
        data += p("I", out["restriction"])
    return data, out


@st.composite
def land_block_infos(draw):
    """Stab lists of any length before an align4 each; a restriction table with any number of buckets."""
    stored, objects = joined(draw(some(stabs())))
    out = {"id": draw(u32), "num_cells": draw(u32), "objects": objects}
    mask, count = draw(st.integers(0, 3)), draw(st.integers(0, 2))
    out |= {"num_buildings": count, "mask": mask, "buildings": []}
    data = p("III", out["id"], out["num_cells"], len(objects)) + stored + p("HH", count, mask)
    for _ in range(count):
        model, leaves, portals = draw(u32), draw(u32), []
        place, frame = draw(frames())
        opened = draw(some(st.tuples(u16, u16, i16, some(u16, 5))))
        data += p("I", model) + place + p("II", leaves, len(opened))
        for flags, other_cell, other_portal, low in opened:
            data += p(f"HHhH{len(low)}H", flags, other_cell, other_portal, len(low), *low)
            data += padding(draw, len(data))
            portals.append(
                {"flags": flags, "other_cell": other_cell, "other_portal": other_portal, "stabs": low}
            )
        out["buildings"].append({"model": model, "frame": frame, "leaves": leaves, "portals": portals})
    if mask & 1:
        buckets, items = draw(u16), draw(some(st.tuples(u32, u32)))
        data += p("HH", len(items), buckets) + b"".join(p("II", *item) for item in items)
        table = [{"key": key, "value": value} for key, value in items]
        out["restrictions"] = {"buckets": buckets, "items": table}
    return data, out


@st.composite
def motions(draw, place, name):
    """Its three bytes and the byte that aligns them; velocity and omega after the anims."""
    key, bits, flags = draw(u32), draw(u8), draw(st.integers(0, 7))
    anims = draw(some(st.tuples(u32, i32, i32, f32)))
    data = p("IBBB", key, len(anims), bits, flags)
    data += padding(draw, place + len(data)) + b"".join(p("Iiif", *anim) for anim in anims)
    names = ("id", "low", "high", "fps")
    out = {
        name: key, "num_anims": len(anims), "bits": bits, "flags": flags,
        "anims": [dict(zip(names, anim, strict=True)) for anim in anims],
    }  # fmt: skip
    for bit, part in ((1, "velocity"), (2, "omega")):
        if flags & bit:
            stored, out[part] = draw(numbers(3))
            data += stored
    return data, out


@st.composite
def motion_tables(draw):
    out = {"id": draw(u32), "default_style": draw(u32)}
    defaults = draw(some(st.tuples(u32, u32)))
    out["style_defaults"] = [{"style": style, "substate": substate} for style, substate in defaults]
    data = p("III", out["id"], out["default_style"], len(defaults))
    data += b"".join(p("II", *pair) for pair in defaults)
    for name in ("cycles", "modifiers"):
        stored, out[name] = joined(draw(some(motions(0, "key"))))
        data += p("I", len(out[name])) + stored
    out["links"] = []
    count = draw(st.integers(0, 2))
    data += p("I", count)
    for _ in range(count):
        key = draw(u32)
        stored, targets = joined(draw(some(motions(0, "target"))))
        data += p("II", key, len(targets)) + stored
        out["links"].append({"key": key, "targets": targets})
    return data, out


@st.composite
def animations(draw):
    """Poses of any number of parts with hooks; ReplaceObject hooks with short and long ids."""
    flags, parts, count = draw(st.integers(0, 3)), draw(st.integers(0, 3)), draw(st.integers(0, 3))
    out = {"id": draw(u32), "flags": flags, "num_parts": parts, "num_frames": count}
    data = p("IIII", out["id"], flags, parts, count)
    if flags & 1:
        stored, out["pos_frames"] = joined(draw(some(frames(), count, count)))
        data += stored
    out["frames"] = []
    for _ in range(count):
        stored, pose = joined(draw(some(frames(), parts, parts)))
        fired = draw(some(st.tuples(i32, u8, st.integers(0, 0x3FFFFFFF), st.booleans(), stale)))
        data += stored + p("I", len(fired))
        hooks = []
        for direction, part, offset, long, waste in fired:
            short = offset & 0x7FFF  # a short form reaches up to 0x7FFF when read (dat-format 2.3)
            packed = p("HH", 0x8000 | offset >> 16, offset & 0xFFFF) if long else p("H", short)
            hook = p("IiB", 5, direction, part) + packed
            data += hook + waste[: -len(hook) % 4]
            model = 0x01000000 + (offset if long else short)
            hooks.append({"type": 5, "direction": direction, "part": part, "gfxobj": model})
        out["frames"].append({"frames": pose, "hooks": hooks})
    return data, out


def text(draw, place):
    """A string with a short or a long length, padded from where it ends (dat-format 2.4)."""
    value = draw(st.text(st.sampled_from("abc Zé€\0"), max_size=9)).encode("cp1252")
    head = p("H", len(value)) if draw(st.booleans()) else p("HI", 0xFFFF, len(value))
    data = head + value
    return data + padding(draw, place + len(data)), value.decode("cp1252")


@st.composite
def regions(draw):
    """No part but the terrain, which is always there; strings of every length, so of every padding."""
    data = p("III", 0x13000000, draw(u32), draw(u32))
    out = {"id": 0x13000000, "number": struct.unpack_from("<I", data, 4)[0]}
    out["version"] = struct.unpack_from("<I", data, 8)[0]
    stored, out["name"] = text(draw, len(data))
    data += stored + p("iifiifff", 255, 255, 24.0, 8, 1, 200.0, 1000.0, 5.0) + bytes(1024)
    out["land"] = {
        "length": 255, "width": 255, "cell_side": 24.0, "cells": 8, "vertices": 1, "max_obj_height": 200.0,
        "sky_height": 1000.0, "road_width": 5.0, "heights": [0.0] * 256,
    }  # fmt: skip
    data += p("dIfI", 0.5, 10, 7620.0, 360)
    time = {"zero_time": 0.5, "zero_year": 10, "day_length": 7620.0, "days_per_year": 360}
    stored, time["suffix"] = text(draw, len(data))
    data += stored
    for name in ("times", "days", "seasons"):
        time[name] = []
        count = draw(st.integers(0, 3))
        data += p("I", count)
        for _ in range(count):
            start, night = draw(st.integers(0, 359)), draw(st.integers(0, 1))
            head = {"times": p("fI", start, night), "days": b"", "seasons": p("I", start)}[name]
            stored, value = text(draw, len(data) + len(head))
            data += head + stored
            item = {"times": {"start": float(start), "night": night}, "seasons": {"start": start}}.get(name)
            time[name].append(value if item is None else {**item, "name": value})  # type: ignore[attr-defined]
    out["time"] = time
    parts = draw(st.sampled_from([0, 0x04, 0x08, 0x0C]))
    out["parts"] = parts
    data += p("I", parts)
    count = draw(st.integers(0, 3))
    data += p("I", count)
    types = []
    for _ in range(count):
        stored, name = text(draw, len(data))
        color, scenes = draw(u32), draw(some(i32))
        data += stored + p(f"II{len(scenes)}i", color, len(scenes), *scenes)
        types.append({"name": name, "color": color, "scenes": scenes})
    data += p("II", 0, 256) + p("IIII", 0, 0, 0, 0)
    merge = {"base_size": 256, "corner": [], "side": [], "road": [], "terrain": []}
    out["terrain"] = {"types": types, "surface_type": 0, "texmerge": merge}
    return data, out


@st.composite
def surface_textures(draw):
    """Everything after the type's one byte lies at odd addresses."""
    images = draw(some(u32, 4))
    out = {"id": draw(u32), "category": draw(u32), "type": draw(u8), "textures": images}
    return p(f"<IIBi{len(images)}I"[1:], *list(out.values())[:3], len(images), *images), out


CASES = {
    "Animation": animations(),
    "EnvCell": env_cells(),
    "Environment": environments(),
    "GfxObj": gfx_objs(),
    "LandBlockInfo": land_block_infos(),
    "MotionTable": motion_tables(),
    "Region": regions(),
    "SurfaceTexture": surface_textures(),
}
