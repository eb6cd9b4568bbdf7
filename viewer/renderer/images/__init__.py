"""Images on the GPU: from records to layers of pages, and how they are drawn."""
