"""
What other modules lean on: English, TOML, limits of documents, data files.
"""
