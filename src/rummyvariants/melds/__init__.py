"""
Melds: as they lie, as they are read, and as a hand allows them.
"""
