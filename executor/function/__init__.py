"""The text of one function: its parts, its replacement in a file, and its stubs and mutants."""
