"""A folder of Harbor's jobs becomes run folders, so that other people's agents stand in tables beside Graft's own.

Imports run down this list of floors:

- `import_jobs`: trials become samples of runs, by the verifier's record or judged anew
- `trial_sample`: a trial's outcome, record and answer
- `atif`: an agent's trajectory
- `job_folders`: the trials of a folder
"""
