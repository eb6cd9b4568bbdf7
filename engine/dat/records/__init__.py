"""One codec module per object type, each able to read and to write."""
