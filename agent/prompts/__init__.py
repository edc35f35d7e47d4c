"""Prompt sets: folders of templates, loaded by name or by path."""

from agent.prompts.sets import PromptSet, Tools, load_prompts

__all__ = ["PromptSet", "Tools", "load_prompts"]
