"""Rows of a database of spawns."""

INSTANCE_COLUMNS = (
    "`guid`, `weenie_Class_Id`, `obj_Cell_Id`, `origin_X`, `origin_Y`, `origin_Z`, "
    "`angles_W`, `angles_X`, `angles_Y`, `angles_Z`, `is_Link_Child`, `last_Modified`"
)


def instance(guid=0x7A9B4000, class_id=412, cell=0xA9B40170, at=(155.4, 16, 94), *, turn=(0, 0, 0, 1)):
    values = ", ".join(map(str, (guid, class_id, cell, *at, *turn)))
    columns = INSTANCE_COLUMNS.partition(", `is_Link")[0]
    return f"INSERT INTO `landblock_instance` ({columns}) VALUES ({values});\n"


def weenie(class_id, kind, name="thing", **properties):
    text = f"INSERT INTO weenie (class_Id, class_Name, type) VALUES ({class_id}, '{name}', {kind});\n"
    for table, pairs in properties.items():
        rows = ", ".join(f"({class_id}, {key}, {value})" for key, value in pairs.items())
        text += f"INSERT INTO weenie_properties_{table} (object_Id, type, value) VALUES {rows};\n"
    return text
