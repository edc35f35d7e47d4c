"""How well retrievers find what the hidden body calls."""
