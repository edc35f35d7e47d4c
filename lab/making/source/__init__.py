"""Where a benchmark's source comes from: its tree, its licence, what Debian says of it, when a body changed.

Floors, each importing only those above it in this list: debian; origin; history.
"""
