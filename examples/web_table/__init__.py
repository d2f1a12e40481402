"""
A web table: people and bots play any game of the library in browsers.

``python -m examples.web_table`` starts it; README.md says how it is built.
"""
