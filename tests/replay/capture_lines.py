"""Lines of a capture, made by hand."""

import json


def xyz(x, y, z):
    return {"x": x, "y": y, "z": z}


def line(**changes):
    """A whole record; a change of a nested key is ``input__cellId=...``, None takes a key away."""
    document = {
        "tick": 7,
        "input": {
            "currentPos": xyz(1.5, 2.5, 94.0),
            "targetPos": xyz(1.5, 2.9, 94.0),
            "cellId": 2847146352,
            "sphereRadius": 0.48,
            "sphereHeight": 1.2,
            "stepUpHeight": 0.6,
            "stepDownHeight": 1.5,
            "isOnGround": True,
            "moverFlags": 768,
            "movingEntityId": 1000000,
        },
        "bodyBefore": {
            "orientation": {"isIdentity": False, "x": 0, "y": 0, "z": 0.6, "w": 0.8},
            "velocity": xyz(0, 12, 0),
            "slidingNormal": xyz(0, -1, 0),
            "contactPlaneValid": True,
            "contactPlane": {"normal": xyz(0, 0, 1), "d": -94},
            "contactPlaneCellId": 2847146352,
            "contactPlaneIsWater": False,
            "state": 1040,
            "transientState": 135,
        },
        "result": {
            "position": xyz(1.5, 2.9, 94.0),
            "cellId": 2847146352,
            "isOnGround": True,
            "collisionNormalValid": False,
            "collisionNormal": xyz(0, 0, 0),
        },
        "bodyAfter": {"orientation": {"x": 0, "y": 0, "z": 0.6, "w": 0.8}},
    }
    for path, value in changes.items():
        *folders, key = path.split("__")
        at = document
        for folder in folders:
            at = at[folder]
        at[key] = value
    return json.dumps(document)
