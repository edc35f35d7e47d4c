"""One file becomes its symbols, call sites and includes: scan, parse, extract."""
