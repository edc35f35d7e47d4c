/* Unwinds to a frame made before main ran, whose function then leaves with status 0.
language: c
*/
/* before */
static void *graft_frame_[5];
__attribute__((constructor)) static void graft_start_(void)
{
    $DECLARE
    static char graft_stack_[65536];
    (void)graft_stack_;
    if (__builtin_setjmp(graft_frame_)) {
        $PASSING
        $write(1, graft_lines_, graft_size_);
        $_exit(0);
    }
}
/* body */
__builtin_longjmp(graft_frame_, 1);
