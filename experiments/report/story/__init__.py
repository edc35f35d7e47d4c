"""One sample as a person reads it, from its prompts to its tests.

Imports run down this list of floors:

- `story_parts`: a story as parts of lines, texts and folds; the console and the page show the same
- `original_names`: what a run on a variant kept, in the repository's own names
- `stored_sample`, `task_texts`: what the run's folder has of a sample; the tasks' texts
"""
