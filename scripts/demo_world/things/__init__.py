"""Models of the demo world: furniture, plants, doors, what burns and what moves."""
