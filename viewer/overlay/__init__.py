"""Panels over the picture (Dear ImGui): they show the frame report and own no state of their own."""
