"""One table each of options, modes and keys, from which help, docs and panels are made."""
