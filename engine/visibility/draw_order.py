"""The visited cells of a flood from near to far (visibility 2.17)."""

from __future__ import annotations

from heapq import heapify, heappop, heappush


def near_to_far(dist: list[float], leads_to: list[tuple[int, ...]]) -> list[int]:
    """A topological order of the portals passed; what it leaves open goes by distance.

    Cells are told by their places in the order of the visits, which begins with the root. ``dist`` holds
    their keys, ``leads_to`` the cells that each one's portals were passed into.
    """
    count = len(dist)
    waiting = [0] * count
    for i in range(count):
        for k in leads_to[i]:
            if k not in (0, i):
                waiting[k] += 1
    ready = [(dist[i], i) for i in range(count) if waiting[i] == 0]
    heapify(ready)
    out: list[int] = []
    done = [False] * count
    while len(out) < count:
        if ready:
            i = heappop(ready)[1]
        else:  # a cycle: the nearest of those left
            i = min([(dist[k], k) for k in range(count) if not done[k]])[1]
        if done[i]:
            continue
        done[i] = True
        out.append(i)
        for k in leads_to[i]:
            if k not in (0, i):
                waiting[k] -= 1
                if waiting[k] == 0 and not done[k]:
                    heappush(ready, (dist[k], k))
    return out
