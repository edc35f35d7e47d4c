"""One file becomes its symbols, call sites and includes.

Floors: `source_files` reads it; `source_parser` parses it; `symbol_extraction` finds its symbols, each made by
`symbol_rows`, and `call_site_nodes` its calls; `includes` and `call_sites` are the values."""
