"""A model repairs make.yaml: `graft make --setup-model`.

Floors, each importing only those above it in this list: rounds; repair.
"""
