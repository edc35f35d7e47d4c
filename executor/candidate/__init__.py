"""One candidate: compiler check, build, test run, and the cause of a failure."""
