"""The steps of a conversation: what is added to its history at each answer.

Floors: `repairing` (without tools), `tooling` (with tools), `proposing` (a changed make.yaml); `trail`, the history
that they add to, and `results`, what tools answered.
"""
