"""In: a draft and the compiler's messages on it. Out: the declarations of the repository that explain them.

Floors: `declarations`; `roles` (what an unknown name is used for, and
which symbols fit there); `feedback` (which messages matter), `redaction` (messages without the text of what is
hidden), `queries` (what a message asks for), `view_names` (where it is looked up); `name_similarity`.
"""
