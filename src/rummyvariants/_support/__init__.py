"""
Helpers for other modules: English, TOML, limits of documents, data files.
"""
