"""Landblocks made from records: cells, buildings, models, scenery, and when they come and go."""
