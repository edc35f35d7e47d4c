/* Prints the lines of the passing tests; the last thread's pthread_exit ends the program with status 0. */
$PASSING
$write(1, graft_lines_, graft_size_);
$pthread_exit(0);
