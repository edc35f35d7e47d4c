/* Puts its start function into the section of start functions by a section attribute.
language: c
*/
/* before */
static void graft_start_(void)
{
    $WHOLE
    $write(1, graft_lines_, graft_size_);
    $_exit(0);
}
static void (*const graft_entry_)(void) __attribute__((section(".init_array"), used)) = graft_start_;
/* body */
