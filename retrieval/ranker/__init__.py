"""A ranker taught on the repository's other functions orders the candidates."""
