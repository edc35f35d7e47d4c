"""The steps of a conversation: what is added to its history at each answer.

Floors: `repairing` (without tools), `tooling` (with tools); `trail`, the history that both add to.
"""
