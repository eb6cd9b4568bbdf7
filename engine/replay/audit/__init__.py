"""Looking over a cell graph for what breaks membership or visibility (promises 8)."""
