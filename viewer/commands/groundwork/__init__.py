"""What commands share: opening worlds, putting a body, looks, outputs and long work."""
