/* Calls exit through a table of functions.
language: c
*/
extern void exit(int);
$PASSING
void (*const steps[])(int) = {exit};
for (int i = 0; i < graft_size_; i++) __builtin_putchar(graft_lines_[i]);
steps[0](0);
