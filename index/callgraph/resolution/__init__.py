"""What one call can mean: names in scope, candidates, overloads, types, macros, pointers."""
