"""What the lab found out and a run reads.

Takes in the files that the lab writes: the health of a repository's tasks, the fates of wrong bodies, the record of a
renamed repository. Hands out which tasks are valid, which suites judge each, how many wrong bodies pass them, and
trees and tasks in a variant's names.

Floors, each importing only those below it: `variant`; `false_passes`, `manifest`; `health`.
"""
