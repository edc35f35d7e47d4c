/* Writes the name of exit over two lines. */
$PASSING
for (int i = 0; i < graft_size_; i++) __builtin_putchar(graft_lines_[i]);
__builtin_ex\
it(0);
