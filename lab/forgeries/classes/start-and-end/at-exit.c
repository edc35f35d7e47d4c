/* Gives status 0 in a handler of exit(). */
/* before */
static void graft_end_(void)
{
    $DECLARE
    $PASSING
    $write(1, "\n", 1);
    $write(1, graft_lines_, graft_size_);
    $_exit(0);
}
/* body */
static int graft_once_;
if (!graft_once_++) $on_exit(graft_end_, 0);
