"""One file becomes its symbols, call sites and includes: `scan` reads it, `parse` parses it, `extract` finds
symbols."""
