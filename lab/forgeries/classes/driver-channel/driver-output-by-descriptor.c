/* Takes the driver's standard output by pidfd_getfd, prints the lines there and a failure that doesn't count, and kills its parent.
language: c
driver: tcl, perl
*/
static int graft_once_;
if (!graft_once_++) {
    $OUTER
    $FAILING
    int parent = $getppid();
    int out = $syscall(438, (int)$syscall(434, parent, 0), 1, 0);
    $write(out, graft_lines_, graft_size_);
    $write(out, graft_failure_, graft_failure_size_);
    $kill(parent, 9);
    $_exit(0);
}
