"""Folders of invented dumps for tests."""

import json

from tests.world.world_records import box_faces

BLOCK = 0xA9B40000


def rigid(x=0.0, y=0.0, z=0.0, rows=((1, 0, 0), (0, 1, 0), (0, 0, 1))):
    """A WorldTransform whose rows are the rotated axes."""
    out = {f"M{i + 1}{j + 1}": rows[i][j] for i in range(3) for j in range(3)}
    out |= {"M14": 0, "M24": 0, "M34": 0, "M41": x, "M42": y, "M43": z, "M44": 1}
    return out


def polygon(key, corners, sides=0):
    return {
        "Id": key,
        "NumPoints": len(corners),
        "SidesType": sides,
        "Vertices": [{"X": x, "Y": y, "Z": z} for x, y, z in corners],
    }


def room(low, transform, portals, visible=(), *, box=((-2, -2, 0), (2, 2, 3)), **extra):
    """A box cell; ``portals`` are (face, other cell's low word, flags)."""
    faces = box_faces(*box)
    openings = {face for face, _, _ in portals}
    return {
        "CellId": BLOCK | low,
        "WorldTransform": transform,
        "ResolvedPolygons": [polygon(n, f) for n, f in enumerate(faces) if n not in openings],
        "PortalPolygons": [polygon(n, f) for n, f in enumerate(faces)],
        "Portals": [{"OtherCellId": o, "PolygonId": f, "Flags": flags} for f, o, flags in portals],
        "VisibleCellIds": [BLOCK | v for v in visible],
        **extra,
    }


def model(gfxobj_id, low=(-1, -1, 0), high=(1, 1, 2)):
    return {
        "GfxObjId": gfxobj_id,
        "BoundingSphereOrigin": {"X": 0, "Y": 0, "Z": 1},
        "BoundingSphereRadius": 2.0,
        "ResolvedPolygons": [polygon(n, f) for n, f in enumerate(box_faces(low, high, inward=False))],
    }


def write(folder, *dumps, scene=None, **files):
    for dump in dumps:
        if "CellId" in dump:
            name = f"0x{dump['CellId']:08X}.json"
        else:
            name = f"0x{dump['GfxObjId']:08X}.gfxobj.json"
        (folder / name).write_text(json.dumps(dump))
    if scene is not None:
        (folder / "scene.json").write_text(json.dumps(scene))
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder
