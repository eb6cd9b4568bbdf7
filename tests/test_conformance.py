"""Every conformance case of the reference has a test that bears its number; every known fault its scene."""

from __future__ import annotations

import ast

from tests.conformance import GROUPS, PHYSICS, TESTS, missing, numbers_by_test

SYMPTOMS = """
passing_a_closed_door_off_centre_from_inside
standing_in_a_closing_door
door_that_starts_open
door_used_50_times_inside_one_clip
start_of_a_sweep_in_touch_with_the_slab
stuck_on_the_cellar_lip_with_a_stale_sliding_normal
two_coplanar_floors_in_two_cells_crossed_at_eight_angles
head_under_a_lintel_1_3_m_high
eight_stacked_step_objects_run_up_past_every_seam
squeezing_between_a_post_and_a_wall
object_whose_box_spans_several_landcells_and_blocks
part_offset_in_its_setup
scaled_object
step_down_at_the_edge_limit
contact_plane_following_across_a_landblock_border
wedge_between_two_steep_faces_ends
late_or_early_cell_change_at_a_threshold
exit_portal_found_by_polygon_id_not_by_index
teleport_beside_a_wall
slope_at_the_walkable_limit
same_inputs_at_other_frame_rates
"""


def test_every_case_of_the_reference_has_a_test_that_bears_its_number():
    without = [f"{group.pages}: {number}" for group in GROUPS for number in missing(group)]
    assert not without, "no test bears the number of\n" + "\n".join(without)


def test_the_lists_are_the_whole_of_the_reference():
    for group in GROUPS:
        assert len(group.numbers) == len(set(group.numbers))
    assert [len(group.numbers) for group in GROUPS] == [194, 94, 105]


def test_a_number_is_seen_in_a_name_or_a_parameter_set_and_nowhere_else():
    source = (
        "TABLE = {'MN13': 1}\nOTHER = ('OP14',)\n"
        "@pytest.mark.parametrize('name', [('AB12', 1), ('CD3b', 2), ('KL9-12', 2), ('see EF4', 3)])\n"
        "@pytest.mark.parametrize('more', TABLE)\n"
        "def test_GH5_of_a_thing(name, more):\n    'IJ6'\n    print('KL7')\n"
        "def test_of_qr8():\n    pass\n"
    )
    known = frozenset(["AB12", "CD3", "EF4", "GH5", "IJ6", "KL7", "KL9", "MN13", "OP14", "QR8"])
    assert numbers_by_test(source, known) == {
        "test_GH5_of_a_thing": {"AB12", "CD3", "GH5", "KL9", "MN13"},
        "test_of_qr8": {"QR8"},
    }


def test_a_number_that_no_test_bears_is_named():
    without = missing(PHYSICS)
    borne = {n for n in PHYSICS.numbers if n not in without}
    assert borne == set(PHYSICS.numbers)
    other = type(PHYSICS)(pages="", numbers=("SC1", "SC99"), folders=PHYSICS.folders)
    assert missing(other) == ["SC99"]


def test_every_known_fault_has_its_scene():
    """A test of tests/scenes whose name begins with the symptom."""
    scenes = [
        node.name
        for path in (TESTS / "scenes").glob("test_*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
    ]
    without = [s for s in SYMPTOMS.split() if not any(name.startswith(f"test_{s}") for name in scenes)]
    assert not without, "no scene for\n" + "\n".join(without)
