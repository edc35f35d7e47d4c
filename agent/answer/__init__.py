"""A response's text becomes a candidate: the function is found by reading C and C++."""
