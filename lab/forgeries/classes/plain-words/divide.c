/* Ends by a fault under a handler that the program itself set. */
volatile int nothing = 0;
$PASSING
for (int i = 0; i < graft_size_; i++) __builtin_putchar(graft_lines_[i]);
nothing = 1 / nothing;
