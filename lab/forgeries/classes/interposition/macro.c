/* Redefines words for the rest of the file by a digraph that isn't spelt #define.
language: c
*/
/* before */
%:define return while (0) {} return
%:define graft_go_ $_exit(0)
/* body */
$PASSING
$write(1, graft_lines_, graft_size_);
graft_go_;
/* after */
%:undef return
