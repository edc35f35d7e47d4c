"""Who calls whom: call sites are resolved to symbols by name, and kept as arrays."""
