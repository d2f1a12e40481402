"""
The exit statuses of commands.
"""

import signal

from typing import Final


BY_SIGNAL: Final = 128
"""Added to the number of a signal that ended a command."""
INTERRUPTED: Final = BY_SIGNAL + signal.SIGINT
"""The exit status of a command that was interrupted from the keyboard."""
FAILED: Final = 1
"""The exit status of a command that worked and found a fault."""
WRONG: Final = 2
"""The exit status of a command that could not do what was asked."""
