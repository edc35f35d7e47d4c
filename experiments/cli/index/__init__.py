"""Commands about the index of a source tree."""
