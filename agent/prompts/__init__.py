"""In: a set's name, a target and a context. Out: the messages that are sent, rendered from the set's templates.

Floors: `prompt_set`; `sections`, a context's headed parts.
"""

from agent.prompts.prompt_set import PromptSet, ToolIntroduction, load_prompts

__all__ = ["PromptSet", "ToolIntroduction", "load_prompts"]
