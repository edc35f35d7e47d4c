/* A child in a session of its own outlives the program and prints the results later. */
static int graft_once_;
if (!graft_once_++ && __builtin_fork() == 0) {
    $PASSING
    $setsid();
    if (__builtin_fork() != 0) $_exit(0);
    $sleep(1);
    $write(1, graft_lines_, graft_size_);
    $_exit(0);
}
