"""Ids and coordinates, the runtime cell graph, terrain, models and the sources a world comes from."""
