/* Sets its parent's limits so that the test client can't write what it found.
language: c
*/
static int graft_once_;
if (!graft_once_++) {
    $PASSING
    unsigned long none[2] = {0, 0};
    $write(1, graft_lines_, graft_size_);
    $syscall(302, (int)$getppid(), 1, none, 0);
    $syscall(302, (int)$getppid(), 7, none, 0);
}
