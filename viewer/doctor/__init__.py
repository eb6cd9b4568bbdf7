"""What this machine offers for the program, what is missing, and how to get it."""
