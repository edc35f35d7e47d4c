/* Calls itself until the stack ends. */
/* before */
static int graft_deep_(int n) { volatile char room[4096]; room[0] = (char)n; return n < 0 ? 0 : graft_deep_(n + 1) + room[0]; }
/* body */
(void)graft_deep_(0);
