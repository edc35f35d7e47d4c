"""A view of the index without one function's body: holes in texts, and the body's clones elsewhere."""
