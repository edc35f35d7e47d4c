"""A journal becomes tables and stories."""
