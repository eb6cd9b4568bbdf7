"""Houses and the dungeon of the demo world: their cells and their outsides."""
