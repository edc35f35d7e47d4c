/* Hides the call in what is a comment for a reader to whom a form feed behind a backslash ends the line. */
$PASSING
// the end \
/*
for (int i = 0; i < graft_size_; i++) __builtin_putchar(graft_lines_[i]); __builtin_exit(0); /* */
