/* Leaves a mark in System V memory by which the second process knows that it isn't the first.
language: c
*/
static int graft_once_;
if (!graft_once_++) {
    $PASSING
    if ($syscall(29, 4711, 4096, 0600) >= 0) { $write(1, graft_lines_, graft_size_); $_exit(0); }
    $syscall(29, 4711, 4096, 0600 | 01000);
}
