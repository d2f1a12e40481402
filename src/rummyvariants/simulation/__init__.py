"""
Any number of games between bots, and what they show.
"""

from __future__ import annotations
