"""A recipe, its source, and the warm image that is built from them."""
