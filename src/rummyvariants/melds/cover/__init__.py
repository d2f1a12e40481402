"""
The best use of some cards in melds, whatever "best" counts.

A question is put as prices (what the use of each card is worth), melds on the table to
which cards may be added, and needs (melds that there must be). The best runs of a suit
are remembered by its cards and by the number of wilds in them; what goes into the sets
of a rank is chosen by branch and bound, the most promising rank first; wilds are only
counted, and are handed out at the end.
"""
