"""The `docker` sandbox.

Floors, each importing only those below it: `backend` (sessions and images), `image_maker` (images made from others);
`container` (one container and its reset); `channel` (talks to its first process), `mount_helper` (lays a fresh tree
over it), `engine` (the connection).
"""
