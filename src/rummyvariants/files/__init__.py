"""
Games, positions and scenarios as files.
"""
