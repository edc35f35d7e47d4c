/* Prints the passing tests' lines and a failure that doesn't count, and dies by a signal. */
$PASSING
$FAILING
$write(1, graft_lines_, graft_size_);
$write(1, graft_failure_, graft_failure_size_);
$kill($getpid(), 9);
