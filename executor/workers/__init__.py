"""Where the work of a run is done: in threads on this machine, or on the nodes of a Ray cluster.

Takes in a function, the image or the source tree that it works on, and how much it needs of a machine; hands out what
the function returned, with its files in the caller's folder, wherever it was done.

Floors, each importing only those below it: `cluster` (what the nodes have and lack); `ray_workers`, `local` (the two
implementations); `ledger` (what the head knows of the nodes), `throughput` (what the nodes have done); `node` (what
runs on a node); `candidate_work` (the work itself: a text is built and tested), `speed` (how fast the machine is);
`placement` (which node gets which work); `contract`, `identity` (which Graft and which image a machine has).
"""
