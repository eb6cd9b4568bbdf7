"""What moves: its state, its commit and what collisions do to it."""
