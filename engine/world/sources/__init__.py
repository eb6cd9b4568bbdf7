"""Where a world comes from: dats, dumps, scene files, spawn lists."""
