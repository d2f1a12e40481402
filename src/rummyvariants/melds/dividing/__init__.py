"""
How cards are best divided into melds and cards left over: one search for all who ask.

Sets are tried rank by rank, runs come from tables by suit. Prices say what the use of a
card is worth, so that the same search serves most points, fewest left and going out.
"""
