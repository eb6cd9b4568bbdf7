"""Why a cell is seen, or is not: the traversal's own account, chain by chain and opening by opening."""
