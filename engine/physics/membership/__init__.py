"""Which cells the spheres touch and which one holds the centre."""
