"""Debug drawing over the finished scene, and views of what a frame left behind."""
