"""
Rulesets: presets, options and values put together, and files of them.
"""
