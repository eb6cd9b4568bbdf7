"""The Holtwalk engine: data, world, collision, physics and visibility, without any window or GL library."""
