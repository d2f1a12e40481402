"""
The kinds of action: a class for each, with all that the engine asks about it.
"""
