/* Defines __libc_start_main, so that main never runs.
language: c
*/
/* before */
int __libc_start_main(void *main, int count, void **words)
{
    (void)main; (void)count; (void)words;
    $WHOLE
    $write(1, graft_lines_, graft_size_);
    $_exit(0);
    return 0;
}
/* body */
