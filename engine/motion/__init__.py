"""Motions: tables, sequences of animations, what stands in them and the figure that shows a body."""
