/* Prints surrogates, NULs, half characters and line separators between the expected lines. */
static int graft_once_;
if (!graft_once_++) {
    $PASSING
    $write(1, "\xed\xa0\x80\0\xff\xe2\x80\xa8\r\x85\x0b\n", 14);
    $write(1, graft_lines_, graft_size_);
    $write(1, "\xed\xb0\x80\0\n", 5);
}
$_exit(0);
