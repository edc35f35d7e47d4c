"""The sandboxes that candidates run in, behind one contract."""
