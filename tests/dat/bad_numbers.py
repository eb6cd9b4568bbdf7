"""Numbers that no record may hold, planted in every place of a value."""

import math

BAD = (math.nan, math.inf, -math.inf, 1e30, -1e30)


def planted(value, number):
    """Every copy of a value in which one of its floats is another number, with where that is."""
    if type(value) is float:
        yield "", number
    elif isinstance(value, tuple):
        for index, member in enumerate(value):
            for where, changed in planted(member, number):
                rest = (*value[:index], changed, *value[index + 1 :])
                if hasattr(value, "_fields"):
                    yield f".{value._fields[index]}{where}", type(value)(*rest)
                else:
                    yield f"[{index}]{where}", rest
