"""The visited cells of a flood from near to far (visibility 2.17)."""

from __future__ import annotations

import heapq


def near_to_far(
    order: tuple[int, ...], dist: list[float], edges: set[tuple[int, int]], root: int
) -> list[int]:
    """A topological order of the portals passed; what it leaves open goes by distance.

    ``order`` are the cells as they were visited, ``dist`` their keys in step with it, ``edges`` the pairs
    (from, to) of cells that portals were passed between.
    """
    rank = {c: i for i, c in enumerate(order)}
    waiting = [0] * len(order)
    after: list[list[int]] = [[] for _ in order]
    for a, b in edges:
        if b not in (root, a):
            i, k = rank.get(a, -1), rank.get(b, -1)
            if i >= 0 and k >= 0:
                waiting[k] += 1
                after[i].append(k)
    ready = [(dist[i], i) for i in range(len(order)) if waiting[i] == 0]
    heapq.heapify(ready)
    out: list[int] = []
    done = [False] * len(order)
    while len(out) < len(order):
        if ready:
            i = heapq.heappop(ready)[1]
        else:  # a cycle: the nearest of those left
            i = min([(dist[k], k) for k in range(len(order)) if not done[k]])[1]
        if done[i]:
            continue
        done[i] = True
        out.append(order[i])
        for k in after[i]:
            waiting[k] -= 1
            if waiting[k] == 0 and not done[k]:
                heapq.heappush(ready, (dist[k], k))
    return out
