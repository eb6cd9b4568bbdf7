"""A walk through a world: the look out of a body, time, places one has been at, what the cross-hair is on."""
