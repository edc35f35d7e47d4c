"""What the signals read of a whole repository, made once per index as arrays.

Floors: build; outside, source; arrays; vocabulary; lists.
"""
