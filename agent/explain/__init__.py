"""Compiler messages become the declarations that explain them.

Floors: `declarations`; `roles` (what a missing name is used for, and what fits there); `feedback` (which messages
matter), `hidden_places` (messages without the text of what is hidden), `queries` (what a message asks for), `names`
and `stdlib` (where it is looked up); `likeness` of two names.
"""
