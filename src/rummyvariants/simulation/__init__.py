"""
Any number of games between bots, and their results.
"""

from __future__ import annotations
