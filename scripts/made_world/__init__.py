"""Worlds of any size made of the demo's parts: land with towns, and dungeons to the west of it."""
