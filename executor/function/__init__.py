"""One function's text in its file: where it stands, how it is replaced, its stubs and mutants."""
