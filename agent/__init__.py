"""A model writes a function: prompt, tools, compiler feedback, and the candidate found in its answer.

Imports run down this list of floors:

- `loop`, `drafting`: one conversation; drafts that lead to a better context before it
- `steps`: what happens to a conversation at each answer, with tools and without
- `request`: all that one conversation needs, and the Protocol of an agent
- `explain`: compiler messages -> declarations of the repository
- `tools`: what the model can look up, and how it writes its calls
- `prompts`, `answer`, `model`: messages from templates; the function in a text; providers, retries, limits
- `values`: what is handed from one to the next
"""

import logging

# As a library Graft prints nothing: the program that uses it decides what happens to its log.
logging.getLogger(__name__).addHandler(logging.NullHandler())
