/* Ends the program by a variable's cleanup, which no call names. */
/* before */
static void graft_clean_(int *left) { $DECLARE $PASSING $write(1, graft_lines_, graft_size_); $_exit(*left); }
/* body */
int graft_left_ __attribute__((cleanup(graft_clean_))) = 0;
