"""JSON schemas of the formats, made from the code that reads or writes them."""
