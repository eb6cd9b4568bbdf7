"""Objects and their shadows in cells, doors, and the motion of parts."""
