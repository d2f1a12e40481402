"""
What a meld is: the shapes that cards can fill, and how melds on the table grow.

Everything about runs and sets is asked here. A play, a new meld or a lay-off, is a
number (see `_numbers`); which plays a hand allows comes from tables by pattern.
"""
