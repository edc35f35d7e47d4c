"""Graft: can this model write this function inside this real, two-million-line C++ repository?"""

from __future__ import annotations

from graft._internals import claim_names

claim_names()

__version__ = "0.1.0"
