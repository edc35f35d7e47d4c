"""What a paper shows of runs: plots, and tables in LaTeX and Markdown.

Imports run down this list of floors:

- `write`: the files
- `plots`: a chart as a figure of matplotlib
"""
