"""Portal traversal: clip regions and PView, pure geometry in and an ordered visible list out."""
