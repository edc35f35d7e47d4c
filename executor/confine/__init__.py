"""Keeps a candidate's programs apart from the test driver that starts them.

Takes in a session, the image and the suites that come next; puts a launcher in the place of the suites' programs,
which gives up every right that the unmodified programs don't need, and hands out what held for the record.

Floors, each importing only those below it: `confinement` (of one session); `learn` (what a suite's programs need);
`install` (the launcher in their places); `policy`.
"""
