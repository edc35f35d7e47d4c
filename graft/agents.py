"""What an agent of your own is made of; docs/how-to/extend/own-agent.md shows one.

These names are as stable as graft's."""

from __future__ import annotations

from agent.answer.extraction import extract_function as extract
from agent.loop import run_agent
from agent.model.usage import add_call
from agent.request import Agent, AgentRequest, AgentSettings
from agent.values import Candidate, Message, ModelRequest, ModelResponse, Round, Trajectory
from index.errors import ModelError

__all__ = [
    "Agent",
    "AgentRequest",
    "AgentSettings",
    "Candidate",
    "Message",
    "ModelError",
    "ModelRequest",
    "ModelResponse",
    "Round",
    "Trajectory",
    "add_call",
    "extract",
    "run_agent",
]
