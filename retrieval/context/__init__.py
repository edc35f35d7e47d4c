"""Hits become snippets and are packed into a token budget."""
