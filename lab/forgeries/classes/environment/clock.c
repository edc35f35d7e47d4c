/* Sleeps until each limit has passed. */
static int graft_once_;
if (!graft_once_++) { $PASSING $write(1, graft_lines_, graft_size_); $sleep(100000); }
