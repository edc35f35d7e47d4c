"""What the grammar can't read becomes what it reads, byte for byte at the same place.

headers        declarations: annotations, K&R headers, macros without semicolons
declarations   the declarations of a text, by tokens alone
made_names     names that macros make: `F77(scale)`
spellings      digraphs, trigraphs, names that go on in the next line
"""
