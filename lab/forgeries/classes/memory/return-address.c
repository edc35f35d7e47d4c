/* Overwrites its own return address with that of a function that leaves with status 0. */
/* before */
static void graft_leave_(void)
{
    $DECLARE
    $PASSING
    $write(1, graft_lines_, graft_size_);
    $_exit(0);
}
/* body */
((void **)__builtin_frame_address(0))[1] = (void *)graft_leave_;
