"""Long work in pieces: shared by processes, in order whatever their number, to be taken up again."""
