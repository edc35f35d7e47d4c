"""The function is found in the text of a response, by reading C and C++."""
