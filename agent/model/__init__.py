"""Asking a model: the provider, retries, ceilings, stored responses, batch requests."""
