"""One transition: its state, and the rules of the sweep over it."""
