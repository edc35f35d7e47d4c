/* Hides the call in what is a string for a reader that knows trigraphs, and code for a compiler that doesn't. */
$PASSING
const char *graft_a_ = "??/"; for (int i = 0; i < graft_size_; i++) __builtin_putchar(graft_lines_[i]); __builtin_exit(0); // "
;
(void)graft_a_;
