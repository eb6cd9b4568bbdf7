"""``holtwalk cell``: where a placed body is, and why (promises 7)."""

from __future__ import annotations

import json
from argparse import Namespace

from engine.dat.hex_id import hex_id
from engine.files.json_form import Json
from engine.physics.body.body import PhysicsBody
from engine.physics.membership.cell_array import CellArray
from engine.physics.membership.cell_list import build_cell_list, point_in_cell, would_prune
from engine.physics.simulation.static_comparison import static_lookup
from engine.physics.transition.sphere_path import SpherePath
from engine.world.cells import EnvCell, ObjCell
from engine.world.ids import rebase
from engine.world.loading.world import World
from engine.world.location import format_location
from viewer.commands.groundwork.session import open_place


def run(args: Namespace) -> int:
    """Print the cell of a body put at ``--at``."""
    simulation, arrival = open_place(args, args.at, trace=True)
    trace = simulation.report().trace
    document = {
        **cell_document(simulation.world, simulation.body),
        "placement": [pick.to_json() for step in trace.steps for pick in step.picks] if trace else [],
        **arrival.to_json(),
    }
    if args.json:
        print(json.dumps(document))
    else:
        print(f"{format_location(simulation.body.position)}")
        print(cell_text(document))
    return 0


def cell_document(world: World, body: PhysicsBody) -> Json:
    """The document of promises 7 for a body that has been placed."""
    cell = body.cell
    assert cell is not None
    candidates = candidate_cells(world, body)
    foot = body.position.frame.to_global(body.movement_spheres[0].center)
    looked_up = static_lookup(world, body.position.cell_id, foot, [cell.id, *cell.stab_list])
    environment = None
    if isinstance(cell, EnvCell) and not world.source.is_plain:
        environment = hex_id(cell.structure.environment_id)
    return {
        "cell": hex_id(cell.id),
        "kind": "EnvCell" if isinstance(cell, EnvCell) else "LandCell",
        "seen_outside": cell.seen_outside,
        "environment": environment,
        "portals": _portals(cell),
        "stab_list": [hex_id(c) for c in cell.stab_list],
        "candidates": candidates,
        "static_lookup": hex_id(looked_up) if looked_up else None,
    }


def candidate_cells(world: World, body: PhysicsBody) -> list[Json]:
    """The collision cell array where the body is, seeded with its own cell, unpruned, in order.

    ``added_by`` is the cell whose transit added the entry and ``why`` says how; ``contains`` whether it
    holds the foot sphere's centre; ``pruned`` whether a prune by the stab list would drop it, which
    outdoors never runs; ``picked`` whether the tick's containment takes it.
    """
    path = SpherePath(body.movement_spheres)
    path.set_check_pos(body.position, body.cell)
    array = CellArray(explains=True)
    home = body.position.cell_id
    picked = build_cell_list(world, home, path.global_sphere, array, want_current=True)
    foot = path.global_sphere[0]
    stab = frozenset(() if body.cell is None else body.cell.stab_list)
    out: list[Json] = []
    for cell_id, cell, why, added_by in zip(array.ids, array.cells, array.why, array.added_by, strict=True):
        x, y, z = rebase((foot.x, foot.y, foot.z), home, cell_id)
        out.append(
            {
                "cell": hex_id(cell_id),
                "added_by": hex_id(added_by),
                "why": why,
                "loaded": cell is not None,
                "contains": cell is not None and point_in_cell(cell, x, y, z),
                "in_stab_list": cell_id == home or cell_id in stab,
                "pruned": would_prune(body.cell, cell_id, stab),
                "picked": picked is not None and picked.id == cell_id,
            }
        )
    return out


def cell_text(document: Json) -> str:
    """The document as lines for people."""
    lines = [f"{document['cell']}  {document['kind']}  seen outside: {_yes(document['seen_outside'])}"]
    if document["environment"]:
        lines[0] += f"  environment {document['environment']}"
    lines += [
        f"portal {p['index']}: to {p['other']} portal {p['other_portal']}, flags {p['flags']}, "
        f"side {p['side']}, polygon {p['polygon']}"
        for p in _rows(document, "portals")
    ]
    stab = document["stab_list"]
    listed = " ".join(map(str, stab)) if isinstance(stab, list) and stab else "empty"
    lines.append(f"stab list: {'none outdoors' if document['kind'] == 'LandCell' else listed}")
    for c in _rows(document, "candidates"):
        notes = [str(c["why"]) + ("" if c["added_by"] == c["cell"] else f" of {c['added_by']}")]
        notes += ["holds the foot sphere's centre"] if c["contains"] else []
        notes += ["not in the stab list (a prune would drop it)"] if c["pruned"] else []
        notes += [] if c["loaded"] else ["not loaded"]
        notes += ["picked"] if c["picked"] else []
        lines.append(f"candidate {c['cell']}: {', '.join(notes)}")
    lines.append(f"a static look-up would say {document['static_lookup'] or 'nothing'}")
    return "\n".join(lines)


def _portals(cell: ObjCell) -> list[Json]:
    if not isinstance(cell, EnvCell):
        return []
    return [
        {
            "index": portal.index,
            "other": "0xFFFF" if portal.is_exit else hex_id(portal.other_cell_id),
            "other_portal": portal.other_portal_id if portal.other_portal_id >= 0 else None,
            "flags": portal.flags,
            "side": portal.portal_side,
            "polygon": portal.polygon.id,
        }
        for portal in cell.portals
    ]


def _rows(document: Json, key: str) -> list[Json]:
    rows = document[key]
    return rows if isinstance(rows, list) else []


def _yes(value: object) -> str:
    return "yes" if value else "no"
