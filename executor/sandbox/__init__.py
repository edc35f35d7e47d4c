"""The sandboxes that candidates run in, behind one contract.

Takes in an image's key and commands with their limits; hands out what each command printed, how it ended and what it
cost. Whatever a command did, the next session starts from the image.

Floors, each importing only those below it: `choose` (by name, or the best there is); `scheduled` (commands that wait
for their turn), `process`, `bwrap`, `docker` (the three implementations); `scheduler` (when a command may begin),
`base` (the root file system below an image), `bounded_process`, `reaper`; `capacity` (cores and memory), `cgroup`,
`store` (images as folders); `tree_files`; `contract`.
"""
