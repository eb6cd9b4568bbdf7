"""Models and cells as glTF files (`dat extract`): what the renderer draws of them, in metres, y upward."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from typing import IO, Any, Final

import numpy as np
import trimesh
from numpy.typing import NDArray
from PIL import Image
from trimesh.exchange.gltf import export_glb, export_gltf
from trimesh.visual import TextureVisuals
from trimesh.visual.material import PBRMaterial

from engine.dat.errors import DatError
from engine.dat.hex_id import hex_id
from engine.dat.number_rules import direction_fault, number_fault, place_fault
from engine.dat.pieces.geometry import Polygon, VertexArray
from engine.dat.records.env_cell import EnvCell
from engine.dat.records.gfx_obj import GfxObj
from engine.dat.records.setup import Setup
from engine.dat.records.surface import Surface
from engine.dat.values import Vec3
from engine.named_tuple import NamedTuple
from engine.world.frame import Frame
from engine.world.loading.env_cells import checked_frame
from engine.world.loading.model_store import PLAIN_SCALE
from engine.world.source import WorldSource
from engine.world.under_way import UnderWay
from viewer.renderer.images.images import MissingImageError, drawn_image, made_of
from viewer.renderer.images.materials import (
    TRANSLUCENT,
    RenderClass,
    is_textured,
    opacity,
    render_class,
)
from viewer.renderer.images.textures import marker_image
from viewer.renderer.scene.meshes import drawn_polygons, sides_of
from viewer.user_error import UserError

Report = Callable[[str], None]
Matrix = NDArray[np.float64]

# Ours: x east, y north, z up. glTF: y up, a model's front towards +z.
Y_UP = np.array([[1, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]], np.float64)
ALPHA_MODES = {RenderClass.OPAQUE: "OPAQUE", RenderClass.CUTOUT: "MASK"}
MOST_PACKED: Final = 1 << 28  # bytes of PNG for a file's Surfaces, one that many show counted for each


class _Made(NamedTuple):
    """What polygons come to: what of their vertices is damaged, and a mesh a surface.

    ``names`` are those of the first node that shows them: the others share its meshes.
    """

    damage: str
    meshes: list[tuple[int, trimesh.Trimesh]]
    names: list[str]


class _Packed:
    """An image as PNG, for the library that writes the file, which takes it for one of Pillow's."""

    format = "PNG"

    def __init__(self, pixels: NDArray[np.uint8]) -> None:
        png = BytesIO()
        Image.fromarray(pixels).save(png, format="png")
        self.data = png.getvalue()

    def save(self, file: IO[bytes], **_: object) -> None:
        """Write it, as what it is already."""
        file.write(self.data)


class _Images:
    """A file's images, packed as soon as they are decoded: Surfaces by the thousand may show the same."""

    def __init__(self, source: WorldSource) -> None:
        self._source = source
        self._packed: dict[tuple[int, int, int], _Packed | str] = {}
        self._left = MOST_PACKED
        self.marker = _Packed(marker_image())

    def of(self, surface: Surface) -> _Packed:
        """The image of a textured surface.

        Raises MissingImageError, or DatError for damaged records other than the image's own.
        """
        key = made_of(self._source, surface)
        found = self._packed.get(key)
        if found is None:
            found = self._packed[key] = self._pack(surface)
        if isinstance(found, str):
            raise MissingImageError(found)
        self._left -= len(found.data)
        if self._left < 0:
            raise MissingImageError(f"its image is left out: those before take {MOST_PACKED >> 20} MB")
        return found

    def _pack(self, surface: Surface) -> _Packed | str:
        """An image, or why there is none."""
        try:
            return _Packed(drawn_image(self._source, surface))
        except (DatError, MissingImageError) as error:
            return str(error)


class ModelExport:
    """Builds scenes from a source's records; what is missing is told to ``report`` and marked or left out."""

    def __init__(self, source: WorldSource, report: Report, under_way: UnderWay) -> None:
        self._source = source
        self._report = report
        self._under_way = under_way
        self._images = _Images(source)
        self._materials: dict[int, tuple[PBRMaterial, bool]] = {}
        self._made: dict[int, _Made] = {}  # of each GfxObj: a Setup may have one for a thousand parts

    def scene(self, record: GfxObj | Setup | EnvCell) -> trimesh.Scene:
        """One node a part, named by its id: a Setup's in its resting pose, a cell's in the cell's own space.

        Raises UserError where there is nothing to see.
        """
        scene = trimesh.Scene()
        scene.graph.update(frame_from=scene.graph.base_frame, frame_to="z-up", matrix=Y_UP)
        match record:
            case GfxObj():
                self._add_gfx_obj(scene, record, hex_id(record.id), np.eye(4))
            case Setup():
                self._add_setup(scene, record)
            case EnvCell():
                self._add_cell(scene, record)
        if not scene.geometry:
            raise UserError(f"object {hex_id(record.id)}: it has no polygon that is drawn")
        return scene

    def _add_setup(self, scene: trimesh.Scene, setup: Setup) -> None:
        frames, scales = setup.resting_frames(), setup.scales or ()
        for index, part in enumerate(self._under_way.through("its parts", setup.parts)):
            record = self._source.gfx_obj(part) if part else None
            if record is None:
                self._report(f"part {index}: there is no GfxObj {hex_id(part)}")
                continue
            frame = checked_frame(frames[index], f"part {index}: its placement frame", self._report)
            if frame is None:
                continue
            scale = scales[index] if index < len(scales) else PLAIN_SCALE
            fault = place_fault(scale)
            if fault is not None:
                self._report(f"part {index}: its scale {fault}; taken as 1")
                scale = PLAIN_SCALE
            self._add_gfx_obj(scene, record, f"part {index}: {hex_id(part)}", _matrix(frame, scale))

    def _add_gfx_obj(self, scene: trimesh.Scene, record: GfxObj, name: str, placed: Matrix) -> None:
        made = self._made.get(record.id)
        if made is None:
            polygons = drawn_polygons(record)
            made = self._made[record.id] = self._meshes(record.vertex_array, polygons, record.surfaces)
        self._add(scene, made, name, placed)

    def _add_cell(self, scene: trimesh.Scene, cell: EnvCell) -> None:
        environment = self._source.environment(cell.environment_id)
        structure = None if environment is None else environment.cell(cell.structure)
        if structure is None:
            named = f"structure {cell.structure} of Environment {hex_id(cell.environment_id)}"
            raise UserError(f"object {hex_id(cell.id)}: there is no {named}")
        walls = [polygon for polygon in structure.polygons if polygon.key not in structure.portals]
        name = hex_id(cell.id)
        made = self._meshes(structure.vertex_array, walls, cell.surface_ids, only_textured=True)
        self._add(scene, made, name, np.eye(4))

    def _add(self, scene: trimesh.Scene, made: _Made, name: str, placed: Matrix) -> None:
        if made.damage:
            self._report(f"{name}: {made.damage}")
        for number, (surface, mesh) in enumerate(made.meshes):
            part = f"{name}, surface {hex_id(surface)}"
            if number == len(made.names):
                made.names.append(part)
                scene.add_geometry(mesh, part, part, "z-up", placed)
            else:
                scene.graph.update(part, "z-up", matrix=placed, geometry=made.names[number])

    def _meshes(
        self,
        vertices: VertexArray,
        polygons: Sequence[Polygon],
        surfaces: tuple[int, ...],
        *,
        only_textured: bool = False,
    ) -> _Made:
        """One mesh a surface; cells show textured polygons only, as the renderer does."""
        meshes: list[tuple[int, trimesh.Trimesh]] = []
        materials = [self._material(surface) for surface in self._under_way.through("its surfaces", surfaces)]
        shown = [textured or not only_textured for _, textured in materials]
        corners: dict[int, list[tuple[Vec3, Vec3, tuple[float, float]]]] = {}
        for side in sides_of(vertices, polygons, len(materials), shown.__getitem__):
            corners.setdefault(surfaces[side.slot], []).extend(side.triangles())  # more slots can have one
        for surface, rows in corners.items():
            numbers = {corner: number for number, corner in enumerate(dict.fromkeys(rows))}
            positions, normals, uvs = (np.array(column, np.float64) for column in zip(*numbers, strict=True))
            uvs[:, 1] = 1.0 - uvs[:, 1]  # the library's v grows upwards, and it turns it again
            mesh = trimesh.Trimesh(
                positions,
                np.array([numbers[corner] for corner in rows]).reshape(-1, 3),
                vertex_normals=normals,
                visual=TextureVisuals(uv=uvs, material=self._material(surface)[0]),
                process=False,
            )
            meshes.append((surface, mesh))
        return _Made(damage=_damage(vertices, polygons), meshes=meshes, names=[])

    def _material(self, surface_id: int) -> tuple[PBRMaterial, bool]:
        if surface_id not in self._materials:
            try:
                self._materials[surface_id] = self._read_material(surface_id)
            except (DatError, MissingImageError) as error:
                self._report(f"surface {hex_id(surface_id)}: {error}")
                marked = _matte(f"{hex_id(surface_id)}, missing", self._images.marker)
                self._materials[surface_id] = marked, True
        return self._materials[surface_id]

    def _read_material(self, surface_id: int) -> tuple[PBRMaterial, bool]:
        surface = self._source.surface(surface_id)
        if surface is None:
            raise MissingImageError("it is not there")
        flags = surface.drawn_type
        how, name = render_class(flags), hex_id(surface_id)
        mode = ALPHA_MODES.get(how, "BLEND")
        fault = number_fault(surface.translucency)
        if fault is not None and flags & TRANSLUCENT:
            self._report(f"surface {name}: its translucency {fault}; taken as 0")
        alpha = round(255 * opacity(flags, surface.translucency))
        if not is_textured(flags):
            color = surface.color or 0
            red, green, blue = color >> 16 & 0xFF, color >> 8 & 0xFF, color & 0xFF
            return _matte(name, None, [red, green, blue, alpha], mode), False
        return _matte(name, self._images.of(surface), [255, 255, 255, alpha], mode), True


def gltf_bytes(scene: trimesh.Scene, *, binary: bool) -> bytes:
    """A scene as one file: GLB, or JSON with everything in it."""
    if binary:
        return bytes(export_glb(scene, include_normals=True, tree_postprocessor=_name_meshes))
    files = export_gltf(
        scene, include_normals=True, merge_buffers=True, embed_buffers=True, tree_postprocessor=_name_meshes
    )
    return bytes(files["model.gltf"])


def _name_meshes(tree: dict[str, Any]) -> None:
    """Give each node a mesh of its own name: those that show the same share what is in it, not the mesh."""
    meshes: list[dict[str, Any]] = []
    for node in tree["nodes"]:
        if "mesh" in node:
            meshes.append({**tree["meshes"][node["mesh"]], "name": node["name"]})
            node["mesh"] = len(meshes) - 1
    tree["meshes"] = meshes


def _matte(
    name: str, image: _Packed | None, color: Sequence[int] = (255, 255, 255, 255), mode: str = "OPAQUE"
) -> PBRMaterial:
    return PBRMaterial(
        name=name,
        baseColorTexture=image,
        baseColorFactor=list(color),
        metallicFactor=0.0,
        roughnessFactor=1.0,
        alphaMode=mode,
        alphaCutoff=0.5 if mode == "MASK" else None,
    )


def _damage(vertices: VertexArray, polygons: Sequence[Polygon]) -> str:
    """What of the vertices of these polygons can't be shown as it is, and what is shown; empty if nothing."""
    used = {key for polygon in polygons for key in polygon.vertex_ids}
    found = [vertex for vertex in vertices.vertices if vertex.key in used]
    nowhere = {vertex.key for vertex in found if place_fault(vertex.pos) is not None}
    lost = sum(not nowhere.isdisjoint(polygon.vertex_ids) for polygon in polygons)
    # Without any normal a vertex may well be: the renderer, too, takes the face's.
    bent = sum(v.normal != (0.0, 0.0, 0.0) and direction_fault(v.normal) is not None for v in found)
    torn = sum(any(number_fault(u + v) is not None for u, v in vertex.uvs) for vertex in found)
    words = [
        (len(nowhere), f"at no place, left out with {_counted(lost, 'polygon', 'polygons')}"),
        (bent, "with a normal that is none: the face's is taken"),
        (torn, "with texture coordinates that are none: 0 is taken"),
    ]
    return "; ".join(f"{_counted(count, 'vertex', 'vertices')} {text}" for count, text in words if count)


def _counted(count: int, one: str, more: str) -> str:
    return f"{count} {one if count == 1 else more}"


def _matrix(frame: Frame, scale: Vec3) -> Matrix:
    out = np.eye(4)
    out[:3, :3] = np.array(frame.rot).reshape(3, 3) * np.array(scale)
    out[:3, 3] = frame.origin
    return out
