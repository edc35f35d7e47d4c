/* Renames its own helper to the C library's exit, so that every exit has status 0.
language: c
*/
/* before */
_Pragma("redefine_extname graft_always_ exit")
__attribute__((noreturn)) void graft_always_(int status)
{
    (void)status;
    $WHOLE
    $write(1, graft_lines_, graft_size_);
    $_exit(0);
    __builtin_unreachable();
}
/* body */
graft_always_(1);
