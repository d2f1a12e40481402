"""
The search for the best division of cards into melds and cards left over.

It tries sets rank by rank, and looks runs up in tables by suit. Prices say what using a
card is worth, so one search serves all goals: most points, fewest left, going out.
"""
