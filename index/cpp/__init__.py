"""Reading C and C++ text: tokens, comments, declarators, types, macros, conditional branches."""
