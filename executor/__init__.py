"""Whether a candidate passes the repository's own tests.

Takes in a task, a candidate's text for its function, and the repository's warm image; hands out what each step did
(`values.TestRun`) and the verdict that follows from it (`values.Verdict`). What it needs for that it makes itself:
data sets become tasks, recipes and sources become images, and a sandbox keeps the candidate away from the machine.

Floors, each importing only those below it: `workers`; `manifest`; `candidate`; `confine`; `tasks`; `repository`;
`grading`; `published`; `sandbox`; `function`; `values`, `cache`, `threads`.
"""

import logging

# As a library Graft prints nothing: the program that uses it decides what happens to its log.
logging.getLogger(__name__).addHandler(logging.NullHandler())
