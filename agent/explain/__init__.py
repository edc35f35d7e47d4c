"""Compiler diagnostics become the declarations that explain them."""
