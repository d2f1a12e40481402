"""
Games: states, actions, events, the engine, views.
"""
