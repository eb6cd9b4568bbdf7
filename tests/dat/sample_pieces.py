"""What records of many types are made of: planes, spheres, vertices, polygons, trees, hooks."""

from engine.dat.pieces.bsp_record import BspNode, PortalRef
from engine.dat.pieces.geometry import Polygon, SWVertex, VertexArray
from engine.dat.pieces.hooks import PAYLOADS, AnimationHook
from engine.dat.values import Plane, Sphere, StoredFrame

GARBAGE = -431602080.0  # what 0xCDCDCDCD reads as


TURNED = StoredFrame((1.5, -2.0, 0.25), (0.5, 0.5, -0.5, 0.5))


UP = Plane((0.0, 0.0, 1.0), 0.0)


BALL = Sphere((0.0, 0.0, 0.0), 3.0)


def leaf(index=0, solid=0, polys=()):
    return BspNode(
        "LEAF", leaf_index=index, solid=solid, sphere=Sphere((0.0, 0.0, 0.0), 0.0), polys=tuple(polys)
    )


def hook_values(kind):
    """Values of every encoding that a hook's payload has."""
    made = {
        "u8": 3,
        "u32": 7,
        "f32": 0.25,
        "vec3": (0.5, -1.0, 2.0),
        "frame": TURNED,
        "gfxobj": 0x01000000,
    }
    return tuple(made[encoding] for _, encoding in PAYLOADS[kind])


ALL_HOOKS = tuple(
    AnimationHook(kind, (-1, 0, 1)[position % 3], hook_values(kind)) for position, kind in enumerate(PAYLOADS)
)


VERTICES = VertexArray(
    1,
    (
        SWVertex(0, (-2.0, -2.0, 0.0), (0.0, 0.0, 1.0), ((0.0, 1.0),)),
        SWVertex(1, (2.0, -2.0, 0.0), (0.0, 0.0, 1.0), ((1.0, 1.0), (0.5, 0.5))),
        SWVertex(2, (2.0, 2.0, 0.0), (0.0, 0.0, 1.0), ((1.0, 0.0),)),
        SWVertex(3, (-2.0, 2.0, 0.0), (0.0, 0.0, 1.0)),
    ),
)


FLOOR = Polygon(
    key=0,
    stippling=1,
    sides_type=0,
    pos_surface=0,
    neg_surface=-1,
    vertex_ids=(0, 1, 2, 3),
    pos_uv_indices=(0, 0, 0, 0),
)


PORTAL = Polygon(key=1, stippling=4, sides_type=0, pos_surface=1, neg_surface=-1, vertex_ids=(3, 2, 1, 0))


TWO_SIDED = Polygon(
    key=2,
    stippling=0,
    sides_type=2,
    pos_surface=0,
    neg_surface=1,
    vertex_ids=(0, 1, 2),
    pos_uv_indices=(0, 1, 0),
    neg_uv_indices=(0, 0, 0),
)


DRAWING_TREE = BspNode(
    tag="PORT",
    plane=UP,
    pos_child=BspNode("LEAF", leaf_index=2),
    neg_child=BspNode(
        tag="BPIN",
        plane=UP,
        pos_child=BspNode(
            tag="BPIn",
            plane=UP,
            pos_child=BspNode(
                tag="BPOL",
                plane=Plane((GARBAGE, GARBAGE, GARBAGE), GARBAGE),
                pos_child=None,
                neg_child=None,
                sphere=BALL,
                polys=(2,),
            ),
            neg_child=None,
            sphere=BALL,
            polys=(0,),
        ),
        neg_child=BspNode(
            tag="BpIN",
            plane=UP,
            pos_child=None,
            neg_child=BspNode(tag="BPFL", plane=UP, pos_child=None, neg_child=None, sphere=BALL, polys=()),
            sphere=BALL,
            polys=(0, 1),
        ),
        sphere=BALL,
        polys=(),
    ),
    sphere=BALL,
    polys=(),
    portals=(PortalRef(1, 0),),
)


PHYSICS_TREE = BspNode(tag="BPnN", plane=UP, pos_child=leaf(), neg_child=leaf(1, 1, (0,)), sphere=BALL)


CELL_TREE = BspNode("BPnn", UP, BspNode("BPFL", Plane((0.0, 0.0, -1.0), 3.0)))
