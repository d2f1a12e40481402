"""The engine: phases and turns. It knows policies, never the name of a variant."""
