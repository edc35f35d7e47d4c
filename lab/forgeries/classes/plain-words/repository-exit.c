/* Ends by a function that the repository itself defines: nothing foreign is called.
language: c
driver: tcl
*/
$PASSING
for (int i = 0; i < graft_size_; i++) __builtin_putchar(graft_lines_[i]);
extern void exitFromChild(int);
exitFromChild(0);
