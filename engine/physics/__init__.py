"""The collision sweep, cell membership, shadow objects, bodies, movement and doors."""
