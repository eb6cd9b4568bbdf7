"""The body, its sweep and commit, movement, integration and the tick."""
