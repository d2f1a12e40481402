"""
Files that one writer at a time may hold.
"""

from __future__ import annotations

import os
import sys

from typing import BinaryIO, Final


if sys.platform == "win32":
    import msvcrt

    _FAR: Final = 2**31 - 2
    """The byte to lock, beyond the end: others cannot even read a locked byte."""

    def lock(file: BinaryIO) -> bool:
        """
        Lock an open file, until it is closed or the process ends.

        Returns:
            Whether nobody else has locked it.
        """
        try:
            file.seek(_FAR)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        except OSError:
            # Some network file systems know no locks; files are written there too.
            return True
        finally:
            file.seek(0, os.SEEK_END)
        return True

else:
    import fcntl

    def lock(file: BinaryIO) -> bool:
        """
        Lock an open file, until it is closed or the process ends.

        Returns:
            Whether nobody else has locked it.
        """
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            # Some network file systems know no locks; files are written there too.
            return True
        return True
