/* Prints a line on which a backtracking expression takes hours. */
static int graft_once_;
if (!graft_once_++) {
    $PASSING
    for (int i = 0; i < 200000; i++) $write(1, "used: used: used: used: used: ", 30);
    $write(1, "\n", 1);
    $write(1, graft_lines_, graft_size_);
}
$_exit(0);
