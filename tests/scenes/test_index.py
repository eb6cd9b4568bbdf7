"""Every known failure has its scene: a test here whose name begins with the symptom."""

import ast
from pathlib import Path

import pytest

TABLE = """
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
SYMPTOMS = TABLE.split()


def scenes() -> list[str]:
    """The names of all tests of this folder."""
    return [
        node.name
        for path in Path(__file__).parent.glob("test_*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
    ]


@pytest.mark.parametrize("symptom", SYMPTOMS)
def test_a_symptom_has_its_scene(symptom):
    assert any(name.startswith(f"test_{symptom}") for name in scenes())
