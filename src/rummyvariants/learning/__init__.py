"""
Games in the form that learning programs need: actions as numbers.
"""
