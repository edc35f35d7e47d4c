"""A C/C++ tree -> symbols, call names and a lexical index; it can hide a target function everywhere."""
