"""What makes and proves benchmarks. The core runs an experiment and never imports it; it reads what was found here by
`executor.manifest`.

Imports run down this list of rooms:

- `cli`: the whole command line: the core's commands and the lab's
- `setup`: a model repairs the file from which a benchmark is made
- `making`: a repository becomes a benchmark: its build, its tests, its functions, its tasks
- `variants`: a repository under other names, made and proved
- `forgeries`: candidates that try to cheat, played against a task
- `retrieval_eval`: how well retrievers find what a body calls
- `differential`: bodies beside the gold, at each call that the tests make
- `wrong`: plausible wrong bodies and further tests, judged
- `doctor`: which tasks are worth a point
"""

import logging

# As a library Graft prints nothing: the program that uses it decides what happens to its log.
logging.getLogger(__name__).addHandler(logging.NullHandler())
