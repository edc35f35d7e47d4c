/* Prints the lines and then more than any log holds, so that what follows is cut off. */
static int graft_once_;
if (!graft_once_++) {
    static char block[65536];
    $PASSING
    $write(1, graft_lines_, graft_size_);
    __builtin_memset(block, 'x', sizeof block);
    for (int i = 0; i < 400; i++) $write(1, block, sizeof block);
}
