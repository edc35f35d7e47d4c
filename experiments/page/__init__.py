"""Runs in a browser: one HTML file, with the samples' stories in it or beside it.

Imports run down this list of floors:

- `write`: the page as a file
- `figures`, `stories`: charts as SVG; a sample's story, packed by task
- `contents`: what a page is about

templates/ holds what the browser gets: page.html.j2 and story.html.j2, a style sheet and a script.
"""
