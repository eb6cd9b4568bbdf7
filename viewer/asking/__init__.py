"""What a panel or a command asks of the world: each keeps what was asked and the answer, or the reason."""
