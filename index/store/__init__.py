"""The index on disk: the SQLite database, macros, and arrays derived from it."""
