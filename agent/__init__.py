"""In: a target and its context. Out: the function that a model wrote for it, with the whole conversation.

Imports run down this list of floors:

- `loop`, `context_drafts`: one conversation; drafts that lead to a better context before it
- `conversation`: what each answer leads to, with tools and without
- `request`: all that one conversation needs, and the Protocol of an agent
- `explain`: compiler messages -> declarations of the repository
- `tools`: what the model can look up, and how it writes its calls
- `prompts`, `answer`, `model`: messages from templates; the function in a text; providers, retries, limits
- `values`: what is handed from one to the next
"""

import logging

# As a library Graft prints nothing: the program that uses it decides what happens to its log.
logging.getLogger(__name__).addHandler(logging.NullHandler())
