"""A model is asked for a function's body: prompt, tools, compiler feedback, and the candidate in its answer."""
