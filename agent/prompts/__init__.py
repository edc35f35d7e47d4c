"""Prompt sets: folders of templates, loaded by name or by path."""

from agent.prompts.sets import PromptSet, ToolIntroduction, load_prompts

__all__ = ["PromptSet", "ToolIntroduction", "load_prompts"]
