"""What a pixel shows: the ray through the floods' cells agrees with what the passes have painted."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace

import numpy as np
import pytest

from engine.dat.hex_id import hex_id
from engine.physics.simulation.simulation import Simulation
from engine.visibility.openings import OpeningIndex
from engine.visibility.picture_view import ViewOptions
from engine.world.loading.world import World
from engine.world.sources.open_source import open_source
from tests.places import DEMO
from tests.viewer.demo_places import standing
from viewer.asking.drawn_faces import FaceStore
from viewer.asking.followed import follow
from viewer.asking.pick import Picker, names_in
from viewer.asking.pick_particles import ParticlePicker
from viewer.asking.pick_ray import PixelRay
from viewer.asking.pick_scene import PickScene
from viewer.asking.pick_shapes import is_in_view, pick_shapes
from viewer.main import main
from viewer.picture.look import Look
from viewer.picture.offscreen import OffscreenRenderer
from viewer.picture.picture_to_draw import PictureToDraw
from viewer.picture.still import StillRequest, make_ready
from viewer.renderer.gl.pixel_watch import Painted
from viewer.renderer.passes.paints import cell_color
from viewer.renderer.scene.matrices import EyeSpace
from viewer.renderer.scene.meshes import sides_of
from viewer.report.picked import PickAnswer, PickKind
from viewer.tables.modes import with_modes

SIZE = (320, 180)
DOOR = 0x7A9B4015
ROOM = "0xA9B40171 [155.4 12.6 94] 1 0 0 0"
STREET = "0xA9B40031 [155.4 19.0 94.0] 0 0 0 1"
INN = "0xA9B40164"


def seen_from(
    place: str,
    yaw: float,
    *,
    pitch: float = 0.0,
    use: int = 0,
    modes: tuple[str, ...] = (),
    third_person: bool = False,
    day_group: int | None = None,
) -> tuple[Simulation, PictureToDraw]:
    simulation = standing(place)
    if use:
        simulation.use(use)
        simulation.wait(2.0)
    look = Look(yaw=yaw, pitch=pitch, third_person=third_person, size=SIZE, options=ViewOptions(logged=True))
    request = StillRequest(look=look, radius=1, objects=1, modes=modes, day_group=day_group)
    seen = make_ready(simulation, request).seen
    return simulation, seen._replace(options=seen.options._replace(caption=""))


def pick(simulation: Simulation, seen: PictureToDraw, pixel: tuple[int, int]) -> PickAnswer:
    picker = Picker(simulation.world, OpeningIndex())
    return picker.pick(seen.picture, seen.objects, {}, pixel, particles=seen.options.particles)


@pytest.mark.gl
@pytest.mark.parametrize(
    ("place", "yaw", "pitch", "use"),
    [(ROOM, 0, 0, 0), (ROOM, 0, 0, DOOR), (ROOM, 150, -20, 0), (STREET, 180, 0, DOOR), (INN, 40, 0, 0)],
)
def test_the_cell_of_a_pixel_is_the_one_that_painted_it_and_its_distance_the_depth(
    place: str, yaw: float, pitch: float, use: int
) -> None:
    simulation, seen = seen_from(place, yaw, pitch=pitch, use=use, modes=("cell-ids", "no-particles"))
    with OffscreenRenderer(simulation, SIZE) as screen:
        screen.renderer.draw(seen.picture, seen.objects, seen.options._replace(shapes=frozenset()))
        colors, depths = screen.renderer.read_rgba(), screen.renderer.target.read_depth()
    eye = EyeSpace(seen.picture.view, seen.picture.root)
    numbers = random.Random(1)
    off = []
    picker = Picker(simulation.world, OpeningIndex())
    for _ in range(200):
        x, y = numbers.randrange(SIZE[0]), numbers.randrange(SIZE[1])
        answer = picker.pick(seen.picture, seen.objects, {}, (x, y))
        facet = answer.facet
        painted = (0.0, 0.0, 0.0)
        if facet is not None and facet.drawn_with:
            painted = cell_color(facet.drawn_with)
        same = np.abs(np.array(painted) * 255.0 - colors[y, x, :3]).max() <= 1.0
        depth = 2.0 * float(depths[y, x]) - 1.0
        metres = 2.0 * eye.near * eye.far / (eye.far + eye.near - depth * (eye.far - eye.near))
        if facet is not None and facet.drawn_with:  # in an exit the depth is the seal's
            assert answer.place is not None
            ahead = seen.picture.view.project(answer.place)[2]
            same = same and abs(ahead - metres) < 0.01 * max(1.0, metres)
        if not same:
            off.append((x, y, answer.verdict))
    assert len(off) <= 4, off  # edges, and leaves whose image is drawn smaller


@pytest.mark.gl
def test_what_stands_behind_a_wall_or_a_closed_door_is_not_picked_and_through_an_open_one_it_is() -> None:
    simulation, seen = seen_from(ROOM, 0)
    answer = pick(simulation, seen, (SIZE[0] // 2, SIZE[1] // 2))
    assert answer.facet is not None and answer.facet.owner == DOOR
    assert answer.facet.kind is PickKind.ENTITY
    assert answer.facet.setup == 0x020019FF and answer.facet.gfxobj == 0x010044B6
    assert answer.solid is not None and not answer.solid.walkable and abs(answer.solid.off) < 0.1
    assert answer.through == ("0xA9B40171/0 to 0xA9B40170",)
    simulation, seen = seen_from(ROOM, 0, use=DOOR)
    answer = pick(simulation, seen, (SIZE[0] // 2, 150))
    assert answer.facet is not None and answer.facet.kind is PickKind.TERRAIN
    assert answer.facet.cell == 0xA9B40031
    assert answer.solid is not None and answer.solid.walkable
    assert answer.through == ("0xA9B40171/0 to 0xA9B40170", "0xA9B40170/0 to the outdoors")


@pytest.mark.gl
def test_a_house_that_one_looks_into_shows_its_room_through_the_opening() -> None:
    simulation, seen = seen_from(STREET, 180, use=DOOR)
    answer = pick(simulation, seen, (SIZE[0] // 2, SIZE[1] // 2 + 10))
    assert answer.facet is not None
    assert answer.facet.drawn_with in (0xA9B40170, 0xA9B40171)
    assert answer.through[0] == "building 0 of 0xA9B40000, portal 0 to 0xA9B40170"


@pytest.mark.gl
def test_the_history_of_a_pixel_ends_in_its_colour_and_names_the_passes_in_order() -> None:
    simulation, seen = seen_from(ROOM, 0, modes=("no-particles",))
    pixel = (SIZE[0] // 2 + 20, SIZE[1] // 2)
    with OffscreenRenderer(simulation, SIZE) as screen:
        history = screen.renderer.pixel_history(seen.picture, seen.objects, seen.options, pixel)
        screen.renderer.draw(seen.picture, seen.objects, seen.options)
        left = tuple(int(c) for c in screen.renderer.read_rgba()[pixel[1], pixel[0], :3])
        assert screen.renderer.pixel_history(seen.picture, seen.objects, seen.options, pixel) == history
    colored = [painted for painted in history if painted.colored]
    assert colored[-1].color == left
    assert (colored[-1].pass_name, colored[-1].what) == ("P11", f"entity 0x{DOOR:08X} in 0xA9B40170")
    names = [painted.pass_name for painted in history]
    for earlier, later in (("P0", "P1"), ("P1", "P2"), ("P2", "P8"), ("P8", "P9"), ("P9", "P11")):
        assert names.index(earlier) < names.index(later)
    numbers = [painted.number for painted in history]
    assert numbers == sorted(numbers)


@pytest.mark.gl
@pytest.mark.parametrize(("place", "yaw", "pitch"), [(ROOM, 90, -30), (STREET, 140, -5)])
def test_the_history_names_the_thing_of_a_cell_or_landblock_that_a_pixel_shows(
    place: str, yaw: float, pitch: float
) -> None:
    simulation, seen = seen_from(place, yaw, pitch=pitch, modes=("no-particles",))
    picker, names, numbers = Picker(simulation.world, OpeningIndex()), names_in(simulation), random.Random(5)
    things = []
    with OffscreenRenderer(simulation, SIZE) as screen:
        for pixel in [(SIZE[0] // 2, SIZE[1] // 2), *((numbers.randrange(320), 90) for _ in range(4))]:
            history = screen.renderer.pixel_history(seen.picture, seen.objects, seen.options, pixel)
            answer = picker.pick(seen.picture, seen.objects, names, pixel).with_history(history)
            told = picker.told(seen.picture, seen.objects, names, answer)
            last = [p for p in told.history if p.colored and not p.what.startswith("translucent")][-1]
            assert told.facet is not None
            assert (last.thing, last.owner) == (told.facet.words, told.facet.owner)
            assert f": {last.thing}, #" in last.words
            things.append(last.thing.split(" 0x")[0])
    assert set(things) & {"object", "building 0 of"}


@pytest.mark.gl
def test_pick_prints_its_answer_as_words_and_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["pick", "--demo", "--at", ROOM, "--size", "320x180", "--radius", "1", "--objects", "1"]
    assert main([*asked, "--pixel", "160,90", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["facet"]["owner"] == f"0x{DOOR:08X}"
    assert document["facet"]["surface"] == "0x08000112"
    assert document["physics"]["walkable"] is False
    assert document["through"] == ["0xA9B40171/0 to 0xA9B40170"]
    assert document["history"][-1]["pass"].startswith("P1")
    assert main([*asked, "--no-history"]) == 0
    assert capsys.readouterr().out.startswith(f"door 0x{DOOR:08X}, part ")
    assert main([*asked, "--pixel", "320,90"]) == 2
    assert "--pixel: 320,90 lies outside the picture of 320x180 pixels" in capsys.readouterr().err


@pytest.mark.gl
def test_ones_own_figure_is_called_so_and_its_parts_told() -> None:
    simulation, seen = seen_from(ROOM, 0, pitch=-15, third_person=True)
    picker, names = Picker(simulation.world, OpeningIndex()), names_in(simulation)
    column = [picker.pick(seen.picture, seen.objects, names, (SIZE[0] // 2, y)) for y in range(0, SIZE[1], 6)]
    own = [a for a in column if a.facet is not None and a.facet.owner == simulation.body.id]
    assert len(own) >= 4
    for answer in own:
        assert answer.facet is not None and answer.facet.kind is PickKind.ENTITY
        assert answer.verdict.startswith(
            f"your own figure 0x{simulation.body.id:08X}, part {answer.facet.part} (0x"
        )


def painted_by(
    simulation: Simulation, seen: PictureToDraw, without: str
) -> tuple[tuple[int, int], tuple[Painted, ...]]:
    """The pixel that changes the most where a mode leaves something out, and the draws that painted it."""
    drawn = with_modes(seen.options, (without,))
    with OffscreenRenderer(simulation, SIZE) as screen:
        pictures = []
        for options in (seen.options, drawn):
            screen.renderer.draw(seen.picture, seen.objects, options)
            pictures.append(screen.renderer.read_rgba()[..., :3].astype(int))
        change = np.abs(pictures[0] - pictures[1]).sum(axis=2)
        y, x = np.unravel_index(int(change.argmax()), change.shape)
        assert change[y, x] > 20
        pixel = (int(x), int(y))
        return pixel, screen.renderer.pixel_history(seen.picture, seen.objects, seen.options, pixel)


@pytest.mark.gl
@pytest.mark.parametrize(("yaw", "pitch", "behind"), [(270, 0, "building 2 of "), (180, 40, "the pixel ")])
def test_particles_are_told_before_what_is_picked_behind_them(yaw: float, pitch: float, behind: str) -> None:
    simulation, seen = seen_from(STREET, yaw, pitch=pitch)
    pixel, history = painted_by(simulation, seen, "no-particles")
    answer = pick(simulation, seen, pixel)
    assert answer.verdict.startswith(behind)
    assert "particles" not in answer.verdict
    told = answer.with_history(history)
    assert told.verdict == f"{answer.verdict}, under particles that fly before it"


@pytest.mark.gl
def test_rain_is_told_before_the_ground_that_it_falls_before_and_not_of_who_stands_before_it() -> None:
    simulation, seen = seen_from(STREET, 250, pitch=-10, day_group=2, modes=("no-particles",))
    pixel, history = painted_by(simulation, seen, "no-weather")
    answer = pick(simulation, seen, pixel)
    assert answer.facet is not None
    assert (
        answer.with_history(history).headline == f"{answer.headline}, under weather that is drawn before it"
    )
    last = history[-1]._replace(what="entity 0x50000001", colored=True)
    assert answer.with_history((*history, last)).headline == answer.headline


def painted_as_told(
    simulation: Simulation, seen: PictureToDraw, answer: PickAnswer, history: tuple[Painted, ...]
) -> list[Painted]:
    """The draws of particles that changed a picked pixel, with what is told of them."""
    picker = Picker(simulation.world, OpeningIndex())
    told = picker.told(seen.picture, seen.objects, {}, answer.with_history(history))
    return [draw for draw in told.history if draw.what.startswith("translucent: particles")]


FLAMES = "0xA9B40101 [128.484894 38.642776 94]"
INN_FIRE, COTTAGE_FIRE, CHIMNEY = 0x4A9B5056, 0x4A9B50A6, 0x4A9B5000


@pytest.mark.gl
@pytest.mark.parametrize(
    ("place", "yaw", "borne"),
    [
        (FLAMES, 150, (0x32000100, INN_FIRE, 0xA9B40101, 0x33000100)),
        (ROOM, 90, (0x32000101, COTTAGE_FIRE, 0xA9B40171, 0x33000100)),
        (STREET, 270, (0x32000105, CHIMNEY, 0xA9B4002A, 0x33000103)),
    ],
)
def test_a_particle_names_its_emitter_what_bears_it_script_texture_and_cell(
    place: str, yaw: float, borne: tuple[int, int, int, int]
) -> None:
    emitter, owner, _, script = borne
    simulation, seen = seen_from(place, yaw)
    pixel, history = painted_by(simulation, seen, "no-particles")
    answer = pick(simulation, seen, pixel)
    at = (2.0 * (pixel[0] + 0.5) / SIZE[0] - 1.0, 1.0 - 2.0 * (pixel[1] + 0.5) / SIZE[1])
    store = FaceStore(simulation.world)
    scene = PickScene(simulation.world, store, seen.objects, {})
    ray = PixelRay(simulation.world, seen.picture, scene, store, at=at)
    nearest = answer.flying[0].distance
    before_it = ParticlePicker(simulation.world, store, {}).pick(ray, seen.objects, nearest - 0.01)
    assert emitter not in [flake.emitter for flake in before_it]  # what is solid there would hide it
    without = seen._replace(options=seen.options._replace(particles=False))
    assert pick(simulation, without, pixel) == replace(answer, flying=())
    first = answer.flying[0]
    assert (first.emitter, first.owner, first.cell, first.script) == borne
    assert (first.kind, first.part) == (PickKind.OBJECT, -1)
    assert answer.facet is not None and 0.0 < first.distance <= answer.facet.distance
    eye = seen.picture.view.eye
    reach = max(math.dist(a, b) for a in first.corners for b in first.corners)
    assert all(abs(math.dist(eye, corner) - first.distance) <= reach for corner in first.corners)
    assert math.dist(eye, first.place) == pytest.approx(first.distance)
    assert answer.spot is not None  # not what is solid behind it
    assert (answer.spot.cell, answer.spot.place) == (first.cell, first.place)
    assert answer.spot.words == f"at the {first.title}, {first.distance:.2f} m away"
    behind = replace(answer, flying=()).spot
    assert behind is not None and behind.place == answer.place
    assert behind.words.startswith(f"at {answer.facet.title}, {answer.facet.distance:.2f} m away")
    assert is_in_view(answer, seen.picture)
    shapes = pick_shapes(answer)
    assert [text for _, text, _ in shapes.labels] == [f"emitter {hex_id(emitter)}"]
    assert answer.headline.startswith(f"particle of emitter {hex_id(emitter)} on object {hex_id(owner)}, ")
    rows = {name: record for name, _, record in answer.rows}
    source = simulation.world.source
    record, textures = source.particle_emitter(emitter), source.surface(rows["its surface"])
    assert record is not None and textures is not None
    assert (rows["emitter"], rows["its script"]) == (emitter, script)
    assert rows["its model"] == record.hw_gfxobj
    assert rows["its texture"] == textures.texture
    let_through = replace(answer, before=(answer.facet,), through=("portal 1",))
    assert [(title, len(lines)) for title, lines in let_through.lists][1:] == [
        ("in front of it, let through", 1),
        ("seen through", 1),
    ]
    painted = painted_as_told(simulation, seen, answer, history)
    assert painted and all(f"particle of emitter {hex_id(emitter)}" in draw.thing for draw in painted)
    assert not any("0x" in draw.what for draw in painted)  # where a run begins is no id of anything
    told = answer.to_json()
    assert isinstance(told, dict)
    assert told["particles"][0]["emitter"] == hex_id(emitter)
    assert told["particles"][0]["texture"] == hex_id(rows["its texture"])


@pytest.mark.gl
@pytest.mark.parametrize(("place", "yaw"), [(FLAMES, 150), (STREET, 270)])
def test_particles_are_picked_where_they_paint_and_nowhere_else(place: str, yaw: float) -> None:
    simulation, seen = seen_from(place, yaw)
    drawn = with_modes(seen.options, ("no-particles",))
    with OffscreenRenderer(simulation, SIZE) as screen:
        pictures = []
        for options in (seen.options, drawn):
            screen.renderer.draw(seen.picture, seen.objects, options)
            pictures.append(screen.renderer.read_rgba()[..., :3].astype(int))
    change = np.abs(pictures[0] - pictures[1]).max(axis=2)
    picker, numbers = Picker(simulation.world, OpeningIndex()), np.random.default_rng(1)
    painted = np.nonzero(change > 20)
    around = np.zeros_like(change, bool)
    around[painted[0].min() : painted[0].max() + 1, painted[1].min() : painted[1].max() + 1] = True
    for mask, is_picked in ((change > 20, True), ((change == 0) & around, False)):
        rows, columns = np.nonzero(mask)
        some = numbers.choice(len(rows), 6)
        found = [
            bool(picker.pick(seen.picture, seen.objects, {}, (int(columns[k]), int(rows[k]))).flying)
            for k in some
        ]
        assert found.count(is_picked) >= 5  # at a flame's edge a texel may be another one


@pytest.mark.gl
@pytest.mark.parametrize(("yaw", "shown"), [(90, "the sky and what hangs in it"), (270, "the sky")])
def test_the_sky_and_what_hangs_in_it_are_told_apart(yaw: float, shown: str) -> None:
    simulation, seen = seen_from(STREET, yaw)
    pixel = (160, 20)
    with OffscreenRenderer(simulation, SIZE) as screen:
        history = screen.renderer.pixel_history(seen.picture, seen.objects, seen.options, pixel)
    told = pick(simulation, seen, pixel).with_history(history)
    assert told.verdict == f"the pixel 160,20 shows {shown}"


def test_an_id_leads_to_its_record_and_one_that_is_not_there_says_so() -> None:
    source = standing(ROOM).world.source
    assert any("texture: 0x05000112" in line for line in follow(source, 0x08000112).lines)
    assert any("environment" in line for line in follow(source, 0xA9B40171).lines)
    assert follow(source, 0x08000112).ids == (0x05000112,)
    (line,) = follow(source, 0x08FFFFFF).lines
    assert "0x08FFFFFF" in line


def test_a_face_is_made_of_its_own_vertices(monkeypatch):
    """A model's were gone through for each polygon: 16,000 triangles took a minute and a half."""
    sizes = []

    def noting(array, polygons, *rest):
        sizes.append((len(array.vertices), max(len(polygon.vertex_ids) for polygon in polygons)))
        return sides_of(array, polygons, *rest)

    monkeypatch.setattr("viewer.asking.drawn_faces.sides_of", noting)
    world = World(open_source(demo=DEMO))
    cell = world.load_block(0xA9B40000).env_cells[0xA9B40170]
    assert FaceStore(world).cell(cell).faces
    assert sizes
    assert all(given <= needed for given, needed in sizes)
