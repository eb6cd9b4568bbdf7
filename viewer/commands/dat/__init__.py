"""``holtwalk dat``: what is in the dat files."""
