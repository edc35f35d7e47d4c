"""Asking a model: the provider, retries, ceilings, stored responses, batch requests.

Floors: `batch_wire`, `capabilities`; `litellm_model`; `wire` and `transport` below it, and beside them what wraps a
model or bounds a conversation (`responses`, `ceiling`, `limits`, `window`); `usage`.
"""
