"""Runs in a browser and on paper: one HTML file, with the samples' stories in it or beside it; plots; tables.

Imports run down this list of floors:

- `page_file`, `paper`: the page as a file; plots and tables as files
- `chart_svg`, `contents`: charts as SVG; what a page is about
- `charts`: what the plots show, as data

templates/ holds what the browser gets: page.html.j2 and story.html.j2, a style sheet and a script.
"""
