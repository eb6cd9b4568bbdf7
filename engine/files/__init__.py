"""Files as such: how they are read, bounded, and how they are written, whole or not at all."""
