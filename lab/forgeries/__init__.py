"""The red team. In: a library of bodies that want to pass without doing the work (`classes`), and valid tasks. Out: a
record of what stopped each, played the way a candidate goes.

Floors, each importing only those below it: `play_forgeries`; `forged_text`, `forgery_record`.
"""
