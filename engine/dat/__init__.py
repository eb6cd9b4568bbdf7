"""Reading and writing the client's dat files: the container and one codec module per object type."""
