"""Which tables of an ACE world's database say where objects stand and what they are like (sources 5)."""

from __future__ import annotations

INSTANCES, WEENIES = "landblock_instance", "weenie"
PROPERTIES = {
    "weenie_properties_d_i_d": "dids",
    "weenie_properties_int": "ints",
    "weenie_properties_bool": "bools",
    "weenie_properties_float": "floats",
}
"""Those with a number for each of a class's properties, and what holds them."""
TABLES = frozenset({INSTANCES, WEENIES, *PROPERTIES})

_KINDS = """
    anim_part attribute attribute_2nd body_part book book_page_data create_list emote emote_action
    event_filter generator i_i_d int64 palette position skill spell_book string texture_map
"""
OTHERS = frozenset(
    {
        "landblock_instance_link",
        *(f"weenie_properties_{kind}" for kind in _KINDS.split()),
        *(f"biota_properties_{kind}" for kind in _KINDS.split()),  # of things that players have
        *(f"biota_{table.removeprefix('weenie_')}" for table in PROPERTIES),
        *(f"config_properties_{kind}" for kind in ("boolean", "double", "long", "string")),
    }
)
"""Tables that are passed over, though their names are much like those of the ones that are read."""
