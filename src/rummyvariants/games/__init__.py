"""
The games: a file of values and rules for each, and house rules where these need code.

A file here is a rules file as anybody could write it, with the rules of the game as
numbered facts. A module beside it has its house rules, by the public API alone.
"""
