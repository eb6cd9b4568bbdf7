"""Bytes packed by hand from dat-format's tables, each with the fields it must read as.

Nothing here uses the codecs: a case is (bytes, fields), made by a strategy over what is unusual but legal.
Cases that are aligned take the place in the record where they begin.
"""

import struct

from hypothesis import strategies as st

from tests.dat.records.packed_pieces import (
    cuint,
    cuint_sizes,
    f32,
    frames,
    i16,
    i32,
    joined,
    numbers,
    p,
    padding,
    polygons,
    some,
    stale,
    trees,
    u8,
    u16,
    u32,
    vertex_arrays,
)


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
