"""Scenarios that need pictures, and the stage they run on."""
