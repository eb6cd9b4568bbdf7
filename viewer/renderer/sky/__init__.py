"""The sky and what hangs in it."""
