"""A disk that has no more room after so many bytes."""

import errno
import os


def fill_disk_after(monkeypatch, count):
    """Let the disk be full after so many bytes; a write that fits in part is cut there."""
    write, room = os.write, [count]

    def limited(fd, data):
        os.fstat(fd)  # of a closed one the system says that first
        if not room[0]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        done = write(fd, bytes(data)[: room[0]])
        room[0] -= done
        return done

    monkeypatch.setattr(os, "write", limited)
