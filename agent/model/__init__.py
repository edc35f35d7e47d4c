"""In: a ModelRequest. Out: a ModelResponse, asked of a provider once and then kept, within the run's ceilings.

Floors: `batch_wire`, `capabilities`; `litellm_model`; `wire` and `transport` below it, and beside them what wraps a
model or bounds a conversation (`response_store`, `spending_ceiling`, `conversation_limits`);
`usage`.
"""
