"""Captures, replays, scripted simulation and the acceptance scenarios."""
