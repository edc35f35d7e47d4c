"""Data sets become tasks.

Takes in the name or path of a data set (YABLoCo, MERA Code, a folder of one's own, one made from places in a source)
and a source tree; hands out `Task`s with the repository's own text as their gold, and what is damaged in the data set.
Also reads answers that were made elsewhere.

Floors, each importing only those below it: `datasets` (the way in); `suite_members`, `row_rebinding`; `made_datasets`,
`mera`, `oracle_items`, `task_folders`, `predictions`; `row_check`, `yabloco`; `task_row`.
"""
