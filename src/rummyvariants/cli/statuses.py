"""
The exit statuses of commands.
"""

import signal

from typing import Final


INTERRUPTED: Final = 128 + signal.SIGINT
"""The exit status of a command that was interrupted from the keyboard."""
FAILED: Final = 1
"""The exit status of a command that did its work and found a fault."""
WRONG: Final = 2
"""The exit status of a command that was asked for what cannot be."""
